package steer

import (
	"math"

	"fieldbrain/brain/ground"
)

// A trail is the way the car came: places whose floor carried it.
type trail struct {
	place    [trailMost]ground.Pose
	steering [trailMost]float32 // rad, on the way to the place
	n        int
}

const (
	trailMost = 40
	trailStep = 0.03 // m

	returnFree = 0.06 // m behind the car without which it does not come back
)

// follow keeps the place where the car is: on the way forwards it adds it, on the
// way back it drops what the car has come past.
func (t *trail) follow(at ground.Pose, speed, steering float64) {
	if t.n == 0 {
		t.add(at, steering)
		return
	}
	away := between(at, t.place[t.n-1])
	if speed < 0 {
		for t.n > 1 && between(at, t.place[t.n-2]) < trailStep {
			t.n--
		}
		if away > 2*trailStep { // it went another way
			t.n = 0
		}
		return
	}
	if away >= trailStep {
		t.add(at, steering)
	}
}

func (t *trail) add(at ground.Pose, steering float64) {
	if t.n == trailMost {
		copy(t.place[:], t.place[1:])
		copy(t.steering[:], t.steering[1:])
		t.n--
	}
	t.place[t.n], t.steering[t.n] = at, float32(steering)
	t.n++
}

// Return is the steering, in rad, that leads back on the way the car came, and the share of
// a speed that the ground behind it allows: 1, or 0 where something stands there.
func (l *Law) Return(g *ground.Grid, at ground.Pose) (share, steering float64) {
	if l.trail.n > 0 {
		steering = float64(l.trail.steering[l.trail.n-1])
	}
	if float64(g.Sweep(at, l.curvature(steering), horizon/2, true).Free) < returnFree {
		return 0, steering
	}
	return 1, steering
}

// between is the distance of two places in m.
func between(a, b ground.Pose) float64 {
	dx, dy := float64(a.X-b.X), float64(a.Y-b.Y)
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// Retract takes back places of the trail: the car went some metres less than it
// reckoned.
func (l *Law) Retract(way float64) {
	if way > 0 {
		l.trail.n = max(0, l.trail.n-int(math.Ceil(way/trailStep)))
	}
}
