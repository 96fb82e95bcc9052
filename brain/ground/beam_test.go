package ground

import (
	"testing"
)

// TestBeam wants free, occupied and unknown where they belong, near and far.
func TestBeam(t *testing.T) {
	g := create(t)
	for range 6 {
		g.Beam(Pose{}, front(0.5))
	}
	for _, c := range []struct {
		x, y float32
		want State
	}{
		{0.3, 0, Clear},
		{0.5, 0.03, Clear},
		{0.61, 0, Blocked},
		{0.6, 0.08, Blocked},
		{0.75, 0, Unknown},
		{0.4, 0.15, Unknown},
		{0.05, 0, Unknown},
	} {
		if s := g.At(c.x, c.y).State; s != c.want {
			t.Errorf("at %v, %v: %v, want %v", c.x, c.y, s, c.want)
		}
	}
	g = create(t)
	for range 50 {
		g.Beam(Pose{}, front(1.8))
	}
	if s := g.At(1.91, 0.1).State; s == Blocked {
		t.Error("one far echo, repeated, made its whole arc occupied")
	}
	if s := g.At(1.5, 0.1).State; s != Clear {
		t.Errorf("before it: %v", s)
	}
}

// TestExplained wants an echo that a known thing explains to leave the rest of
// the arc alone: doors seen from afar stay open.
func TestExplained(t *testing.T) {
	g := create(t)
	block(g, 0.6, 0.09)
	before := g.At(0.61, -0.05)
	for range 20 {
		g.Beam(Pose{}, front(0.495))
	}
	if after := g.At(0.61, -0.05); after != before {
		t.Errorf("the other end of the arc: %+v, was %+v", after, before)
	}
	if s := g.At(0.6, 0.09); s.State != Blocked {
		t.Errorf("the thing itself: %+v", s)
	}
}

// TestBefore wants what lies nearer than an echo by most of a cell to go where beams look
// to the sides, though it was surely occupied, and what made the echo to be marked no
// nearer than it stands. One beam takes it for what made the echo.
func TestBefore(t *testing.T) {
	const at = 16.5 * Cell // the middle of a cell
	for _, c := range []struct {
		sides       bool
		beyond      float32 // cells, of what makes the echo
		want, after State   // of the cell, and of the next
	}{{true, 0.8, Clear, Blocked}, {true, 0, Blocked, Unknown}, {false, 0.8, Blocked, Unknown}} {
		g := create(t)
		g.Look(c.sides)
		block(g, at, 0.01)
		for range 20 {
			g.Beam(Pose{}, front(at-0.11+float32(c.beyond*Cell)))
		}
		if s := g.At(at, 0.01).State; s != c.want {
			t.Errorf("%+v: it is %v", c, s)
		}
		if s := g.At(at+Cell, 0.01).State; s != c.after {
			t.Errorf("%+v: the next cell is %v", c, s)
		}
		if s := g.At(at-2*Cell, 0.01).State; s != Clear {
			t.Errorf("%+v: two cells before it: %v", c, s)
		}
	}
}

// TestBesides wants what stands at the cone's rim not to be wiped by beams that
// pass it, and what stands in its core to go.
func TestBesides(t *testing.T) {
	for _, c := range []struct {
		y    float32
		want State
	}{{0.078, Blocked}, {0, Clear}} {
		g := create(t)
		block(g, 0.5, c.y)
		for range 30 {
			g.Beam(Pose{}, front(1.5))
		}
		if s := g.At(0.5, c.y).State; s != c.want {
			t.Errorf("at %v m to the side: %v, want %v", c.y, s, c.want)
		}
	}
}

// TestSilence wants no echo to make floor free up to a short range and to leave
// what is surely occupied for a while; with one beam for as long as the car drives.
func TestSilence(t *testing.T) {
	for _, c := range []struct{ sides, still, goes bool }{{true, false, true}, {true, true, true}, {false, true, true}, {false, false, false}} {
		g := create(t)
		g.Look(c.sides)
		block(g, 0.5, 0)
		b := front(4)
		b.Beyond, b.Still = true, c.still
		for range 10 {
			g.Beam(Pose{}, b)
		}
		if s := g.At(0.5, 0).State; s != Blocked {
			t.Errorf("%+v: a wall that sends nothing back: %v after 10 pings", c, s)
		}
		if s := g.At(0.9, 0).State; s != Clear {
			t.Errorf("%+v: at 0.9 m: %v", c, s)
		}
		if s := g.At(1.8, 0).State; s != Unknown {
			t.Errorf("%+v: at 1.8 m: %v", c, s)
		}
		for range 40 {
			g.Beam(Pose{}, b)
		}
		if s := g.At(0.5, 0).State; s == Blocked == c.goes {
			t.Errorf("%+v: it is %v after 50 pings", c, s)
		}
	}
}

// TestEdge wants no beam and no drive to clear an edge.
func TestEdge(t *testing.T) {
	g := create(t)
	g.Edge(Pose{}, 0.3, 0)
	for range 100 {
		g.Beam(Pose{}, front(2))
	}
	g.Drive(Pose{X: 0.25})
	if s := g.At(0.3, 0).State; s != Cliff {
		t.Errorf("the edge is %v", s)
	}
	for range 6000 { // half a minute of standing
		g.Forget(0.005, 0, 0)
	}
	if s := g.At(0.3, 0).State; s != Cliff {
		t.Errorf("the edge is %v after 30 s", s)
	}
}

// TestContact wants something on the leading rim, where no beam saw free floor.
func TestContact(t *testing.T) {
	for _, backward := range []bool{false, true} {
		g := create(t)
		g.Drive(Pose{})
		if !backward {
			for range 10 {
				g.Beam(Pose{}, front(1))
			}
		}
		g.Contact(Pose{}, backward)
		s := g.Sweep(Pose{}, 0, 1, backward)
		if s.Free > 0.03 {
			t.Errorf("backward %v: after a touch it still gets %v m", backward, s.Free)
		}
		if s := g.Sweep(Pose{}, 0, 1, !backward); s.Free != 1 {
			t.Errorf("backward %v: away from it %v m", backward, s.Free)
		}
		if !backward && g.At(0.17, 0).State != Clear {
			t.Error("the touch is where the beam sees nothing")
		}
	}
}
