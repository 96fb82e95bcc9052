package brain

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// An Explored holds what belief and planner carry from tick to tick, in State. It
// has no plan under way: Save ends that, so that the saved brain and the restored
// one both begin the next plan with their next tick, and where drives are imagined it
// forgets the last plan as well.
type Explored struct {
	On bool // whether the brain plans; all else is zero where not

	Belief  belief.Record
	RowAge  [robot.NumSectors]int64 // of the newest range written into the belief
	Sector  int32                   // whose turn it is
	Ticks   uint64                  // since the start
	Bearing float32                 // rad, of the way point
	Goal    float32                 // 0..1, weight of the goal that the plan knows

	Planned         bool // a finished plan counts
	PlanAge         float64
	PlanX, PlanY    float32 // m, way point
	PlanSpeed       float32 // share of the cruise speed
	PlanSteer, Look float32 // rad, first action and most informative direction

	Heading [field.Side]int32 // output of HEADING over bearing, Q15: the next plan asks it
}

// drop ends the plan under way and, where drives are imagined, forgets the last one.
func (e *explorer) drop() {
	e.planner.Cancel()
	e.imagined.reset()
}

// save ends the plan under way and copies the rest.
func (e *explorer) save(s *Explored, out *field.Output, now time.Duration) {
	if e == nil || e.idle {
		return
	}
	e.drop()
	s.On = true
	e.belief.Save(&s.Belief)
	for i, at := range e.seen {
		s.RowAge[i] = age(at, now)
	}
	s.Sector, s.Ticks = int32(e.next), e.ticks
	s.Bearing, s.Goal = e.bearing, e.goal
	s.Planned, s.PlanAge = e.have, e.age
	s.PlanX, s.PlanY, s.Look = e.plan.X, e.plan.Y, e.plan.Gaze
	s.PlanSpeed, s.PlanSteer = e.plan.Action.Speed, e.plan.Action.Steering
	s.Heading = out.Marginals[field.Heading].X
}

// restore goes on from saved numbers. Those of a brain that did not plan leave the
// belief fresh.
func (e *explorer) restore(s *Explored, out *field.Output, at time.Duration) {
	if e == nil || e.idle || !s.On {
		return
	}
	e.drop()
	e.belief.Resume(&s.Belief)
	for i, a := range s.RowAge {
		e.seen[i] = instant(a, at)
	}
	e.next, e.ticks = int(s.Sector), s.Ticks
	e.bearing, e.goal = s.Bearing, s.Goal
	e.have, e.age = s.Planned, s.PlanAge
	m := &out.Marginals[field.Heading]
	m.X, m.Total = s.Heading, 0
	for _, f := range s.Heading {
		m.Total += f
	}
	e.plan = plan.Plan{
		X: s.PlanX, Y: s.PlanY, Gaze: s.Look,
		Action: plan.Action{Speed: s.PlanSpeed, Steering: s.PlanSteer},
	}
}

// check returns why no brain can have explored this, or nil.
func (s *Explored) check() error {
	if !s.On {
		return nil
	}
	if s.Sector < 0 || s.Sector >= robot.NumSectors {
		return fmt.Errorf("brain: restore: Sector is %d, must be within 0..%d", s.Sector, robot.NumSectors-1)
	}
	const turn, far = 2 * math.Pi, 1e6
	for _, n := range [...]struct {
		name        string
		value, most float64
	}{
		{"Bearing", float64(s.Bearing), turn},
		{"Goal", float64(s.Goal), 1},
		{"PlanAge", s.PlanAge, math.MaxFloat64},
		{"PlanX", float64(s.PlanX), 2 * far},
		{"PlanY", float64(s.PlanY), 2 * far},
		{"PlanSpeed", float64(s.PlanSpeed), 10},
		{"PlanSteer", float64(s.PlanSteer), turn},
		{"Look", float64(s.Look), 2 * turn},
	} {
		if !(n.value >= -n.most && n.value <= n.most) { // NaN fails
			return fmt.Errorf("brain: restore: explored %s is %v, must be within %v of 0", n.name, n.value, n.most)
		}
	}
	return s.Belief.Check()
}
