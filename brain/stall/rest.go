package stall

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// A Rest is the pose since which no range has changed by more than noise, though the wheels
// turn. A way of which the car is found to have been held began where its rest did: while
// it tries strokes to and fro, which are too short to tell, the dead reckoning turns on
// although the car does not.
type Rest struct {
	Known  bool
	At     ground.Pose               // of the rear axle
	Front  float32                   // m, range ahead then
	Beside [robot.NumSectors]float32 // m, the other beams' then; 0 for none
	Way    float64                   // m that the wheels turned since
}

// restWay is as far as a car may drive with its ranges unchanged and still know where it is.
const restWay = 0.1 // m

// restMost is the most that a range may change meanwhile: true motion by less is taken back.
const restMost = 0.06 // m

// held reports whether the wheels turn and no range shows it: what the beams hear then says
// nothing of where the car has got to.
func (t *Rest) held() bool { return t.Known && t.Way > restWay }

// watch goes on with a rest, or begins another where a range is not what it was. Anew
// says that what was before does not count.
func (t *Rest) watch(r *Look, anew bool) {
	if anew {
		t.Known = false
	}
	t.Way += math.Abs(float64(r.Speed * r.Dt))
	if !r.Ranging {
		return
	}
	same := t.Known && alike(t.Front, r.Front.Value)
	for i := range t.Beside {
		if t.Beside[i] == 0 {
			t.Beside[i] = r.Beside[i]
		}
		same = same && (r.Beside[i] == 0 || alike(t.Beside[i], r.Beside[i]))
	}
	if !same {
		*t = Rest{Known: true, At: r.At, Front: r.Front.Value, Beside: r.Beside}
	}
}

// alike reports whether two ranges differ by no more than noise.
func alike(a, b float32) bool {
	return math.Abs(float64(a-b)) <= math.Min(float64(2*noise*float64(a)), restMost)
}

// check returns why no car can have rested so, or nil.
func (t *Rest) check() error {
	const far, long, turn = 1e4, 1e6, 2 * math.Pi // m, m, rad; NaN fails
	ok := t.Front >= 0 && t.Front <= far && t.Way >= 0 && t.Way <= long && math.Abs(float64(t.At.Heading)) <= turn
	for _, r := range &t.Beside {
		ok = ok && r >= 0 && r <= far
	}
	for _, v := range [2]float32{t.At.X, t.At.Y} {
		ok = ok && v >= -long && v <= long
	}
	if !ok {
		return fmt.Errorf("it rests at %v with %v m ahead and %v m beside for %v m, which no car does", t.At, t.Front, t.Beside, t.Way)
	}
	return nil
}
