package stall_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/stall"
	"fieldbrain/robot"
)

// TestHeld feeds ranges of a car that drives and of one that leans on a wall.
func TestHeld(t *testing.T) {
	tests := []struct {
		name      string
		start     float32
		shrink    float32 // m per second
		stuck, ok bool
	}{
		{"drives towards a wall", 1.5, 0.2, false, true},
		{"leans on a wall", 0.3, 0, true, true},
		{"range grows in a curve", 0.5, -0.2, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s stall.Watch
			r, touched := tt.start, false
			for i := range 400 {
				r -= tt.shrink * 0.005
				s.Update(&stall.Look{
					Front:   robot.Reading{Value: r, At: time.Duration(i+1) * 5 * time.Millisecond, OK: true},
					Ranging: true, Speed: 0.2, Dt: 0.005,
				})
				touched = touched || s.Touches()
			}
			if touched != tt.stuck {
				t.Errorf("a contact was entered: %v, want %v", touched, tt.stuck)
			}
			if s.Held() != tt.stuck {
				t.Errorf("stuck %v, want %v", s.Held(), tt.stuck)
			}
		})
	}
}

// TestBesideAWall: in a curve along a wall the range ahead hardly changes, and the
// car drives all the same; of a held one nothing changes but the noise.
func TestBesideAWall(t *testing.T) {
	for _, tt := range []struct {
		name          string
		ahead, beside float32 // change of the ranges, as shares of the way
		others        int     // beams to the sides
		noise         float32 // share of a range
		want          bool
	}{
		{"held, one beam", 0, 0, 0, 0.01, true},
		{"held, five beams", 0, 0, 4, 0.01, true},
		{"held, and one beam meets now this and now that", 0, 0.6, 1, 0.01, true},
		{"in a curve, one beam", 0.3, 0, 0, 0, false},
		{"in a curve, five beams", 0, 0.6, 4, 0.01, false},
	} {
		var s stall.Watch
		found := false
		const speed, dt = 0.3, 0.02
		for i := range 100 {
			way := float32(i) * speed * dt
			wobble := 1 + tt.noise*float32(i%3-1)
			r := stall.Look{
				Front:   robot.Reading{Value: (0.6 - tt.ahead*way) * wobble, At: time.Duration(i+1) * 20 * time.Millisecond, OK: true},
				Ranging: true, Sides: tt.others > 0, Speed: speed, Yaw: 1, Dt: dt,
			}
			for n := range tt.others {
				r.Beside[1+n] = (0.5 + tt.beside*float32(math.Abs(float64(way-0.5)))) * wobble
			}
			s.Update(&r)
			found = found || s.Held()
		}
		if found != tt.want {
			t.Errorf("%s: held %v, want %v", tt.name, found, tt.want)
		}
	}
}
