package kit_test

import (
	"testing"

	"fieldbrain/robot"
	"fieldbrain/robot/kit"
)

// TestPiCarX: the speed is the limit's, and every number has the bits with which brains
// were saved and drives recorded.
func TestPiCarX(t *testing.T) {
	car := kit.PiCarX()
	if float32(car.TopSpeed) != car.Limits.Speed {
		t.Errorf("driven at %v m/s, and no faster than %v m/s", car.TopSpeed, car.Limits.Speed)
	}
	if car.WholeTrack() != 0.117 {
		t.Errorf("track %v m", car.WholeTrack())
	}
	light, dark := car.LineReferences()
	for i, edge := range car.CliffReferences() {
		if light[i] != 1200.0/4095 || dark[i] != 400.0/4095 || edge != 500.0/4095 {
			t.Errorf("sensor %d: floor %v, line %v, no floor %v", i, light[i], dark[i], edge)
		}
	}
}

// TestReferences: each sensor has its own.
func TestReferences(t *testing.T) {
	car := kit.PiCarX()
	car.Line, car.Cliff = [robot.NumFloor]int{1000, 2000, 3000}, [robot.NumFloor]int{0, 819, kit.FloorScale}
	light, dark := car.LineReferences()
	for i, counts := range car.Line {
		if want := float32(12*counts/10) / 4095; light[i] != want {
			t.Errorf("sensor %d: %v beside the line, want %v", i, light[i], want)
		}
		if want := float32(4*counts/10) / 4095; dark[i] != want {
			t.Errorf("sensor %d: %v on the line, want %v", i, dark[i], want)
		}
	}
	if got, want := car.CliffReferences(), ([robot.NumFloor]float32{0, 0.2, 1}); got != want {
		t.Errorf("%v over no floor, want %v", got, want)
	}
}
