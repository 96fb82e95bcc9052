package stall

import (
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// TestRestBegins: strokes to and fro of a car that is held turn its reckoned heading; where
// it stands is where its ranges were the same first.
func TestRestBegins(t *testing.T) {
	var r Rest
	pose := func(h float32) ground.Pose { return ground.Pose{Heading: h} }
	ride1 := func(front float32, h float32, ranging bool) *Look {
		return &Look{Front: robot.Reading{Value: front}, Ranging: ranging, At: pose(h)}
	}
	r.watch(ride1(1.5, 0, true), false)
	r.watch(ride1(1.3, 0.2, true), false) // it drove
	for i := range 50 {
		r.watch(ride1(1.3+0.02*float32(i%3-1), 0.3+0.02*float32(i), i%4 != 0), false)
	}
	if r.At != pose(0.2) {
		t.Errorf("the rest began at %v, want where the range stayed", r.At)
	}
	beside := ride1(1.3, 2, true)
	beside.Beside[1] = 0.8
	r.watch(beside, true)
	beside.Beside[1], beside.At = 0.6, pose(3)
	r.watch(beside, false)
	if r.At != pose(3) {
		t.Error("a beam to the side changed and the car rests")
	}
	r.watch(ride1(0, 4, false), true)
	if r.Known {
		t.Error("it rests although nothing is heard")
	}
	late := ride1(1.3, 5, true)
	r.watch(late, true)
	for _, side := range []float32{2, 1} { // heard later than the one ahead
		late.Beside[1], late.At = side, pose(6)
		r.watch(late, false)
	}
	if r.At != pose(6) {
		t.Error("a beam that was silent at first changed and the car rests")
	}
	r.watch(&Look{Ranging: true, Front: robot.Reading{Value: 4}, Dt: 1, Speed: -0.2}, true)
	if r.held() {
		t.Error("a new rest is held")
	}
	r.watch(&Look{Ranging: true, Front: robot.Reading{Value: 4.05}, Dt: 1, Speed: -0.2}, false)
	if !r.held() {
		t.Error("0.2 m back with the same range ahead, and nothing holds it")
	}
	if r.watch(&Look{Ranging: true, Front: robot.Reading{Value: 4.1}, At: pose(7)}, false); r.At != pose(7) {
		t.Error("0.1 m of 4 m passed for noise")
	}
}
