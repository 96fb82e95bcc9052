package line

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// TestDetour: a car that stands on its line waits, leaves it for what may be beyond, and
// takes the line that it meets there, or any when nothing draws it any more.
func TestDetour(t *testing.T) {
	const dt = 0.005
	stands := passage{dt: dt, wanted: true, follows: true, seen: true, at: ground.Pose{X: 1, Heading: math.Pi / 2}, ahead: 0.4}
	begin := func() (d Detour, seconds float64) {
		for ; !d.Off && seconds < 60; seconds += dt {
			d.watch(&stands)
		}
		return d, seconds
	}
	d, waited := begin()
	if math.Abs(waited-detourWait) > 2*dt {
		t.Fatalf("it left the line after %.2f s, want %v", waited, detourWait)
	}
	if x, y := d.beyond(); math.Abs(x-1) > 1e-6 || math.Abs(y-0.95) > 1e-6 {
		t.Errorf("drawn to %.3f, %.3f, want 1, 0.95", x, y)
	}
	goes := stands
	goes.speed, goes.follows = 0.2, false
	for range int(0.7 / 0.2 / dt) { // over the line again, on this side
		d.watch(&goes)
	}
	if !d.Off {
		t.Error("it takes the line again that leads into what stands there")
	}
	past := goes
	past.at.Y = 0.7
	if d.watch(&past); d.Off {
		t.Error("it does not take the line beyond")
	}
	d, _ = begin()
	for range int((detourDraws + 1) / dt) {
		d.watch(&goes)
	}
	if d.Off {
		t.Error("nothing draws any more, and it does not take the line that it meets")
	}
	d, _ = begin()
	goes.wanted = false
	if d.watch(&goes); d != (Detour{}) {
		t.Errorf("another order came, and it is still on %+v", d)
	}
}

// TestDetourBends: the place beyond lies on the arc of the line.
func TestDetourBends(t *testing.T) {
	for _, tt := range []struct{ bend, x, y float64 }{
		{0, 1, 0}, {math.Pi / 2, 2 / math.Pi, 2 / math.Pi}, {-math.Pi / 2, 2 / math.Pi, -2 / math.Pi}, {99, math.Sin(1) * math.Cos(1), math.Sin(1) * math.Sin(1)},
	} {
		d := Detour{Off: true, Far: 1, Bend: tt.bend}
		if x, y := d.beyond(); math.Abs(x-tt.x) > 1e-6 || math.Abs(y-tt.y) > 1e-6 {
			t.Errorf("bend %v: %.3f, %.3f, want %.3f, %.3f", tt.bend, x, y, tt.x, tt.y)
		}
	}
}

// TestBarredOnATable: a car that looks for edges does not leave its line: it waits, and
// goes on when the line is free; after half a minute it says that the line is barred.
func TestBarredOnATable(t *testing.T) {
	var d Detour
	p := passage{dt: 0.1, wanted: true, follows: true, seen: true, edges: true}
	for range 250 {
		d.watch(&p)
	}
	if d.Off || d.Stood >= barredAfter {
		t.Fatalf("after 25 s: %+v", d)
	}
	p.speed = 0.1
	if d.watch(&p); d != (Detour{}) {
		t.Errorf("the line is free again: %+v", d)
	}
	p.speed = 0
	for range 400 {
		d.watch(&p)
	}
	if l := (Follower{detour: d}); d.Off || d.Stood != barredAfter || d.check() != nil || !l.Barred() {
		t.Errorf("after 40 s: %+v, %v, barred %v", d, d.check(), l.Barred())
	}
}

// TestDetourAtOnce: a car that touches something leaves its line at once, and who walks to and
// fro before one that stands does not make it wait for ever: while he comes it waits, and what
// it had waited counts. Where there may be edges it stays.
func TestDetourAtOnce(t *testing.T) {
	touched := passage{dt: 0.1, wanted: true, follows: true, seen: true, speed: 0.2, stuck: true}
	var d Detour
	if d.watch(&touched); !d.Off {
		t.Errorf("it touches something and stays: %+v", d)
	}
	touched.edges = true
	d = Detour{}
	if d.watch(&touched); d.Off {
		t.Errorf("there may be edges, and it left: %+v", d)
	}
	d, waited := Detour{}, 0.0
	p := passage{dt: 0.1, wanted: true, follows: true, seen: true}
	for ; !d.Off && waited < 60; waited += p.dt {
		p.yields = int(waited)%2 == 0 // every other second
		d.watch(&p)
	}
	if waited < 2*detourWait-0.5 || waited > 2*detourWait+1.5 {
		t.Errorf("somebody walks to and fro: it left after %.1f s, want %v", waited, 2*detourWait)
	}
}

// TestNoDetour: a car that drives, yields or waits for people stays on its line.
func TestNoDetour(t *testing.T) {
	for name, p := range map[string]passage{
		"drives":       {dt: 0.1, wanted: true, follows: true, seen: true, speed: 0.03},
		"may not":      {dt: 0.1, wanted: true, seen: true},
		"no line task": {dt: 0.1, follows: true, seen: true},
	} {
		var d Detour
		for range 600 {
			d.watch(&p)
		}
		if d.Off || d.Stood != 0 {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
