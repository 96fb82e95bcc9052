package brain

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// TestRestBegins: strokes to and fro of a car that is held turn its reckoned heading; where
// it stands is where its ranges were the same first.
func TestRestBegins(t *testing.T) {
	var r rest
	pose := func(h float32) ground.Pose { return ground.Pose{Heading: h} }
	ride1 := func(front float32, h float32, ranging bool) *stallInput {
		return &stallInput{front: robot.Reading{Value: front}, ranging: ranging, at: pose(h)}
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
	beside.beside[1] = 0.8
	r.watch(beside, true)
	beside.beside[1], beside.at = 0.6, pose(3)
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
		late.beside[1], late.at = side, pose(6)
		r.watch(late, false)
	}
	if r.At != pose(6) {
		t.Error("a beam that was silent at first changed and the car rests")
	}
	r.watch(&stallInput{ranging: true, front: robot.Reading{Value: 4}, dt: 1, speed: -0.2}, true)
	if r.held() {
		t.Error("a new rest is held")
	}
	r.watch(&stallInput{ranging: true, front: robot.Reading{Value: 4.05}, dt: 1, speed: -0.2}, false)
	if !r.held() {
		t.Error("0.2 m back with the same range ahead, and nothing holds it")
	}
	if r.watch(&stallInput{ranging: true, front: robot.Reading{Value: 4.1}, at: pose(7)}, false); r.At != pose(7) {
		t.Error("0.1 m of 4 m passed for noise")
	}
}

// TestStallAfterItMoved: what a swing of the wheels has told is not taken back later.
func TestStallAfterItMoved(t *testing.T) {
	s := stall{mute: 1}
	step := func(front float32, x float32) {
		s.update(stallInput{
			front:   robot.Reading{Value: front, At: time.Duration(1+x) * time.Second, OK: true},
			ranging: true, speed: 0.2, dt: 0.01, at: ground.Pose{X: x},
		})
	}
	for i := range 500 { // a corridor's end, far away, in a range that stays
		step(0.5, float32(i))
		if s.stuck {
			if s.from.X < 95 { // mute for 100 ticks
				t.Errorf("taken back to tick %.0f, when the car was known to move", s.from.X)
			}
			return
		}
	}
	t.Fatal("never found to be held")
}

// TestStallGoesBackToRest: however long strokes to and fro kept the comparison from its
// end, a car that is found to be held is where its ranges stayed.
func TestStallGoesBackToRest(t *testing.T) {
	const dt, held = 0.005, 100
	var s stall
	front := float32(0.5)
	for i := 0; i < 2000 && !s.stuck; i++ {
		speed := 0.12
		if i < held {
			front -= float32(speed * dt)
		} else if i < held+600 && i/100%2 == 1 { // 0.06 m to and fro
			speed = -speed
		}
		s.update(stallInput{
			front:   robot.Reading{Value: front, At: time.Duration(i+1) * 5 * time.Millisecond, OK: true},
			ranging: true, speed: speed, yaw: 0.8, dt: dt, at: ground.Pose{X: float32(i), Heading: float32(i) * dt},
		})
	}
	if !s.stuck {
		t.Fatal("a car that is held was not found to be")
	}
	if late := s.from.X - held; math.Abs(float64(late)) > 40 { // 2 * stallNoise of 0.44 m, driven in 0.15 s
		t.Errorf("it stands where it was %.0f ticks after something held it", late)
	}
}
