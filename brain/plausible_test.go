package brain

import (
	"testing"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// TestFrozenRangeIsNone: a beam that the reflexes found frozen must neither clear
// the ground nor hold what is gone; for the one ahead they stop the car.
func TestFrozenRangeIsNone(t *testing.T) {
	p := safety.Default()
	var s robot.State
	for i := range s.Range {
		s.Range[i] = robot.Reading{Value: 0.5, At: 1, OK: true}
	}
	discard(&s, &p, [robot.NumSectors]bool{robot.Front: true, robot.Left60: true})
	for i := range s.Range {
		if want := i != robot.Left60; s.Range[i].OK != want {
			t.Errorf("sector %d: OK %v, want %v", i, s.Range[i].OK, want)
		}
	}
}
