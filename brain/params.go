package brain

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/brain/rollout"
	"fieldbrain/brain/steer"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/kit"
	"fieldbrain/robot/safety"
)

// Params tell the brain about its body and its task.
type Params struct {
	Period    time.Duration // Dt, time between two ticks; the engine's too
	Key       uint32        // seed of the brain's own random choices
	Top       float32       // m/s, v_max: the speed of throttle 1, MaxTop at most
	Cruise    float32       // m/s, v_cruise: the speed on a free way
	Arrival   float32       // m from a goal the car is there
	Wheelbase float32       // m, L of the bicycle model
	Track     float64       // m, between the driven wheels
	Lag       time.Duration // motor lag of the dead reckoning
	ServoRate float64       // rad/s, slew of the steering servo
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

	LineLight [robot.NumFloor]float32 // floor reading beside the line, ADC full scale = 1; all 0 with LineDark: it sees no line
	LineDark  [robot.NumFloor]float32 // floor reading on the line

	Quality string        // one of quality.Names: auto, or the rung to stay on; empty is auto
	Budget  time.Duration // longest time a tick should take; 0 is half the period

	Manual ManualParams // bounds of a manual drive

	Safety safety.Params // thresholds of the reflexes
}

// LeastTop and MaxTop are the top speeds of the slowest and of the fastest body, in m/s.
const (
	LeastTop = 0.05
	MaxTop   = 2
)

// Default returns the parameters of the PiCar-X at 5 ms (B.5, B.6, C.1).
func Default() Params {
	car := kit.PiCarX()
	p := Params{
		Period: 5 * time.Millisecond, Key: 1,
		Top: kit.TopSpeed, Cruise: kit.TopSpeed, Arrival: 0.12, Lag: car.Lag, ServoRate: car.ServoRate,
		Wheelbase: float32(car.Wheelbase), Track: car.WholeTrack(),
		SonarLead: kit.SonarAhead - kit.Ahead, Cone: float32(car.Cone),
		Law: steer.Default(), Plan: plan.Default(), Rays: "auto", Planner: PlannerTree, Rollout: rollout.Default(),
		Manual: DefaultManual(), Safety: safety.Default(),
	}
	p.LineLight, p.LineDark = car.LineReferences()
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
	fail(p.Period >= field.MinPeriod && p.Period <= field.MaxPeriod, "period %v must be within %v..%v", p.Period, field.MinPeriod, field.MaxPeriod)
	fail(p.Top >= LeastTop && p.Top <= MaxTop, "top speed %v m/s must be within %v..%v", p.Top, LeastTop, MaxTop)
	fail(p.Cruise > 0 && p.Cruise <= p.Top, "cruise speed %v m/s must be above 0 and at most the top speed %v", p.Cruise, p.Top)
	fail(p.Arrival >= 0.01 && p.Arrival <= 1, "arrival %v m must be within 0.01..1", p.Arrival)
	p.validBody(fail)
	for i := range p.LineLight {
		fail(!p.seesLine() && !p.FollowLine || p.LineLight[i] <= 1 && p.LineDark[i] >= 0 && p.LineLight[i]-p.LineDark[i] >= 0.02,
			"floor sensor %d: light %v must exceed dark %v by 0.02 within 0..1", i, p.LineLight[i], p.LineDark[i])
	}
	fail(p.Budget >= 0 && p.Budget <= p.Period, "budget %v must be within 0..%v, the period", p.Budget, p.Period)
	fail(p.Safety.Period == p.Period, "safety period %v must equal the period %v", p.Safety.Period, p.Period)
	err := quality.Check(p.Quality)
	fail(err == nil, "%w", err)
	return errors.Join(append(errs, p.validPlanner(), p.Manual.validate(p.Top),
		p.Law.Validate(), p.Plan.Validate(), p.Safety.Validate())...)
}

// seesLine reports whether the brain knows what a line looks like to the floor sensors.
func (p *Params) seesLine() bool {
	none := [robot.NumFloor]float32{}
	return p.LineLight != none || p.LineDark != none
}

// validBody tells what no body has.
func (p *Params) validBody(fail func(ok bool, format string, args ...any)) {
	fail(p.Wheelbase >= 0.05 && p.Wheelbase <= 0.5, "wheelbase %v m must be within 0.05..0.5", p.Wheelbase)
	fail(p.Track >= 0.05 && p.Track <= 0.5, "track %v m must be within 0.05..0.5", p.Track)
	fail(p.Lag >= 0 && p.Lag <= time.Second, "motor lag %v must be within 0..1s", p.Lag)
	fail(p.ServoRate >= 0.1 && p.ServoRate <= 100, "servo rate %v rad/s must be within 0.1..100", p.ServoRate)
	fail(p.Safety.Limits.Steering >= leastLock, "steering limit %v rad must be at least %v: "+
		"on wider arcs the car touches what it shall drive around; give it more steering", p.Safety.Limits.Steering, leastLock)
	fail(p.SonarLead >= 0 && p.SonarLead <= 0.3, "sonar lead %v m must be within 0..0.3", p.SonarLead)
	fail(p.Cone > 0 && p.Cone <= 45*deg, "sonar cone %v rad must be within 0..0.785", p.Cone)
}

// leastLock is what a body must at least be able to steer, in rad: 20 degrees. Of clutter 1 to 6 on the
// bench a PiCar-X limited to 30, 20, 15 and 10 degrees touched something in 0, 1, 2 and 3.
const leastLock = 0.349

// SetPeriod sets the period of the brain and of its reflexes.
func (p *Params) SetPeriod(d time.Duration) { p.Period, p.Safety.Period = d, d }
