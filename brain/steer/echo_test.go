package steer

import (
	"math"
	"testing"
)

// hears puts somebody 0.2 m thick into what the beams hear: his middle is at a bearing from
// the body's, a gap in m from it. Each beam hears the nearest that is in its cone.
func (s *Situation) hears(l *Law, bearing, gap float64) {
	const thick, cone = 0.10, 12
	far := 0.09 + gap + thick
	x, y := 0.05+far*math.Cos(bearing)-l.body.Lead, far*math.Sin(bearing)
	for i, b := range [Beams]float64{0, 30 * deg, -30 * deg, 60 * deg, -60 * deg} {
		s.Echoes[i] = Echo{Bearing: b, About: true, Known: true}
		for k := -cone; k <= cone; k++ {
			along := x*math.Cos(b+float64(k)*deg) + y*math.Sin(b+float64(k)*deg)
			off := math.Sqrt(math.Max(0, x*x+y*y-along*along))
			if r := along - math.Sqrt(math.Max(0, thick*thick-off*off)); along > 0 && off < thick && (s.Echoes[i].Range == 0 || r < s.Echoes[i].Range) {
				s.Echoes[i].Range = r
			}
		}
	}
}

func leading() *Law {
	return New(Body{Wheelbase: 0.094, Track: 0.117, Lock: Lock, Cruise: 0.35, Lead: 0.11}, Default())
}

// TestSpare: an arc ends before the body touches what stands 2 cm beside its front, turned
// away from it or to it; not where that is farther off or only stands there, or where one beam looks ahead.
func TestSpare(t *testing.T) {
	for name, tt := range map[string]struct {
		out, steering float64 // m more, rad
		one, stands   bool
		least, most   float64
	}{
		"straight at it":         {0, 0, false, false, 0.01, 0.03},
		"to its side":            {0, Lock, false, false, 0.01, 0.03},
		"past it on a tight arc": {0, -Lock, false, false, 0.02, 0.06},
		"farther off":            {0.08, -Lock, false, false, horizon, horizon},
		"one beam":               {0, -Lock, true, false, horizon, horizon},
		"nobody came":            {0, -Lock, false, true, horizon, horizon},
	} {
		l := leading()
		s := here(floor(t, 1))
		s.Sides = !tt.one
		s.hears(l, 35*deg, 0.02+tt.out)
		for i := range s.Echoes {
			s.Echoes[i].About = !tt.stands
		}
		if got := l.spare(s, float64(l.curvature(tt.steering))); got < tt.least || got > tt.most {
			t.Errorf("%s: %.3f m, want %.3f to %.3f", name, got, tt.least, tt.most)
		}
	}
}

// TestBacksOffFromWhoStandsBeforeIt: the car does not grope past somebody who has stopped 2 cm
// from its front, though the map has room there: it goes back first.
func TestBacksOffFromWhoStandsBeforeIt(t *testing.T) {
	for _, side := range []float64{1, -1} {
		l := leading()
		s := here(floor(t, 1.5))
		s.Sides, s.Heading = true, -0.4*side
		s.hears(l, 35*deg*side, 0.017)
		var o Order
		for range 200 {
			s.Wheels = o.Steering
			if o = l.Decide(s); o.Speed != 0 {
				break
			}
		}
		if o.Speed >= 0 {
			t.Errorf("somebody to the %+.0f: %.2f m/s with %.2f rad, want it to back off", side, o.Speed, o.Steering)
		}
	}
}
