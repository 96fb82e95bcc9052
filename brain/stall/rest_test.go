package stall

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

// TestAfterItMoved: what a swing of the wheels has told is not taken back later.
func TestAfterItMoved(t *testing.T) {
	s := Watch{mute: 1}
	step := func(front float32, x float32) {
		s.Update(Look{
			Front:   robot.Reading{Value: front, At: time.Duration(1+x) * time.Second, OK: true},
			Ranging: true, Speed: 0.2, Dt: 0.01, At: ground.Pose{X: x},
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

// TestGoesBackToRest: however long strokes to and fro kept the comparison from its
// end, a car that is found to be held is where its ranges stayed.
func TestGoesBackToRest(t *testing.T) {
	const dt, held = 0.005, 100
	var s Watch
	front := float32(0.5)
	for i := 0; i < 2000 && !s.stuck; i++ {
		speed := 0.12
		if i < held {
			front -= float32(speed * dt)
		} else if i < held+600 && i/100%2 == 1 { // 0.06 m to and fro
			speed = -speed
		}
		s.Update(Look{
			Front:   robot.Reading{Value: front, At: time.Duration(i+1) * 5 * time.Millisecond, OK: true},
			Ranging: true, Speed: speed, Yaw: 0.8, Dt: dt, At: ground.Pose{X: float32(i), Heading: float32(i) * dt},
		})
	}
	if !s.stuck {
		t.Fatal("a car that is held was not found to be")
	}
	if late := s.from.X - held; math.Abs(float64(late)) > 40 { // 2 * noise of 0.44 m, driven in 0.15 s
		t.Errorf("it stands where it was %.0f ticks after something held it", late)
	}
}

// TestRecord: a watch goes on from what it saved.
func TestRecord(t *testing.T) {
	var s Watch
	for i := 1; !s.stuck && i < 1000; i++ {
		s.Update(Look{
			Front:   robot.Reading{Value: 0.3, At: time.Duration(i) * 5 * time.Millisecond, OK: true},
			Ranging: true, Speed: -0.2, Dt: 0.005, At: ground.Pose{X: float32(i)},
		})
	}
	var r, again Record
	s.Save(&r)
	var next Watch
	next.Resume(&r)
	if next.Save(&again); again != r || !r.Stuck || r.Rest == (Rest{}) || r.Lost >= 0 {
		t.Errorf("saved %+v, and again %+v", r, again)
	}
	if err := r.Rest.Check(); err != nil {
		t.Error(err)
	}
	if r.Rest.Way = math.NaN(); r.Rest.Check() == nil {
		t.Errorf("%+v is taken", r.Rest)
	}
}
