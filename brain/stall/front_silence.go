package stall

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// frontSilenceCheck counts the way on which the beam ahead hears nothing and none to the sides hears
// that the car moves. What sends nothing back, such as cloth or an edge above the beam,
// holds a car whose other beams hear the room: then nothing ahead tells, and it is not
// silent either. Between two walls along the car they tell as little of one that drives:
// a swing of the wheels does.
type frontSilenceCheck struct {
	way    float64                   // m driven ahead since any range changed
	was    [robot.NumSectors]float32 // m, the ranges then; 0 for none
	begun  ground.Pose               // and the pose
	doubts int                       // swings in a row that showed a car that drives
	asks   bool                      // the swing under way is for it
}

// frontSilenceWay is the way before the first swing, in m: twice as much after each that showed
// a car that drives, up to silenceLongest.
const frontSilenceWay = 0.3

// listen counts one tick and reports whether the car should swing its wheels. Deaf says
// that the beam ahead has heard nothing for a while.
func (a *frontSilenceCheck) listen(r *Look, deaf bool) bool {
	if a.asks {
		return false
	}
	if !r.Sides || r.Excused || r.Line || r.Speed < 0 {
		*a = frontSilenceCheck{doubts: a.doubts}
		return false
	}
	if !deaf && r.Ranging && a.change(r) > 0 {
		a.doubts = 0
	}
	if a.change(r) > float64(stillShare*a.way) {
		a.begin(r)
	}
	for i, is := range a.ranges(r) {
		if a.was[i] == 0 {
			a.was[i] = is
		}
	}
	if deaf && !r.Silent {
		a.way += float64(r.Speed * r.Dt)
	}
	return a.due()
}

// due reports whether the way is long enough for a swing.
func (a *frontSilenceCheck) due() bool {
	return a.way >= math.Min(float64(frontSilenceWay*float64(int(1)<<a.doubts)), silenceLongest)
}

// ranges are what all beams hear, the one ahead too.
func (a *frontSilenceCheck) ranges(r *Look) [robot.NumSectors]float32 {
	is := r.Beside
	if r.Ranging {
		is[robot.Front] = r.Front.Value
	}
	return is
}

// change is by how much the range that changed most did so, beyond noise, in m.
func (a *frontSilenceCheck) change(r *Look) (most float64) {
	for i, is := range a.ranges(r) {
		if was := float64(a.was[i]); was > 0 && is > 0 {
			most = math.Max(most, math.Abs(float64(is)-was)-float64(noise*was))
		}
	}
	return most
}

// begin counts anew from here.
func (a *frontSilenceCheck) begin(r *Look) { a.way, a.was, a.begun = 0, a.ranges(r), r.At }

// wonders reports whether the car should swing its wheels to learn whether it moves,
// because nothing is heard at all, or nothing ahead.
func (s *Watch) wonders(r *Look) bool {
	silent := s.silence.listen(r)
	return s.frontSilence.listen(r, s.deaf > deafTime) || silent
}

// asked goes on with a swing of the wheels: the ranges of a car that drives change with
// its nose.
func (s *Watch) asked(r *Look) {
	a := &s.frontSilence
	free := false
	for i, is := range a.ranges(r) {
		was := float64(a.was[i])
		free = free || was > 0 && is > 0 && math.Abs(float64(is)-was) > float64(probeMoved*was)
	}
	a.way += float64(r.Speed * r.Dt)
	if s.wiggle -= r.Dt; s.wiggle > 0 && !free {
		return
	}
	s.wiggle, s.at, a.asks = 0, 0, false
	if !free {
		s.from, s.lost = a.begun, a.way
		s.found()
	}
	a.doubts = min(a.doubts+1, silenceVain)
	if !free {
		a.doubts = 0
	}
	a.begin(r)
}
