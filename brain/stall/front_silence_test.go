package stall

import (
	"math"
	"testing"

	"fieldbrain/robot"
)

// deafAhead drives a car with five beams, whose beam ahead hears nothing, until it swings
// its wheels, and returns how far it went. Left60 hears a wall beside.
func deafAhead(t *testing.T, s *Watch, r *Look) (way float64) {
	t.Helper()
	for way < 10 {
		if s.Update(r); s.wiggle > 0 {
			return way
		}
		way += float64(r.Speed * r.Dt)
	}
	t.Fatal("no swing in 10 m")
	return 0
}

// TestHeldByWhatNoBeamHears: a car that something silent holds, while another beam hears
// the room and it never changes, swings its wheels within a metre and finds itself held;
// one that drives along a wall finds that it drives, and asks more and more seldom.
func TestHeldByWhatNoBeamHears(t *testing.T) {
	fresh := func() (*Watch, *Look) {
		r := &Look{Sides: true, Speed: 0.35, Dt: 0.02, Free: true}
		r.Beside[robot.Left60] = 1.37
		return new(Watch), r
	}
	s, r := fresh()
	if way := deafAhead(t, s, r); way > 1 {
		t.Errorf("held: it swings after %.2f m", way)
	}
	for s.wiggle > 0 {
		r.Beside[robot.Left60] = float32(1.37 * (1 + 0.03*math.Sin(50*s.wiggle))) // noise
		s.Update(r)
	}
	if !s.stuck {
		t.Error("held: the swing does not find it")
	}
	s, r = fresh()
	last := 0.0
	for i := range 6 {
		way := deafAhead(t, s, r)
		if i > 0 && way < last || way > silenceLongest+0.01 {
			t.Errorf("driving: swing %d after %.2f m, the one before after %.2f; want no less, and %v at most", i, way, last, silenceLongest)
		}
		last = way
		for s.wiggle > 0 {
			r.Beside[robot.Left60] = float32(1.37 * (1 + 0.2*math.Sin(2*math.Pi*(swingTime-s.wiggle)/swingTime)))
			s.Update(r)
		}
		if s.stuck {
			t.Fatalf("driving: found held in swing %d, %+v", i, s.frontSilence)
		}
	}
}

// TestAnyRangeTells: no swing while a range changes as the car drives.
func TestAnyRangeTells(t *testing.T) {
	s, r := new(Watch), &Look{Sides: true, Speed: 0.35, Dt: 0.02, Free: true}
	for i := range 1000 {
		r.Beside[robot.Left60], r.Beside[robot.Right30] = 1.37, 1+float32(math.Abs(math.Mod(float64(i)*0.006, 2)-1))
		if s.Update(r); s.wiggle > 0 || s.stuck {
			t.Fatalf("after %.2f m a car that comes nearer to a wall beside swings %.1f s, stuck %v", float64(i)*0.007, s.wiggle, s.stuck)
		}
	}
}

// TestSilenceIsAskedForEver: where nothing is heard at all a car with five beams asks
// every few metres, however often it has heard nothing.
func TestSilenceIsAskedForEver(t *testing.T) {
	h := silenceCheck{doubts: silenceVain, heard: 1}
	for _, sides := range []bool{true, false} {
		if way := h.limit(sides); way > silenceLongest {
			t.Errorf("sides %v: %.1f m of silence before it asks, want %v at most", sides, way, silenceLongest)
		}
	}
}
