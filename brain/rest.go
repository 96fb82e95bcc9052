package brain

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// A rest is the pose since which no range has changed by more than noise. A car that is
// found to be held stands where its rest began: while it tries strokes to and fro, which
// are too short to tell, the dead reckoning turns on although the car does not.
type rest Rested

// A Rested holds a rest, in State.
type Rested struct {
	Known  bool
	At     ground.Pose
	Front  float32                   // m, range ahead then
	Beside [robot.NumSectors]float32 // m, the other beams' then; 0 for none
}

// watch goes on with a rest, or begins another where a range is not what it was. Anew
// says that what was before does not count.
func (t *rest) watch(r *ride, anew bool) {
	if anew {
		t.Known = false
	}
	if !r.ranging {
		return
	}
	same := t.Known && alike(t.Front, r.front.Value)
	for i, was := range &t.Beside {
		same = same && (was == 0 || r.beside[i] == 0 || alike(was, r.beside[i]))
	}
	if !same {
		*t = rest{Known: true, At: r.at, Front: r.front.Value, Beside: r.beside}
	}
}

// alike reports whether two ranges differ by no more than noise.
func alike(a, b float32) bool { return math.Abs(float64(a-b)) <= float64(2*stallNoise*float64(a)) }

// check returns why no car can have rested so, or nil.
func (s *Rested) check() error {
	const far, long = 1e4, 1e6           // m; m and rad
	ok := s.Front >= 0 && s.Front <= far // NaN fails
	for _, r := range &s.Beside {
		ok = ok && r >= 0 && r <= far
	}
	for _, v := range [3]float32{s.At.X, s.At.Y, s.At.Heading} {
		ok = ok && v >= -long && v <= long
	}
	if !ok {
		return fmt.Errorf("brain: restore: it rests at %v with %v m ahead and %v m beside, which no car does", s.At, s.Front, s.Beside)
	}
	return nil
}
