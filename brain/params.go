package brain

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/brain/rollout"
	"fieldbrain/brain/steer"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// Params tell the brain about its body and its task.
type Params struct {
	Period    time.Duration // Dt, time between two ticks; the engine's too
	Key       uint32        // seed of the brain's own random choices
	Top       float32       // m/s, v_max: the speed of throttle 1
	Cruise    float32       // m/s, v_cruise: the speed on a free way
	Arrival   float32       // m from a goal the car is there
	Wheelbase float32       // m, L of the bicycle model
	Lag       time.Duration // motor lag of the dead reckoning
	SonarLead float32       // m, sonar face ahead of the reference point
	Cone      float32       // rad, half width of a sonar beam

	FollowLine bool // steer along a dark line on the floor
	SeekGoal   bool // steer towards the target

	Law steer.Params // numbers of the driving law

	Plan   plan.Params // scores of the planner; New takes its knowledge of the body from above
	Effort plan.Effort // how much is planned; zero is not at all
	Rays   string      // instruction set of the belief's rays and of imagined drives: auto, or one of belief.ISAs

	Planner string         // one of Planners; empty is the first
	Rollout rollout.Params // costs of PlannerRollout; New takes its knowledge of the body from above

	LineLight [robot.NumFloor]float32 // floor reading beside the line, ADC full scale = 1
	LineDark  [robot.NumFloor]float32 // floor reading on the line

	Quality string        // one of quality.Names: auto, or the rung to stay on; empty is auto
	Budget  time.Duration // longest time a tick should take; 0 is half the period

	Manual ManualParams // bounds of a manual drive

	Safety safety.Params // thresholds of the reflexes
}

// Default returns the parameters of the PiCar-X at 5 ms (B.5, B.6, C.1).
func Default() Params {
	p := Params{
		Period: 5 * time.Millisecond, Key: 1,
		Top: 0.35, Cruise: 0.35, Arrival: 0.12, Wheelbase: 0.094, Lag: 120 * time.Millisecond,
		SonarLead: 0.06, Cone: 12 * deg,
		Law: steer.Default(), Plan: plan.Default(), Rays: "auto", Planner: PlannerTree, Rollout: rollout.Default(),
		Manual: DefaultManual(), Safety: safety.Default(),
	}
	for i := range p.LineLight {
		p.LineLight[i], p.LineDark[i] = 1200.0/4095, 400.0/4095
	}
	return p
}

// Validate returns every complaint, joined, each with its limit.
func (p *Params) Validate() error {
	var errs []error
	fail := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("brain: "+format, args...))
		}
	}
	fail(p.Period >= 2500*time.Microsecond && p.Period <= 40*time.Millisecond, "period %v must be within 2.5ms..40ms", p.Period)
	fail(p.Top > 0 && p.Top <= 2, "top speed %v m/s must be within 0..2", p.Top)
	fail(p.Cruise > 0 && p.Cruise <= p.Top, "cruise speed %v m/s must be above 0 and at most the top speed %v", p.Cruise, p.Top)
	fail(p.Arrival >= 0.01 && p.Arrival <= 1, "arrival %v m must be within 0.01..1", p.Arrival)
	fail(p.Wheelbase >= 0.05 && p.Wheelbase <= 0.5, "wheelbase %v m must be within 0.05..0.5", p.Wheelbase)
	fail(p.Lag >= 0 && p.Lag <= time.Second, "motor lag %v must be within 0..1s", p.Lag)
	fail(p.SonarLead >= 0 && p.SonarLead <= 0.3, "sonar lead %v m must be within 0..0.3", p.SonarLead)
	fail(p.Cone > 0 && p.Cone <= 45*deg, "sonar cone %v rad must be within 0..0.785", p.Cone)
	for i := range p.LineLight {
		fail(p.LineLight[i] <= 1 && p.LineDark[i] >= 0 && p.LineLight[i]-p.LineDark[i] >= 0.02,
			"floor sensor %d: light %v must exceed dark %v by 0.02 within 0..1", i, p.LineLight[i], p.LineDark[i])
	}
	fail(p.Budget >= 0 && p.Budget <= p.Period, "budget %v must be within 0..%v, the period", p.Budget, p.Period)
	fail(p.Safety.Period == p.Period, "safety period %v must equal the period %v", p.Safety.Period, p.Period)
	err := quality.Check(p.Quality)
	fail(err == nil, "%w", err)
	return errors.Join(append(errs, p.validPlanner(), p.Manual.validate(p.Top),
		p.Law.Validate(), p.Plan.Validate(), p.Safety.Validate())...)
}

// SetPeriod sets the period of the brain and of its reflexes.
func (p *Params) SetPeriod(d time.Duration) { p.Period, p.Safety.Period = d, d }
