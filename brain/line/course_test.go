package line_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/line"
)

// TestGapGoesOnAsTheLineBent: across a gap of 0.2 m the course of the line goes on as it
// bent, at full speed, at every speed and period, and whoever is pushed off it is drawn
// back.
func TestGapGoesOnAsTheLineBent(t *testing.T) {
	for _, period := range []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond} {
		for _, v := range []float64{0.1, 0.2, 0.3} {
			for _, bend := range []float64{-2.2, 0, 2.2} {
				b := newBar(period, v)
				b.drive(1.5, bend, true, nil)
				b.drive(0.2, bend, false, func(at float64) {
					_, weight := b.l.Pull()
					if r := b.kept(); math.Abs(r.Course.Aside) > 0.02 || weight != 1 || b.l.Slow() != 1 || r.Lost != 0 {
						t.Fatalf("%v, %v m/s, bend %v, %.3f m into the gap: %+v", period, v, bend, at, r)
					}
				})
				b = newBar(period, v)
				b.drive(1.5, bend, true, nil)
				b.drive(0.2, 0, false, nil)
				want := bend * (0.2*0.2/2 + 0.2*ground.BarAhead) // the bar is ahead of the axle
				if got := b.kept().Course.Aside; math.Abs(got-want) > 0.035 || bend*b.bearing() < 0 {
					t.Errorf("%v, %v m/s, bend %v, driven straight across: the line is %.3f m aside, want %.3f, bearing %.2f", period, v, bend, got, want, b.bearing())
				}
			}
		}
	}
}

// TestGapEnds: beyond a gap the line is searched for on either side, more slowly, and
// given up.
func TestGapEnds(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.drive(1.5, 2.2, true, nil)
	b.drive(bridge, 2.2, false, nil)
	sides := map[bool]float64{}
	b.drive(0.3, 2.2, false, func(at float64) { sides[b.bearing() > 0] = at })
	if sides[true] < abreast || sides[false] < 0.29 || sides[true] > sides[false] || b.l.Slow() == 1 {
		t.Errorf("searched on the inner side until %.2f m and on the outer one until %.2f m, speed %.1f", sides[true], sides[false], b.l.Slow())
	}
	for b.kept().Lost <= forgetAfter {
		b.drive(0.01, 0, false, nil)
	}
	if b.l.Following() || !b.l.Forgotten() || b.kept().Course != (line.Course{}) {
		t.Errorf("it never ends: %+v", b.l)
	}
}

// TestLineMetAside: what is half seen at the bar's end beyond a gap may be a dash that begins
// under the outer sensor, and says little of where the line runs; one that leaves the bar there,
// and was never under the sensor, is searched for on that side.
func TestLineMetAside(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.drive(1.5, 0, true, nil)
	b.drive(0.18, 0, false, nil)
	b.see(0.23, 0.3, 0.3, b.v, 0)
	if c := b.kept().Course; math.Abs(c.Aside) > 0.005 || math.Abs(c.Slant) > 0.05 || b.kept().Left {
		t.Errorf("half seen to the left after 0.18 m: %+v, left %v", c, b.kept().Left)
	}
	if b.drive(0.01, 0, false, nil); float32(b.bearing()) != search {
		t.Errorf("it is searched for at %.2f rad, want %.2f", b.bearing(), search)
	}
}

// TestCourseStaysWithinBounds: where the car circles without its line, forwards or, which
// no search ends, backwards, its course stays one that a brain can be restored with, and
// the next line counts as ever.
func TestCourseStaysWithinBounds(t *testing.T) {
	for _, v := range []float64{-0.3, 0.3} {
		for _, bend := range []float64{-6.1, 6.1} {
			b := newBar(5*time.Millisecond, 0.2)
			b.drive(0.5, 0, true, nil)
			for range 60000 { // 5 minutes
				b.see(0.3, 0.3, 0.3, v, v*bend)
				r := b.kept()
				if err := r.Check(); err != nil {
					t.Fatalf("%v m/s, bend %v: %v", v, bend, err)
				}
			}
			b.see(0.3, 0.09, 0.3, 0.2, 0)
			if c := b.kept().Course; !(math.Abs(c.Aside) <= underOne) {
				t.Errorf("%v m/s, bend %v: met under the middle sensor, %+v", v, bend, c)
			}
		}
	}
}

// TestLineNearEdges: where cliffs are detected, what is below an edge's reference is no
// line; beyond a gap it is neither searched for nor forgotten.
func TestLineNearEdges(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.k.Edges = true
	for i := range b.k.Ledge {
		b.k.Ledge[i] = 0.05
	}
	b.drive(1.5, 2, true, nil)
	if !b.l.Following() || b.l.Confidence() != 1 {
		t.Fatalf("a line above the reference is not followed: %+v", b.l)
	}
	b.drive(0.28, 2, false, nil)
	if want := math.Max(-1, math.Min(b.kept().Course.Aside/outermost, 1)) * gain; math.Abs(b.bearing()-want) > 1e-6 {
		t.Errorf("beyond the gap the bearing is %.3f, want the course's %.3f", b.bearing(), want)
	}
	b.drive(3, 0, false, nil)
	if !b.l.Following() {
		t.Errorf("forgotten %.1f s after its end, before a way led back", b.kept().Lost)
	}
	r := b.kept()
	r.Crossing.Ended = true
	b.l.Resume(&r)
	if b.drive(0.01, 0, false, nil); b.l.Following() {
		t.Error("a line that has ended is followed")
	}
	b = newBar(5*time.Millisecond, 0.2)
	b.k.Edges, b.k.Ledge[0] = true, 0.05
	for range 10 {
		b.see(0, 0, 0, 0.2, 0)
	}
	if b.kept().Found || b.l.Confidence() != 0 {
		t.Errorf("nothing below the bar counts as a line: %+v", b.l)
	}
}

// TestNoiseIsNoLine: what the floor's noise adds up to on three sensors is no line that is
// met; of one that is followed as little is enough.
func TestNoiseIsNoLine(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	light, dark := b.k.Light[0], b.k.Dark[0]
	speck := light - 0.2*(light-dark) // confidence 0.14
	see := func() { b.see(speck, light, light, 0.2, 0) }
	if see(); b.kept().Found {
		t.Error("a speck is the first line")
	}
	b.drive(0.5, 0, true, nil)
	b.drive(0.1, 0, false, nil)
	if see(); b.l.Confidence() != 0 || b.kept().Left {
		t.Errorf("a speck in a gap is a line: %+v", b.l)
	}
	b.drive(0.5, 0, true, nil)
	if see(); b.l.Confidence() == 0 {
		t.Error("the rim of a line that is followed counts for nothing")
	}
}

// TestWayBackIsWay: whoever is driven back off a line has left it by as much.
func TestWayBackIsWay(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.drive(1, 0, true, nil)
	for range 400 {
		b.see(0.3, 0.3, 0.3, -0.2, 0)
	}
	if b.l.Leads() || b.kept().Gap < 0.39 {
		t.Errorf("0.4 m back the car still bridges: gap %.2f m", b.kept().Gap)
	}
}
