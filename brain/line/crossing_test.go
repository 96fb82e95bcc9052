package line

import (
	"math"
	"testing"
)

// crosses drives a crossing over a line that ends at 0 m, for seconds at most: forwards, or
// back where it says so. It returns how far it came and the bends of its ways.
func crosses(c *Crossing, edge float64, left bool, seconds float64) (farthest float64, bends []float64) {
	const dt = 0.01
	at, seen := -0.5, true
	for t := 0.0; t < seconds && !c.Ended; t += dt {
		p := crossed{dt: dt, follows: true, drives: true, left: left, speed: 0.2, bend: 1.2, seen: at <= 0, brink: at >= edge}
		if c.Back {
			p.speed = -BackSpeed
		}
		if seen && !p.seen && !c.Back {
			bends = append(bends, c.bent(p.bend))
		}
		seen = p.seen
		at += p.speed * dt
		c.watch(&p)
		farthest = math.Max(farthest, at)
	}
	return farthest, bends
}

// TestCrossing: a car that meets no line beyond a gap comes back to where its line ended and
// tries again, bent less and bent more, and then the line ends there. It never goes farther
// than a gap is long.
func TestCrossing(t *testing.T) {
	var c Crossing
	far, bends := crosses(&c, 9, false, 60)
	if !c.Ended || len(bends) != crossMost {
		t.Fatalf("after %d ways: %+v", len(bends), c)
	}
	if far < 0.25 || far > crossReach+0.01 {
		t.Errorf("it went %.3f m beyond its line, want %v", far, crossReach)
	}
	for i, want := range []float64{1.2, 1.2 - crossBend, 1.2 + crossBend} {
		if math.Abs(bends[i]-want) > 1e-9 {
			t.Errorf("way %d bends by %.2f /m, want %.2f", i, bends[i], want)
		}
	}
	c = Crossing{Out: 0.1, Vain: 1, Bend: 1}
	if c.watch(&crossed{dt: 0.01, drives: true}); c != (Crossing{}) {
		t.Errorf("no line is followed any more, and it is still on %+v", c)
	}
}

// TestCrossingMeetsAnEdge: one edge, or a line that went out at the bar's side, is enough.
func TestCrossingMeetsAnEdge(t *testing.T) {
	var c Crossing
	if far, bends := crosses(&c, 0.1, false, 60); !c.Ended || len(bends) != 1 || far > 0.11 {
		t.Errorf("beside an edge it went %.2f m beyond its line, %d times: %+v", far, len(bends), c)
	}
	c = Crossing{}
	if far, bends := crosses(&c, 9, true, 60); !c.Ended || len(bends) != 1 || far > crossLeft+0.01 {
		t.Errorf("beside a line that it left it went %.2f m, %d times: %+v", far, len(bends), c)
	}
}

// TestEdgesBesideALine: an edge beside a line that the car sees sends it back a little, and
// the third one without 0.20 m of line between them ends the line.
func TestEdgesBesideALine(t *testing.T) {
	var c Crossing
	for n := int32(1); n <= crossMost; n++ {
		if c.Ended {
			t.Fatalf("ended after %d edges", n-1)
		}
		c.watch(&crossed{dt: 0.01, follows: true, drives: true, brink: true, speed: 0.05})
		for range 200 {
			if c.Back {
				c.watch(&crossed{dt: 0.01, follows: true, drives: true, seen: true, speed: -BackSpeed})
			}
		}
		if c.Back || c.Vain != n {
			t.Fatalf("edge %d: %+v", n, c)
		}
	}
	if !c.Ended {
		t.Errorf("after %d edges: %+v", crossMost, c)
	}
}

// TestCrossingGoesOn: a line that is met is followed as if nothing had been, and the car
// that comes back and does not find it, or is barred, stands.
func TestCrossingGoesOn(t *testing.T) {
	c := Crossing{Vain: 2, Bend: 1}
	for range int(crossOn/0.002) + 1 {
		c.watch(&crossed{dt: 0.01, follows: true, drives: true, seen: true, speed: 0.2})
	}
	if c.Vain != 0 || c.Bend != 0 {
		t.Errorf("on %v m of line it still counts ways: %+v", crossOn, c)
	}
	c = Crossing{Back: true, Out: 0.28}
	for range 400 {
		c.watch(&crossed{dt: 0.01, follows: true, drives: true, speed: -BackSpeed})
	}
	if !c.Ended {
		t.Errorf("back where its line should be, and it is not: %+v", c)
	}
	c = Crossing{Back: true, Out: 0.28}
	for range 1000 { // its reflexes hold it, or people: no time passes
		c.watch(&crossed{dt: 0.01})
		c.watch(&crossed{dt: 0.01, follows: true, drives: true, brink: true})
	}
	if c.Ended || !c.Back || c.Out != 0.28 {
		t.Errorf("held where it was: %+v", c)
	}
	for range int(crossStill/0.01) + 1 {
		c.watch(&crossed{dt: 0.01, follows: true, drives: true})
	}
	if !c.Ended {
		t.Errorf("barred on its way back: %+v", c)
	}
}
