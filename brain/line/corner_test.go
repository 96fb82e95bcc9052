package line_test

import (
	"math"
	"testing"
	"time"
)

// over drives the bar way m over what its left and right sensor are so dark on, the middle one
// over tape where it says so.
func (b *bar) over(way, left, right float64, middle bool) {
	light, dark := float64(b.k.Light[0]), float64(b.k.Dark[0])
	grey := func(w float64) float32 { return float32(light - float64(w*(light-dark))) }
	m := 0.0
	if middle {
		m = 1
	}
	step := b.v * b.k.Dt
	for at := step / 2; at < way; at += step {
		b.see(grey(left), grey(m), grey(right), b.v, 0)
	}
}

// TestCorner: a line that ends behind a leg to one side is searched for there at once and
// without slowing down, and on the other side where the leg is met and not kept. What runs
// along the car, comes in aslant, leads on or lies square across its end is no corner.
func TestCorner(t *testing.T) {
	for _, side := range []float64{1, -1} {
		leg := func(b *bar, way, dark float64) {
			b.over(way, dark*math.Max(side, 0), dark*math.Max(-side, 0), true)
		}
		for _, tt := range []struct {
			name  string
			drive func(*bar)
			want  float64
		}{
			{"a right angle", func(b *bar) { leg(b, 0.022, 1) }, side},
			{"behind a weave", func(b *bar) { leg(b, 0.2, 0.6); leg(b, 0.022, 1) }, side},
			{"120 degrees", func(b *bar) { leg(b, 0.025, 1); leg(b, 0.012, 0) }, side},
			{"60 degrees", func(b *bar) { leg(b, 0.012, 1) }, side},
			{"the tape's outer corner", func(b *bar) { leg(b, 0.014, 1); b.over(0.010, 1, 1, true) }, side},
			{"a gap", func(b *bar) {}, 0},
			{"aslant", func(b *bar) { leg(b, 0.006, 0.8); leg(b, 0.017, 1) }, 0},
			{"a glance", func(b *bar) { leg(b, 0.004, 1) }, 0},
			{"along the car", func(b *bar) { leg(b, 0.2, 1) }, 0},
			{"a branch before a gap", func(b *bar) { leg(b, 0.022, 1); leg(b, 0.05, 0) }, 0},
			{"square across", func(b *bar) { b.over(0.022, 1, 1, true) }, 0},
		} {
			b := newBar(5*time.Millisecond, 0.2)
			b.drive(0.5, 0, true, nil)
			tt.drive(b)
			b.over(0.05, 0, 0, false)
			if got := math.Copysign(1, b.bearing()); tt.want != 0 && (!b.kept().Left || got != tt.want || b.l.Slow() != 1) || tt.want == 0 && b.kept().Left {
				t.Errorf("%s: left %v, bearing %.2f, speed %.1f, want side %v", tt.name, b.kept().Left, b.bearing(), b.l.Slow(), tt.want)
			}
			if tt.want == 0 {
				continue
			}
			b.over(0.3, 0, 0, false)
			leg(b, 0.04, 0)
			if b.over(0.05, 0, 0, false); b.bearing()*side >= 0 || !b.kept().Left {
				t.Errorf("%s, the leg is met and not kept: bearing %.2f", tt.name, b.bearing())
			}
		}
	}
}

// TestCornerNearEdges: where there may be edges a line's end stays what it was.
func TestCornerNearEdges(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.k.Edges = true
	for i := range b.k.Ledge {
		b.k.Ledge[i] = 0.05
	}
	b.drive(0.5, 0, true, nil)
	b.over(0.022, 1, 0, true)
	if b.over(0.05, 0, 0, false); b.kept().Left {
		t.Error("the car leaves its line at full lock")
	}
}
