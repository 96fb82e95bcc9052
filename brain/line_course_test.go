package brain

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/ground"
)

// A bar drives over a line at v m/s with one period of ticks.
type bar struct {
	l line
	p Params
	v float64
}

func newBar(period time.Duration, v float64) *bar {
	b := &bar{p: Default(), v: v}
	b.p.FollowLine = true
	b.p.SetPeriod(period)
	return b
}

// drive goes on by way m in a bend of 1/m, with the line under the middle sensor or under
// none, and looks at each tick.
func (b *bar) drive(way, bend float64, seen bool, look func(at float64)) {
	middle := float32(0.3)
	if seen {
		middle = 0.09
	}
	step := b.v * b.p.Period.Seconds()
	for at := step; at < way; at += step {
		b.l.update(floor(0.3, middle, 0.3, time.Second), &b.p, time.Second, b.v, b.v*bend)
		if look != nil {
			look(at)
		}
	}
}

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
					if l := &b.l; math.Abs(l.course.Aside) > 0.02 || l.weight != 1 || l.slow() != 1 || l.lost != 0 {
						t.Fatalf("%v, %v m/s, bend %v, %.3f m into the gap: %+v", period, v, bend, at, l)
					}
				})
				b = newBar(period, v)
				b.drive(1.5, bend, true, nil)
				b.drive(0.2, 0, false, nil)
				want := bend * (0.2*0.2/2 + 0.2*ground.BarAhead) // the bar is ahead of the axle
				if got := b.l.course.Aside; math.Abs(got-want) > 0.035 || bend*float64(b.l.bearing) < 0 {
					t.Errorf("%v, %v m/s, bend %v, driven straight across: the line is %.3f m aside, want %.3f, bearing %.2f", period, v, bend, got, want, b.l.bearing)
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
	b.drive(lineBridge, 2.2, false, nil)
	sides := map[bool]float64{}
	b.drive(0.3, 2.2, false, func(at float64) { sides[b.l.bearing > 0] = at })
	if sides[true] < lineAbreast || sides[false] < 0.29 || sides[true] > sides[false] || b.l.slow() == 1 {
		t.Errorf("searched on the inner side until %.2f m and on the outer one until %.2f m, speed %.1f", sides[true], sides[false], b.l.slow())
	}
	for b.l.lost <= lineForget {
		b.drive(0.01, 0, false, nil)
	}
	if b.l.following || !b.l.forget || b.l.course != (Course{}) {
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
	b.l.update(floor(0.23, 0.3, 0.3, time.Second), &b.p, time.Second, b.v, 0)
	if c := b.l.course; math.Abs(c.Aside) > 0.005 || math.Abs(c.Slant) > 0.05 || b.l.left {
		t.Errorf("half seen to the left after 0.18 m: %+v, left %v", c, b.l.left)
	}
	if b.drive(0.01, 0, false, nil); b.l.bearing != lineSearch {
		t.Errorf("it is searched for at %.2f rad, want %.2f", b.l.bearing, lineSearch)
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
				b.l.update(floor(0.3, 0.3, 0.3, time.Second), &b.p, time.Second, v, v*bend)
				if err := b.l.course.check(); err != nil {
					t.Fatalf("%v m/s, bend %v: %v", v, bend, err)
				}
			}
			b.l.update(floor(0.3, 0.09, 0.3, time.Second), &b.p, time.Second, 0.2, 0)
			if c := b.l.course; !(math.Abs(c.Aside) <= courseBlind) {
				t.Errorf("%v m/s, bend %v: met under the middle sensor, %+v", v, bend, c)
			}
		}
	}
}

// TestImpossibleCourses: no brain is restored with one.
func TestImpossibleCourses(t *testing.T) {
	good := Course{Aside: 0.01, Slant: -0.2, Bend: 2}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []Course{{Aside: math.NaN()}, {Aside: 3}, {Slant: 1.5}, {Bend: math.Inf(1)}, {Bend: -9}} {
		if bad.check() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// TestLineNearEdges: where cliffs are detected, what is below an edge's reference is no
// line; beyond a gap it is neither searched for nor forgotten.
func TestLineNearEdges(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.p.Safety.Cliff.Enabled = true
	for i := range b.p.Safety.Cliff.Reference {
		b.p.Safety.Cliff.Reference[i] = 0.05
	}
	b.drive(1.5, 2, true, nil)
	if !b.l.following || b.l.confidence != 1 {
		t.Fatalf("a line above the reference is not followed: %+v", b.l)
	}
	b.drive(0.28, 2, false, nil)
	if want := b.l.course.offset(0) * lineGain; math.Abs(float64(b.l.bearing)-want) > 1e-6 {
		t.Errorf("beyond the gap the bearing is %.3f, want the course's %.3f", b.l.bearing, want)
	}
	b.drive(3, 0, false, nil)
	if !b.l.following {
		t.Errorf("forgotten %.1f s after its end, before a way led back", b.l.lost)
	}
	b.l.crossing.Ended = true
	if b.drive(0.01, 0, false, nil); b.l.following {
		t.Error("a line that has ended is followed")
	}
	b = newBar(5*time.Millisecond, 0.2)
	b.p.Safety.Cliff.Enabled, b.p.Safety.Cliff.Reference[0] = true, 0.05
	for range 10 {
		b.l.update(floor(0, 0, 0, time.Second), &b.p, time.Second, 0.2, 0)
	}
	if b.l.found || b.l.confidence != 0 {
		t.Errorf("nothing below the bar counts as a line: %+v", b.l)
	}
}

// TestNoiseIsNoLine: what the floor's noise adds up to on three sensors is no line that is
// met; of one that is followed as little is enough.
func TestNoiseIsNoLine(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	light, dark := b.p.LineLight[0], b.p.LineDark[0]
	speck := light - 0.2*(light-dark) // confidence 0.14
	see := func() { b.l.update(floor(speck, light, light, time.Second), &b.p, time.Second, 0.2, 0) }
	if see(); b.l.found {
		t.Error("a speck is the first line")
	}
	b.drive(0.5, 0, true, nil)
	b.drive(0.1, 0, false, nil)
	if see(); b.l.confidence != 0 || b.l.left {
		t.Errorf("a speck in a gap is a line: %+v", b.l)
	}
	b.drive(0.5, 0, true, nil)
	if see(); b.l.confidence == 0 {
		t.Error("the rim of a line that is followed counts for nothing")
	}
}

// TestWayBackIsWay: whoever is driven back off a line has left it by as much.
func TestWayBackIsWay(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.drive(1, 0, true, nil)
	for range 400 {
		b.l.update(floor(0.3, 0.3, 0.3, time.Second), &b.p, time.Second, -0.2, 0)
	}
	if b.l.bridging() || b.l.gap < 0.39 {
		t.Errorf("0.4 m back the car still bridges: gap %.2f m", b.l.gap)
	}
}
