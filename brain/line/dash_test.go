package line_test

import (
	"math"
	"testing"
	"time"
)

// dash drives over way m of tape, which begins and ends across the bar's way, under the left
// sensor alone or under it and the middle one: the darkness comes and goes within a spot of 6 mm.
func (b *bar) dash(way float64, middle bool) {
	step := b.v * b.k.Dt
	for at := step / 2; at < way+0.006; at += step {
		dark := math.Min(1, math.Min(at, way+0.006-at)/0.006)
		light := func(share float64) float32 { return float32(0.3 - float64(0.21*share)) }
		m := 0.0
		if middle {
			m = dark
		}
		b.see(light(dark), light(m), 0.3, b.v, 0)
	}
}

// TestDashes: a dash that begins and ends under an outer sensor lies there, not beyond it, and its
// end is a gap, neither a line that slid out nor a corner; the line goes on as it went.
func TestDashes(t *testing.T) {
	for _, period := range []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond} {
		for _, v := range []float64{0.1, 0.2, 0.3} {
			for _, middle := range []bool{false, true} {
				if v*period.Seconds() > 0.005 { // m: a reading in so many is too few to tell
					continue
				}
				for _, way := range []float64{0.05, 0.09, 0.12} {
					b := newBar(period, v)
					b.drive(0.5, 0, true, nil)
					b.drive(way, 0, false, nil)
					b.dash(way, middle)
					b.drive(0.01, 0, false, nil)
					r := b.kept()
					if r.Left || r.Corner.Round != 0 || r.Lost != 0 || b.l.Slow() != 1 {
						t.Errorf("%v, %v m/s, %v m, under the middle sensor too %v: left %v, corner %v, %+v", period, v, way, middle, r.Left, r.Corner.Round, r.Course)
					}
				}
			}
		}
	}
}

// TestDashBesideTheBar: one that is only half seen, and never under the outer sensor, runs beside
// the bar: it is searched for there.
func TestDashBesideTheBar(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	b.drive(0.5, 0, true, nil)
	b.drive(0.1, 0, false, nil)
	b.over(0.005, 0.4, 0, false)
	if b.drive(0.01, 0, false, nil); !b.kept().Left || float32(b.bearing()) != search {
		t.Errorf("left %v, bearing %.2f, want %.2f", b.kept().Left, b.bearing(), search)
	}
}
