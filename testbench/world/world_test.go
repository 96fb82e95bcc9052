package world_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/testbench/world"
)

const tolerance = 1e-12 // m: a few roundings of numbers around 1

func TestRay(t *testing.T) {
	w := world.World{
		Walls: []world.Segment{{A: world.Vec{X: 2, Y: -1}, B: world.Vec{X: 2, Y: 1}}},
		Discs: []world.Disc{{Centre: world.Vec{X: 0, Y: 1}, Radius: 0.25}},
	}
	tests := []struct {
		name, why           string
		angle               float64
		distance, incidence float64
	}{
		{"square on", "the wall stands 2 m ahead", 0, 2, 1},
		{"slanted", "2 m / cos 20 deg, 20 deg from the normal", 0.349, 2 / math.Cos(0.349), math.Cos(0.349)},
		{"past the end", "the wall ends at y = 1", 0.6, math.Inf(1), 0},
		{"disc", "its rim is 0.75 m away", math.Pi / 2, 0.75, 1},
		{"behind", "nothing stands there", math.Pi, math.Inf(1), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, c := w.Ray(world.Vec{}, world.Unit(tt.angle))
			if !near(d, tt.distance) || !near(c, tt.incidence) {
				t.Errorf("Ray = %v, %v; want %v, %v: %s", d, c, tt.distance, tt.incidence, tt.why)
			}
		})
	}
}

// From any place in a room, the end of a ray lies on a surface and nothing is
// nearer than the clearance.
func TestRayEndsOnASurface(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world.World{Walls: world.Room(world.Vec{}, world.Vec{X: 4, Y: 3})}
		w.Discs = []world.Disc{{Centre: world.Vec{X: 2, Y: 1.5}, Radius: 0.2}}
		p := world.Vec{X: rapid.Float64Range(0.01, 3.99).Draw(t, "x"), Y: rapid.Float64Range(0.01, 2.99).Draw(t, "y")}
		if w.Distance(p) < 0 {
			t.Skip("inside the disc")
		}
		u := world.Unit(rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "angle"))
		d, _ := w.Ray(p, u)
		if math.IsInf(d, 1) {
			t.Fatalf("a ray left the room from %v along %v", p, u)
		}
		if at := w.Distance(p.Add(u.Scale(d))); math.Abs(at) > 1e-9 {
			t.Fatalf("the ray ends %v m from the nearest surface", at)
		}
		if c := w.Distance(p); d < c-1e-9 {
			t.Fatalf("ray %v m is shorter than the clearance %v m", d, c)
		}
	})
}

func TestFloor(t *testing.T) {
	f := world.Floor{
		Background: 1400, Tape: 300, Void: 60,
		Lines: []world.Line{{Width: 0.025, Points: []world.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}}}},
		Table: []world.Vec{{X: -1, Y: -1}, {X: 2, Y: -1}, {X: 2, Y: 1}, {X: -1, Y: 1}},
	}
	tests := []struct {
		name, why string
		at        world.Vec
		want      float64
	}{
		{"tape", "on its middle", world.Vec{X: 0.5, Y: 0}, 300},
		{"floor", "20 mm beside it", world.Vec{X: 0.5, Y: 0.02}, 1400},
		{"edge", "half of the spot is tape", world.Vec{X: 0.5, Y: 0.0125}, 850},
		{"void", "past the table", world.Vec{X: 2.01, Y: 0}, 60},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := f.Reflectance(tt.at); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("Reflectance(%v) = %v, want %v: %s", tt.at, got, tt.want, tt.why)
			}
		})
	}
}

func TestOvalIsClosedAndRound(t *testing.T) {
	const straight, radius = 1.2, 0.35
	oval := world.Oval(world.Vec{X: 1, Y: 1}, straight, radius)
	if oval[0] != oval[len(oval)-1] {
		t.Error("the oval is open")
	}
	for _, p := range oval {
		q := p.Sub(world.Vec{X: 1, Y: 1})
		spine := world.Segment{A: world.Vec{X: -straight / 2}, B: world.Vec{X: straight / 2}}
		if d := spine.Distance(q); math.Abs(d-radius) > tolerance {
			t.Fatalf("point %v is %v m from the spine, want %v", q, d, radius)
		}
	}
}

func TestMoverWaitsForTheCar(t *testing.T) {
	w := world.World{Movers: []world.Mover{{
		Path: []world.Vec{{X: 0, Y: 0}, {X: 2, Y: 0}}, Radius: 0.1, Speed: 0.5,
	}}}
	body := world.Disc{Centre: world.Vec{X: 1, Y: 0}, Radius: 0.09}
	for range 10_000 {
		w.Step(time.Millisecond, body, 0.02)
	}
	if gap := w.Movers[0].Disc().Distance(body.Centre) - body.Radius; gap < 0.02 || gap > 0.03 {
		t.Errorf("the mover waits %v m from the car, want just over 0.02", gap)
	}
	body.Centre.Y = 1 // the car moves out of its way
	before := w.Movers[0].Disc().Centre
	for range 1000 {
		w.Step(time.Millisecond, body, 0.02)
	}
	if got := w.Movers[0].Disc().Centre.Sub(before).Norm(); math.Abs(got-0.5) > 0.001 {
		t.Errorf("the mover walked %v m in 1 s, want 0.5", got)
	}
}

// TestMoverRoundsItsCorners: a mover whose legs are shorter than a step walks as far as its
// speed says, and along its path.
func TestMoverRoundsItsCorners(t *testing.T) {
	const radius, speed, corners = 0.2, 2.0, 1000 // legs of 1.3 mm, steps of 2 mm
	m := world.Mover{Radius: 0.05, Speed: speed}
	for i := range corners {
		m.Path = append(m.Path, world.Unit(float64(i)*2*math.Pi/corners).Scale(radius))
	}
	far := world.Disc{Centre: world.Vec{X: 9, Y: 9}, Radius: 0.09}
	w := world.World{Movers: []world.Mover{m}}
	last, way := w.Movers[0].Disc().Centre, 0.0
	for i := range 10_000 {
		w.Step(time.Millisecond, far, 0.02)
		now := w.Movers[0].Disc().Centre
		step := now.Sub(last).Norm()
		if off := math.Abs(now.Norm() - radius); off > 1e-5 || step > 0.002+tolerance {
			t.Fatalf("after %d steps it is %v m off its circle and came %v m", i, off, step)
		}
		last, way = now, way+step
	}
	if want := 10 * speed; math.Abs(way-want) > 0.001*want {
		t.Errorf("it walked %v m, want %v", way, want)
	}
	twin := world.World{Movers: []world.Mover{{Path: []world.Vec{{X: 1}, {X: 1}}, Speed: speed}}}
	if twin.Step(time.Millisecond, far, 0.02); twin.Movers[0].Disc().Centre != (world.Vec{X: 1}) {
		t.Errorf("on a path without length it is at %v", twin.Movers[0].Disc().Centre)
	}
}

// TestClear: walls and discs are between two places, but for what the second lies on or in;
// movers are not.
func TestClear(t *testing.T) {
	w := world.World{
		Walls:  []world.Segment{{A: world.Vec{X: 2, Y: -1}, B: world.Vec{X: 2, Y: 1}}},
		Discs:  []world.Disc{{Centre: world.Vec{X: -2}, Radius: 0.3}},
		Movers: []world.Mover{{Path: []world.Vec{{Y: 2}, {X: 1, Y: 2}}, Radius: 0.2}},
		Goal:   world.Vec{X: 2.2}, HasGoal: true,
	}
	at := func(x, y float64) world.Vec { return world.Vec{X: x, Y: y} }
	for _, c := range []struct {
		name string
		a, b world.Vec
		want bool
	}{
		{"nothing", at(0, 0), at(1, 1), true},
		{"nowhere", at(1, 1), at(1, 1), true},
		{"through a wall", at(1.8, 0), at(2.2, 0), false},
		{"past a wall's end", at(1.8, 1.1), at(2.2, 1.1), true},
		{"on a wall", at(1, 0), at(2, 0), true},
		{"on a wall, from the other side", at(3, 0.5), at(2, 0), true},
		{"through a disc", at(-1, 0), at(-3, 0), false},
		{"in a disc", at(-1, 0), at(-2.1, 0), true},
		{"through a mover", at(0, 1), at(0, 3), true},
	} {
		if got := w.Clear(c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if w.Arrived(at(1.8, 0), 0.5) || !w.Arrived(at(2.5, 0), 0.5) || w.Arrived(at(2.9, 0), 0.5) {
		t.Error("a goal is reached through a wall, or from too far, or not at all")
	}
}

func TestBoxTurns(t *testing.T) {
	sides := world.Box(world.Vec{X: 1, Y: 1}, world.Vec{X: 2, Y: 1}, math.Pi/2)
	w := world.World{Walls: sides}
	if d := w.Distance(world.Vec{X: 1, Y: 1}); !near(d, 0.5) {
		t.Errorf("the middle is %v m from the nearest side, want 0.5", d)
	}
	d, _ := w.Ray(world.Vec{X: 1, Y: 1}, world.Unit(math.Pi/2))
	if !near(d, 1) {
		t.Errorf("the long side now points up: %v m, want 1", d)
	}
}

func Example() {
	w := world.World{Walls: world.Room(world.Vec{}, world.Vec{X: 4, Y: 3})}
	ahead, _ := w.Ray(world.Vec{X: 1, Y: 1}, world.Unit(0))
	fmt.Printf("%.1f m ahead, %.1f m around\n", ahead, w.Distance(world.Vec{X: 1, Y: 1}))
	// Output: 3.0 m ahead, 1.0 m around
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= tolerance }
