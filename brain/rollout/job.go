package rollout

import "fieldbrain/field/exact"

// Sizes that both languages have: trajectories of a block, cells along a side of the
// map.
const (
	block = 16
	cells = 64

	perCell = 16 // cells per metre
	numbers = 36 // floats of a job
)

// A job is what does not change during a plan; native/job.h has the same, in this
// order.
type job struct {
	x, y, cos, sin, speed, steering float32 // of the car; metres from the map's corner
	turned, drove                   float32 // the command before the first

	gripped, slew, curve, dt, ahead, perCell             float32
	keep, pulseSteer, pulseSpeed, firstSteer, firstSpeed float32 // of the noise
	lock, back, fast                                     float32
	goalX, goalY                                         float32
	risk, lethal, crash, look, reach, goal               float32
	turn, reverse, backing, length, leanSteer, leanSpeed float32
	seed                                                 uint32
	steps                                                int
}

// numbers returns the floats in their order.
func (j *job) numbers() [numbers]float32 {
	return [numbers]float32{
		j.x, j.y, j.cos, j.sin, j.speed, j.steering, j.turned, j.drove,
		j.gripped, j.slew, j.curve, j.dt, j.ahead, j.perCell,
		j.keep, j.pulseSteer, j.pulseSpeed, j.firstSteer, j.firstSpeed,
		j.lock, j.back, j.fast, j.goalX, j.goalY,
		j.risk, j.lethal, j.crash, j.look, j.reach, j.goal,
		j.turn, j.reverse, j.backing, j.length, j.leanSteer, j.leanSpeed,
	}
}

// spread is the standard deviation of a sum of four bytes.
const spread = 147.80054

// newJob returns the constants of parameters that are valid.
func newJob(p *Params) job {
	dt := p.Step.Seconds()
	keep := 0.0
	if p.Hold > 0 {
		keep = exact.Exp(-dt / p.Hold.Seconds())
	}
	fresh := root(1 - float64(keep*keep))
	steer, speed := float64(p.SteerNoise)/spread, float64(p.SpeedNoise)/spread
	gripped := 1.0
	if p.Lag > 0 {
		gripped = 1 - exact.Exp(-dt/p.Lag.Seconds())
	}
	return job{
		gripped: float32(gripped), slew: float32(float64(p.ServoRate) * dt), curve: float32(0.5 * dt / float64(p.Wheelbase)),
		dt: float32(dt), ahead: p.Ahead, perCell: perCell,
		keep: float32(keep), pulseSteer: float32(steer * fresh), pulseSpeed: float32(speed * fresh),
		firstSteer: float32(steer), firstSpeed: float32(speed),
		lock: p.Lock, back: -p.Back, fast: p.Fast,
		risk: float32(float64(p.Risk) * dt), lethal: p.Touch, crash: p.Crash, look: p.Look, reach: p.Reach,
		goal: p.Goal / float32(p.Steps), turn: p.Turn, reverse: p.Reverse, backing: p.Backing, length: p.Length,
		leanSteer: p.Lean / float32(p.SteerNoise*p.SteerNoise), leanSpeed: p.Lean / float32(p.SpeedNoise*p.SpeedNoise),
		steps: p.Steps,
	}
}
