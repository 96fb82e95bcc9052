package stall

import (
	"testing"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// pinged is a tick of a car with one beam.
func pinged(i int, front float32, speed float64) *Look {
	return &Look{
		Front: robot.Reading{Value: front, At: time.Duration(i+1) * 20 * time.Millisecond, OK: true}, Ranging: true,
		Speed: speed, Dt: 0.02, At: ground.Pose{X: float32(i)},
	}
}

// TestContactStays: a contact stays one ahead, where it was found, although the next way in vain
// has begun, one of the recoil from it.
func TestContactStays(t *testing.T) {
	var s Watch
	i := 0
	for ; i < 200 && !s.Held(); i++ {
		s.Update(pinged(i, 0.4, 0.3))
	}
	from, lost := s.From()
	if !s.Held() || lost <= 0 {
		t.Fatalf("held %v after %.2f m in vain", s.Held(), lost)
	}
	s.TakenBack()
	for end := i + 30; i < end; i++ { // its wheels turn back, and have not got anywhere yet
		s.Update(pinged(i, 0.4, -0.2))
	}
	if _, lost := s.From(); lost >= 0 {
		t.Fatalf("%.2f m in vain, want some back", lost)
	}
	if at, behind := s.Contact(); at != from || behind {
		t.Errorf("the contact went from %v to %v, behind %v", from, at, behind)
	}
}

// TestRangeThatJumpsBack: with one beam a range that ends each way as it began it, and did not stay
// the same meanwhile, is none of a car that is held: between posts it jumps back to the next.
func TestRangeThatJumpsBack(t *testing.T) {
	for _, tt := range []struct {
		name  string
		falls float32 // m a tick, until the way ends and it jumps back
		noise float32 // share of the range
		drive int     // ticks in which it comes there
		sides bool
		want  bool
	}{
		{"between posts", 0.0036, 0, 0, false, false},
		{"between posts, five beams", 0.0036, 0, 0, true, true}, // they ask the others
		{"held, with noise", 0, 0.012, 0, false, true},
		{"held, where it has driven to", 0, 0.012, 100, false, true},
	} {
		var s Watch
		found := false
		for i := range tt.drive + 100 {
			r := 0.6 - tt.falls*float32(i%14) + 0.006*float32(max(0, tt.drive-i))
			look := pinged(i, r*(1+tt.noise*float32(i%3-1)), 0.3)
			look.Sides = tt.sides
			s.Update(look)
			found = found || s.Held()
		}
		if found != tt.want {
			t.Errorf("%s: held %v, want %v", tt.name, found, tt.want)
		}
	}
}

// TestSteady: one echo that is far off to either side is an echo that took a detour.
func TestSteady(t *testing.T) {
	for _, tt := range []struct {
		ranges []float32
		want   bool
	}{
		{[]float32{1, 0.5, 1.01, 1.5, 0.99, 1}, true},
		{[]float32{1, 0.5, 1.01, 0.5, 0.99, 1}, false},
		{[]float32{1, 1.5, 1.01, 1.5, 0.99, 1}, false},
		{[]float32{1, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94}, false},
		{[]float32{1, 0.5, 1.5}, true}, // too few
	} {
		var h steady
		for i, r := range tt.ranges {
			for range 3 { // ticks
				h.hear(pinged(i, r, 0).Front)
			}
		}
		if h.stays() != tt.want {
			t.Errorf("%v stay the same: %v", tt.ranges, h.stays())
		}
	}
}
