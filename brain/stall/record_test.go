package stall_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/stall"
	"fieldbrain/robot"
)

// TestAfterItMoved: what a swing of the wheels has told is not taken back later.
func TestAfterItMoved(t *testing.T) {
	var s stall.Watch
	s.Resume(&stall.Record{Mute: 1})
	step := func(front float32, x float32) {
		s.Update(&stall.Look{
			Front:   robot.Reading{Value: front, At: time.Duration(1+x) * time.Second, OK: true},
			Ranging: true, Speed: 0.2, Dt: 0.01, At: ground.Pose{X: x},
		})
	}
	for i := range 500 { // a corridor's end, far away, in a range that stays
		step(0.5, float32(i))
		if s.Held() {
			if from, _ := s.From(); from.X < 95 { // mute for 100 ticks
				t.Errorf("taken back to tick %.0f, when the car was known to move", from.X)
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
	var s stall.Watch
	front := float32(0.5)
	for i := 0; i < 2000 && !s.Held(); i++ {
		speed := 0.12
		if i < held {
			front -= float32(speed * dt)
		} else if i < held+600 && i/100%2 == 1 { // 0.06 m to and fro
			speed = -speed
		}
		s.Update(&stall.Look{
			Front:   robot.Reading{Value: front, At: time.Duration(i+1) * 5 * time.Millisecond, OK: true},
			Ranging: true, Speed: speed, Yaw: 0.8, Dt: dt, At: ground.Pose{X: float32(i), Heading: float32(i) * dt},
		})
	}
	if !s.Held() {
		t.Fatal("a car that is held was not found to be")
	}
	from, _ := s.From()
	if late := from.X - held; math.Abs(float64(late)) > 40 { // 2 * noise of 0.44 m, driven in 0.15 s
		t.Errorf("it stands where it was %.0f ticks after something held it", late)
	}
}

// TestRecord: a watch goes on from what it saved.
func TestRecord(t *testing.T) {
	var s stall.Watch
	for i := 1; !s.Held() && i < 1000; i++ {
		s.Update(&stall.Look{
			Front:   robot.Reading{Value: 0.3, At: time.Duration(i) * 5 * time.Millisecond, OK: true},
			Ranging: true, Speed: -0.2, Dt: 0.005, At: ground.Pose{X: float32(i)},
		})
	}
	var r, again stall.Record
	s.Save(&r)
	var next stall.Watch
	next.Resume(&r)
	if next.Save(&again); again != r || !r.Stuck || r.Rest == (stall.Rest{}) || r.Lost >= 0 {
		t.Errorf("saved %+v, and again %+v", r, again)
	}
	if err := r.Check(); err != nil {
		t.Error(err)
	}
}

// TestImpossibleRecords: no watch resumes what none can have.
func TestImpossibleRecords(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, spoil := range map[string]func(r *stall.Record){
		"way":                  func(r *stall.Record) { r.Driven = nan },
		"range":                func(r *stall.Record) { r.Was = -1 },
		"range beside":         func(r *stall.Record) { r.Beside[robot.Rear] = float32(nan) },
		"ways":                 func(r *stall.Record) { r.Vain = 99 },
		"less than no ways":    func(r *stall.Record) { r.Vain = -1 },
		"turn":                 func(r *stall.Record) { r.Turned = -1 },
		"swing":                func(r *stall.Record) { r.ProbeLeft = inf },
		"range at the swing":   func(r *stall.Record) { r.ProbeFirst = -1 },
		"change in the swing":  func(r *stall.Record) { r.ProbeMost = nan },
		"pause":                func(r *stall.Record) { r.Mute = -1 },
		"way in vain":          func(r *stall.Record) { r.Lost = inf },
		"way in vain, line":    func(r *stall.Record) { r.Held = -1 },
		"where it began":       func(r *stall.Record) { r.Begun.X = float32(inf) },
		"how it headed":        func(r *stall.Record) { r.Begun.Heading = 7 },
		"where the first was":  func(r *stall.Record) { r.From.Y = float32(nan) },
		"how it headed, first": func(r *stall.Record) { r.From.Heading = -7 },
		"contact":              func(r *stall.Record) { r.Touch = nan },
		"rest's way":           func(r *stall.Record) { r.Rest.Way = nan },
		"rest's heading":       func(r *stall.Record) { r.Rest.At.Heading = 7 },
		"rest's range":         func(r *stall.Record) { r.Rest.Front = -1 },
		"rest's range beside":  func(r *stall.Record) { r.Rest.Beside[robot.Left30] = -1 },
	} {
		var bad stall.Record
		if spoil(&bad); bad.Check() == nil {
			t.Errorf("%s: %+v is taken", name, bad)
		}
	}
}
