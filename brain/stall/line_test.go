package stall_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/stall"
)

// TestHeldOnALine: on a line a car whose ranges stay is held after some way, however they are
// noisy and whoever walks before it now and then, and is where the first way in vain began; one
// that moves is not, nor one whose range ahead stays in a bend beside a wall.
func TestHeldOnALine(t *testing.T) {
	const dt = 0.02
	for _, tt := range []struct {
		name  string
		sides bool
		front func(way float64, k int) float64 // m
		most  float64                          // m of way by which it is held; 0 for never
	}{
		{"five beams, held", true, func(_ float64, k int) float64 { return 1.4 + float64(0.02*float64(k%3-1)) }, 1.0},
		{"one beam, held", false, func(_ float64, k int) float64 { return 1.4 + float64(0.02*float64(k%3-1)) }, 1.5},
		{"held, somebody walks by", true, func(way float64, _ int) float64 {
			if math.Mod(way, 1.2) < 0.2 {
				return 0.5
			}
			return 1.4
		}, 3},
		{"drives to a wall", false, func(way float64, _ int) float64 { return math.Max(0.1, 3.5-way) }, 0},
		{"a bend beside a wall", false, func(way float64, _ int) float64 { return 1.6 + float64(0.7*(way-1)*(way-1)) }, 0},
	} {
		s, way := new(stall.Watch), 0.0
		r := stall.Look{Ranging: true, Sides: tt.sides, Speed: 0.28, Dt: dt, Free: true, Line: true}
		for k := 0; way < 3.3 && !s.Held(); k++ {
			way += float64(r.Speed * dt)
			r.At = ground.Pose{X: float32(way)}
			if k%2 == 0 {
				r.Front.Value, r.Front.At = float32(tt.front(way, k/2)), time.Duration(k+1)*20*time.Millisecond
			}
			s.Update(&r)
			if swings(s) {
				t.Fatalf("%s: it swings its wheels", tt.name)
			}
		}
		from, lost := s.From()
		switch {
		case s.Held() != (tt.most > 0), tt.most > 0 && way > tt.most:
			t.Errorf("%s: held %v after %.2f m, want it within %v m", tt.name, s.Held(), way, tt.most)
		case s.Held() && math.Abs(float64(from.X)+lost-way) > 0.3:
			t.Errorf("%s: held at %.2f m, %.2f m were lost of %.2f m", tt.name, from.X, lost, way)
		}
	}
}
