package safety

import (
	"time"

	"fieldbrain/robot"
)

// ahead is the forward speed in m/s that R2 must be able to stop from: the
// largest of three speeds: the one that the reflexes last told the wheels, the
// one that odometry reports where the car has it, and the wanted one as far as
// the caps let it through.
func (r *Reflexes) ahead(s *robot.State, want robot.Command, c Causes, now time.Duration) float32 {
	v := max(r.last.Speed, orZero(s.CommandedSpeed))
	if s.Speed.OK && age(now, s.Speed.At, r.p.Period) <= r.p.StateStale {
		v = max(v, orZero(s.Speed.Value))
	}
	forward, _ := r.caps(c)
	return max(v, min(want.Speed, forward))
}

// caps returns the largest forward speed and the largest magnitude in m/s that
// the causes leave. A frozen sensor counts as a stale range: which of them it
// was does not make the way ahead any clearer.
func (r *Reflexes) caps(c Causes) (forward, both float32) {
	both = r.p.Limits.Speed
	if c&(LinkDegraded|BatteryLow|BatteryUnknown|EngineFault|Overrun) != 0 {
		both = float32(r.p.Caution * both)
	}
	forward = both
	if r.p.Cliff.Enabled {
		forward = min(forward, r.cliff.cap(&r.p))
	}
	if c&(RangeStale|FrozenSensor) != 0 {
		forward = min(forward, r.p.Range.Creep)
	}
	return forward, both
}

// overrule turns the wanted command into the one the causes permit. Ramps hold
// for what the brain wants; a reflex takes away at once.
func (r *Reflexes) overrule(s *robot.State, want robot.Command, c Causes, now time.Duration) robot.Command {
	out := want
	out.Enable = want.Enable && r.machine.Armed()
	out.IgnoreBattery = want.IgnoreBattery || r.freezer.battery.stuck
	r.cliff.follow(s, &r.p)
	if c.Level() >= Stopped || !out.Enable {
		r.cliff.cancel()
		if !out.Enable { // people may carry it
			r.cliff.lifted(&r.p)
		}
		return r.still(out, c)
	}
	forward, both := r.caps(c)
	steering, back := r.cliff.back(&r.p, &want)
	v := min(max(r.last.Speed, orZero(s.CommandedSpeed), 0), r.p.Limits.Speed)
	speed, hard, driven := r.cliff.move(&r.p, now, v, r.last.Steering)
	switch {
	case driven:
		out.Steering = r.cliff.homeward(speed)
	case want.Brake || refused(want.Speed, c.Level(), back):
		speed, hard = 0, true
	default:
		speed, out.Steering = want.Speed, steering
	}
	if !hard {
		step := float32(r.p.Limits.SpeedRate * seconds(r.p.Period))
		speed = towards(r.last.Speed, speed, step)
		if c.Level() == Hold && speed > 0 {
			speed, hard = 0, true
		}
		speed = min(max(speed, -both), forward)
	}
	out.Speed, out.Brake = speed+0, hard // +0 makes a negative zero positive
	out.Steering = r.steer(out.Steering)
	return out
}

// refused reports a wanted speed into what the level, or the edge behind, closes.
func refused(speed float32, level Level, back bool) bool {
	return speed > 0 && level == Hold || speed < 0 && !back
}

// still is the command of a car that may not move. The steering centres where
// the stop ends by itself for want of fresh data (R4, R5) and stays otherwise.
func (r *Reflexes) still(out robot.Command, c Causes) robot.Command {
	out.Speed, out.Brake = 0, true
	out.Steering, out.Pan, out.Tilt = r.last.Steering, r.last.Pan, r.last.Tilt
	if r.machine.Armed() && c&(CommandStale|StateStale) != 0 {
		out.Steering = r.steer(0)
	}
	return out
}

// steer moves the steering towards to at R7's rate.
func (r *Reflexes) steer(to float32) float32 {
	step := float32(r.p.Limits.SteeringRate * seconds(r.p.Period))
	return towards(r.last.Steering, to, step)
}

func orZero(x float32) float32 {
	if finite(x) {
		return x
	}
	return 0
}
