package progress

import (
	"math"
	"testing"
)

// around goes along a closed polygon.
func around(corners ...[2]float64) course {
	return func(s float64) (x, y float64) {
		for i := 0; ; i++ {
			a, b := corners[i%len(corners)], corners[(i+1)%len(corners)]
			d := math.Hypot(b[0]-a[0], b[1]-a[1])
			if s <= d {
				return a[0] + (b[0]-a[0])*s/d, a[1] + (b[1]-a[1])*s/d
			}
			s -= d
		}
	}
}

// TestLaps: a closed way of any form is to be left before it was driven twice.
func TestLaps(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    course
		lap  float64 // m
	}{
		{"square of 1.5 m", around([2]float64{0, 0}, [2]float64{1.5, 0}, [2]float64{1.5, 1.5}, [2]float64{0, 1.5}), 6},
		{"triangle", around([2]float64{0, 0}, [2]float64{3, 0}, [2]float64{1.5, 2.5}), 8.8},
		{"oblong", around([2]float64{0, 0}, [2]float64{4, 0}, [2]float64{4, 1}, [2]float64{0, 1}), 10},
		{"eight", around([2]float64{0, 0}, [2]float64{2, 2}, [2]float64{0, 2}, [2]float64{2, 0}), 9.7},
		{"to and fro", toAndFro(3.2), 6.4},
		{"circle of 1.3 m", circle(1.3), 8.2},
	} {
		for _, drift := range []float64{0, 0.01} { // m a metre
			d := newDriver()
			d.drive(func(s float64) (x, y float64) {
				x, y = tt.c(s)
				return x + drift*s, y + 0.02*math.Sin(3*s)
			}, 2*tt.lap/cruise, Look{Quest: Explore})
			if first := d.first * cruise; d.leaves == 0 || first < 1.2*tt.lap || first > 1.9*tt.lap {
				t.Errorf("%s, %v m of drift a metre: to be left %d times, first after %.1f m; a lap is %.1f m", tt.name, drift, d.leaves, first, tt.lap)
			}
		}
	}
}

// TestWaysAreNoLaps: the way out of a dead end is the way in, and a comb's ways have
// something in common; nobody is sent away there.
func TestWaysAreNoLaps(t *testing.T) {
	for name, c := range map[string]course{
		"dead end": around([2]float64{0, 0}, [2]float64{4, 0}, [2]float64{-20, 0}),
		"comb": around([2]float64{0, 0}, [2]float64{0, 2}, [2]float64{0, 0}, [2]float64{1, 0}, [2]float64{1, 2}, [2]float64{1, 0},
			[2]float64{2, 0}, [2]float64{2, 2}, [2]float64{2, 0}, [2]float64{20, 0}),
		"spiral": func(s float64) (x, y float64) {
			r := math.Sqrt(0.2 * s)
			return r * math.Cos(10*r), r * math.Sin(10*r)
		},
		"wandering": wander,
	} {
		d := newDriver()
		d.drive(c, 55, Look{Quest: Explore})
		if d.leaves > 0 {
			t.Errorf("%s: to be left after %.1f m", name, d.first*cruise)
		}
	}
}
