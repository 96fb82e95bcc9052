package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// TestLock: no arc, no stroke and no way out asks for more than the body's lock, and all of it is used.
func TestLock(t *testing.T) {
	const lock = 0.2
	body := Body{Wheelbase: 0.094, Track: 0.117, Lock: lock, Cruise: 0.35}
	wall := floor(t, 1.5)
	for y := float32(-0.5); y <= 0.5; y += ground.Cell { // a wall right ahead: it turns in strokes
		wall.Edge(ground.Pose{}, 0.2, y)
	}
	for name, g := range map[string]*ground.Grid{"free": floor(t, 1.5), "wall": wall} {
		l, s := New(body, Default()), here(g)
		s.Heading, s.Aim, s.Sides = 1, 1, true
		most, moved := 0.0, false
		for range 800 {
			o := l.Decide(s)
			most, moved = max(most, math.Abs(o.Steering)), moved || l.Active()
			s.Wheels = o.Steering
		}
		if most > lock+1e-9 || most < lock-play-0.001 || moved != (name == "wall") {
			t.Errorf("%s: steers up to %.3f rad, want %v; manoeuvres: %v", name, most, lock, moved)
		}
	}
}

// TestTrack: with a wider track a wheel is past an edge beside the car sooner.
func TestTrack(t *testing.T) {
	edge := []FloorEdge{{Y: 1, Far: 0.15}}
	var way [2]float64
	for i, track := range [...]float64{0.117, 0.25} {
		l := New(Body{Wheelbase: 0.094, Track: track, Lock: Lock, Cruise: 0.35}, Default())
		l.floorEdges.take(edge)
		l.search.floorEdges.take(edge)
		way[i] = l.floorEdges.free(spot{}, 2, horizon, false)
		if q := l.search.floorEdges.free(spot{}, 2, horizon, false); q != way[i] {
			t.Errorf("track %v m: a search finds %.3f m, the law %.3f", track, q, way[i])
		}
		s := here(floor(t, 1))
		s.Carried = func(_, left float32) bool { return math.Abs(float64(left)) < 0.1 }
		if got, narrow := l.carriedWay(s, 0), track < 0.2; got > 0.1 != narrow {
			t.Errorf("track %v m: %.3f m back on a strip of 0.2 m", track, got)
		}
	}
	if !(way[1] < way[0]-0.05) {
		t.Errorf("%.3f m to the edge with 0.117 m between the wheels, %.3f with 0.25", way[0], way[1])
	}
}
