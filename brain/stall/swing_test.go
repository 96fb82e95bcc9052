package stall_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/stall"
)

// swings reports whether the wheels swing.
func swings(s *stall.Watch) bool {
	var r stall.Record
	s.Save(&r)
	return r.ProbeLeft > 0
}

// swinging is a car that drives along a corridor until it swings its wheels, with the
// ride that goes on.
func swinging(t *testing.T, front float32, sides bool) (*stall.Watch, *stall.Look) {
	t.Helper()
	s := new(stall.Watch)
	r := &stall.Look{Ranging: true, Sides: sides, Speed: 0.3, Dt: 0.02, Free: true}
	r.Front.Value = front
	for i := range 200 {
		r.Front.At = time.Duration(i+1) * 20 * time.Millisecond
		if sides { // one of its other beams says that it moves, and that is not enough
			r.Beside[1] = 1.5 - float32(i)*0.006
		}
		if s.Update(r); swings(s) {
			return s, r
		}
		if s.Held() {
			t.Fatalf("held without a swing, %v m before a wall", front)
		}
	}
	t.Fatalf("no swing, %v m before a wall", front)
	return nil, nil
}

// TestSwingEndsWhenTold: the range that changes with the nose ends a swing at once where
// beams look to the sides, also near a wall; a car with one beam waits whether it comes
// back, and one whose ranges stay is held.
func TestSwingEndsWhenTold(t *testing.T) {
	for _, tt := range []struct {
		name        string
		front       float32
		sides       bool
		turns, held bool
	}{
		{"five beams, far", 1.2, true, true, false},
		{"five beams, near", 0.6, true, true, false},
		{"five beams, held", 0.6, true, false, true},
		{"one beam, far", 1.2, false, true, false},
	} {
		s, r := swinging(t, tt.front, tt.sides)
		var swung float64
		for ; swings(s) && swung < 2; swung += r.Dt {
			if tt.turns {
				r.Front.Value = tt.front * float32(1+0.3*math.Sin(math.Pi*swung)) // and comes back
			}
			r.Front.At += 20 * time.Millisecond
			s.Update(r)
		}
		if ends := tt.sides && tt.turns; ends != (swung < 0.3) || swung > 1.1 {
			t.Errorf("%s: the swing takes %.2f s", tt.name, swung)
		}
		if s.Held() != tt.held {
			t.Errorf("%s: held %v, want %v", tt.name, s.Held(), tt.held)
		}
	}
}
