package brain

import (
	"math"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// stall notices that the wheels turn and the car does not: the front range should
// shrink by the way that the car drives, and grow by what it backs (B.5.4). The base
// kit has no encoders.
type stall struct {
	driven float64 // m the dead reckoning went since the last comparison, negative backwards
	was    float32 // m, front range then
	at     time.Duration
	vain   int         // ways in a row on which the range stayed as it was
	begun  ground.Pose // where the way began
	from   ground.Pose // and the first one in vain: there the car stands
	lost   float64     // m that the dead reckoning went in vain
	stuck  bool        // stalled: the manoeuvre takes it
	touch  float64     // s for which the contact is still entered
	count  uint64
}

// A comparison comes after stallWay or, since a range's noise grows with it,
// stallShare of the range; twice in vain is a contact.
const (
	stallWay   = 0.08 // m
	stallShare = 0.06
	stallMoved = 0.35 // share of the way by which the range changes when the car moves
	stallVain  = 2    // ways

	touchTime = 0.05 // s for which a contact is entered: brings the map's cells to 0.6
)

// suspected reports whether the wheels seem to turn in vain.
func (s *stall) suspected() bool { return s.vain > 0 || s.stuck }

// A ride tells the stall how one tick stands.
type ride struct {
	front   robot.Reading // m, front range
	ranging bool          // it counts
	speed   float64       // m/s, dead reckoning
	at      ground.Pose   // of the rear axle, dead reckoning
	dt      float64       // s
	excused bool          // nobody expects the range to change: no comparison
}

// update compares the range's change with the efference copy.
func (s *stall) update(r ride) {
	if s.touch > 0 {
		s.touch -= r.dt
	}
	if !r.ranging || r.excused {
		s.vain, s.at = 0, 0
		return
	}
	if s.at == 0 || float64(s.driven*r.speed) < 0 { // a new direction begins anew
		s.begin(r)
		s.vain = 0
	}
	s.driven += float64(r.speed * r.dt)
	way := math.Abs(s.driven)
	if span := max(stallWay, float64(stallShare*float64(r.front.Value))); way < span {
		return
	}
	s.judge(way, math.Abs(float64(s.was-r.front.Value)))
	s.begin(r)
}

// begin starts the next way.
func (s *stall) begin(r ride) {
	s.driven, s.was, s.at, s.begun = 0, r.front.Value, r.front.At, r.at
}

// judge weighs one way and the range's change on it.
func (s *stall) judge(way, change float64) {
	if change >= float64(stallMoved*way) {
		s.vain = 0
		return
	}
	if s.vain == 0 {
		s.from, s.lost = s.begun, 0
	}
	s.lost += s.driven
	if s.vain++; s.vain == stallVain {
		s.stuck, s.vain, s.touch = true, 0, touchTime
		s.count++
	}
}
