package stall

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// A Record is a watch as it is kept. What it has heard in silence is not in it: that begins
// anew.
type Record struct {
	Driven     float64                   // m since the last comparison, negative backwards
	Was        float32                   // m, range ahead then
	Beside     [robot.NumSectors]float32 // m, the other beams' then; 0 for none
	At         time.Duration             // instant of the range; 0 for none
	Vain       int                       // ways in a row on which the range stayed as it was
	Begun      ground.Pose               // where the way began
	From       ground.Pose               // and the first one in vain
	Lost       float64                   // m that the dead reckoning went in vain
	Turned     float64                   // rad on the ways in vain
	ProbeLeft  float64                   // s of a swing of the wheels to go
	ProbeFirst float32                   // m, range when it began
	ProbeMost  float64                   // largest relative change seen in it
	Mute       float64                   // s without checks
	Held       float64                   // m in vain on a line
	Stuck      bool                      // something holds the car
	Touch      float64                   // s for which the contact is still entered
	Count      uint64
	Rest       Rest
}

// Save copies the watch into r.
func (s *Watch) Save(r *Record) {
	*r = Record{
		Driven: s.driven, Was: s.was, Beside: s.beside, At: s.at, Vain: s.vain, Begun: s.begun, From: s.from,
		Lost: s.lost, Turned: s.turned, ProbeLeft: s.wiggle, ProbeFirst: s.first, ProbeMost: s.most,
		Mute: s.mute, Held: s.held, Stuck: s.stuck, Touch: s.touch, Count: s.count, Rest: s.rest,
	}
}

// Resume takes over what Save wrote; Check says what it must be.
func (s *Watch) Resume(r *Record) {
	*s = Watch{
		driven: r.Driven, was: r.Was, beside: r.Beside, at: r.At, vain: r.Vain, begun: r.Begun, from: r.From,
		lost: r.Lost, turned: r.Turned, wiggle: r.ProbeLeft, first: r.ProbeFirst, most: r.ProbeMost,
		mute: r.Mute, held: r.Held, stuck: r.Stuck, touch: r.Touch, count: r.Count, rest: r.Rest,
		hit: r.From, behind: r.Lost < 0,
	}
}

// Check returns what in r no watch can have, or nil: numbers by the names that a saved brain
// has for them. Whoever asks adds where it comes from.
func (r *Record) Check() error {
	const far, long, turn = 1e4, 1e6, 2 * math.Pi // m, s and m, rad
	for _, n := range [...]struct {
		name      string
		value     float64
		low, high float64
	}{
		{"StallDriven", r.Driven, -far, far},
		{"StallWas", float64(r.Was), 0, far},
		{"StallVain", float64(r.Vain), 0, freedWays + vainWays},
		{"StallTurned", r.Turned, 0, long},
		{"ProbeLeft", r.ProbeLeft, -1, long},
		{"ProbeFirst", float64(r.ProbeFirst), 0, far},
		{"ProbeMost", r.ProbeMost, 0, math.MaxFloat64},
		{"StallMute", r.Mute, 0, long},
		{"StallLost", r.Lost, -far, far},
		{"StallHeld", r.Held, 0, far},
		{"StallBegun.X", float64(r.Begun.X), -long, long},
		{"StallBegun.Y", float64(r.Begun.Y), -long, long},
		{"StallBegun.Heading", float64(r.Begun.Heading), -turn, turn},
		{"StallFrom.X", float64(r.From.X), -long, long},
		{"StallFrom.Y", float64(r.From.Y), -long, long},
		{"StallFrom.Heading", float64(r.From.Heading), -turn, turn},
		{"TouchLeft", r.Touch, -1, long},
	} {
		if !(n.value >= n.low && n.value <= n.high) { // NaN fails
			return fmt.Errorf("%s is %v, must be within %v..%v", n.name, n.value, n.low, n.high)
		}
	}
	for i, v := range r.Beside {
		if !(v >= 0 && v <= far) {
			return fmt.Errorf("StallBeside %d is %v m, must be within 0..%v", i, v, far)
		}
	}
	return r.Rest.check()
}
