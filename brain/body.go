package brain

import (
	"fieldbrain/brain/ground"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/rollout"
	"fieldbrain/brain/steer"
)

// What the brain knows of its body stands in Params. Its parts have it in numbers of their
// own, law in float64 and planners in float32, and get it here and nowhere else.

// lock is the largest steering angle in rad that the brain steers to: the body's, or the
// law's.
func (p *Params) lock() float64 { return min(float64(p.Safety.Limits.Steering), steer.Lock) }

// steered returns the body as the law has it.
func (p *Params) steered() steer.Body {
	return steer.Body{
		Wheelbase: float64(p.Wheelbase), Track: p.Track, Lock: p.lock(), Cruise: float64(p.Cruise),
		Lead: ground.Ahead + float64(p.SonarLead),
	}
}

// foreseen returns the parameters of plans with what the brain knows of its body.
func (p *Params) foreseen() plan.Params {
	w := p.Plan
	w.Wheelbase, w.Cruise, w.Lag, w.Ahead = p.Wheelbase, p.Cruise, p.Lag, ground.Ahead
	w.ServoRate, w.Lock = float32(p.ServoRate), float32(p.lock())
	return w
}

// imagined returns the parameters of imagined drives with what the brain knows of its
// body. The largest speed is that of the brain's cruise.
func (p *Params) imagined() rollout.Params {
	w := p.Rollout
	w.Wheelbase, w.Lag, w.Ahead, w.Fast = p.Wheelbase, p.Lag, ground.Ahead, p.Cruise
	w.ServoRate, w.Lock = float32(p.ServoRate), float32(p.lock())
	w.Back = min(w.Back, p.Top)
	return w
}

// physique tells the explorer about the body.
type physique struct {
	top, cruise float32 // m/s
	cone, lead  float32 // rad, m: of a sonar, see Params
	lock        float32 // rad
}

// physique returns the body as the explorer has it.
func (p *Params) physique() physique {
	return physique{top: p.Top, cruise: p.Cruise, cone: p.Cone, lead: p.SonarLead, lock: float32(p.lock())}
}
