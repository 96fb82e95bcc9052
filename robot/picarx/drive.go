package picarx

import (
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// An order is a command with its place in the sequence of commands; sequence 0
// means that none was given yet.
type order struct {
	robot.Command
	seq uint64
}

// A rule says who decides about the motors at this moment.
type rule uint8

const (
	inert   rule = iota // nobody may drive: zero at once
	brake               // the command says stop now: zero at once
	counter             // it says stop now against the motion: reverse duty at once
	lapsed              // the lease ran out: ramp to zero, wheels straight
	follow              // the command is fresh
)

// A drive turns commands into what the actuators shall do now: it holds the
// lease, the ramps and the pause between directions. It knows no bus.
type drive struct {
	p        *Params
	at       time.Duration // last step
	rule     rule
	seq      uint64  // command the last step obeyed
	speed    float64 // m/s at the rear axle, after ramps
	steering float64 // rad
	pan      float64 // rad
	tilt     float64 // rad
	backward bool    // direction of the last motion
	ramp     float64 // m/s per second of the running lease ramp, 0 outside one
}

// reset forgets every motion; the servos' centres are where a start sequence
// puts them.
func (d *drive) reset(now time.Duration) { *d = drive{p: d.p, at: now} }

// step advances to now under order o. Commands decided at or before barrier
// have no authority. still is for how long both duties have been zero.
func (d *drive) step(now time.Duration, o *order, barrier, still time.Duration) {
	dt := min(max((now-d.at).Seconds(), 0), 0.1)
	d.at, d.seq = now, o.seq
	d.rule = d.judge(now, o, barrier)
	d.accelerate(o, dt, still)
	if o.seq == 0 || o.At <= barrier {
		return // the servos stay where they are
	}
	steering := float64(o.Steering)
	if now-o.At > d.p.Lease {
		steering = 0
	}
	cal := &d.p.Cal
	rate, camera := float64(d.p.Limits.SteeringRate), float64(d.p.CameraRate)
	d.steering = approach(d.steering, cal.Steering.reach(steering, -1), float64(rate*dt))
	d.pan = approach(d.pan, cal.Pan.reach(float64(o.Pan), 1), float64(camera*dt))
	d.tilt = approach(d.tilt, cal.Tilt.reach(float64(o.Tilt), -1), float64(camera*dt))
}

// judge finds the rule that holds at now.
func (d *drive) judge(now time.Duration, o *order, barrier time.Duration) rule {
	age := now - o.At
	switch {
	case o.seq == 0 || o.At <= barrier || !o.Enable || age > d.p.LeaseEnd:
		return inert
	case o.Brake && age <= d.p.Lease && d.against(o):
		return counter
	case o.Brake:
		return brake
	case age > d.p.Lease:
		return lapsed
	}
	return follow
}

// against reports whether a braking order asks for reverse power: its speed is
// opposed to a motion that the motors were told, or continues such a pulse. A
// car at rest is not set in motion by a brake.
func (d *drive) against(o *order) bool {
	if d.rule == counter {
		return o.Speed != 0 && (o.Speed < 0) == d.backward
	}
	return d.speed*float64(o.Speed) < 0
}

// accelerate moves the speed towards what the rule allows.
func (d *drive) accelerate(o *order, dt float64, still time.Duration) {
	rate := float64(d.p.Limits.SpeedRate)
	switch d.rule {
	case inert, brake:
		d.speed, d.ramp = 0, 0
		return
	case counter: // B.7 R1: no ramp, no rest; the pulse is as short as the order
		d.speed, d.ramp = float64(o.Speed), 0
		d.backward = d.speed < 0
		return
	case lapsed:
		if d.ramp == 0 { // fixed at the start, so that the ramp ends in time
			d.ramp = rate
			if s := d.p.LeaseRamp.Seconds(); float64(rate*s) < abs(d.speed) {
				d.ramp = abs(d.speed) / max(s, 1e-3)
			}
		}
		d.speed = approach(d.speed, 0, float64(d.ramp*dt))
		return
	}
	d.ramp = 0
	target := float64(o.Speed)
	if d.speed*target < 0 { // reversal goes through zero
		target = 0
	}
	if d.speed == 0 && target != 0 {
		backward := target < 0
		if backward != d.backward && still < d.p.ReversePause {
			return
		}
		d.backward = backward
	}
	d.speed = approach(d.speed, target, float64(rate*dt))
}

// stopping reports whether the motors must be zero without any ramp.
func (d *drive) stopping() bool { return d.rule == inert || d.rule == brake }

// moving reports whether the speed is one the motors can hold.
func (d *drive) moving() bool { return d.speed != 0 && abs(d.speed) >= float64(d.p.MinSpeed) }

// A wheel is what one motor shall do.
type wheel struct {
	count uint16 // compare value of its PWM channel
	high  bool   // level of its direction line; means nothing while count is 0
}

// wheels returns both wheels for the present speed and steering. With delta
// positive to the left, v_left = v (1 - T tan(delta) / 2L) and v_right has the
// other sign: inner and outer in the ratio (R - T/2) / (R + T/2). supply is the
// factor for the pack's voltage.
func (d *drive) wheels(supply float64) (left, right wheel) {
	if !d.moving() {
		return wheel{}, wheel{high: true}
	}
	b := &d.p.Cal.Body
	skew := float64(b.Track*exact.Tan(d.steering)) / (2 * b.Wheelbase)
	speed := float64(d.speed * supply)
	vl := speed - float64(speed*skew)
	vr := speed + float64(speed*skew)
	if top := max(abs(vl), abs(vr)); top > b.TopSpeed { // keep the ratio
		vl *= b.TopSpeed / top
		vr *= b.TopSpeed / top
	}
	m := &d.p.Cal.Motors
	left = m.Left.drive(vl, b.TopSpeed)
	right = m.Right.drive(vr, b.TopSpeed)
	right.high = !right.high // mounted as mirror images: forward is high
	return left, right
}

// drive returns the duty for a wheel speed; high means backward.
func (m *Motor) drive(v, top float64) wheel {
	g := m.Forward
	if v < 0 {
		g = m.Backward
	}
	duty := g.DeadBand + float64((1-g.DeadBand)*float64(g.Gain*abs(v)))/top
	return wheel{count: dutyCount(duty), high: (v < 0) != m.Reversed}
}

// steeringCount negates: the servo's positive is right.
func (d *drive) steeringCount() uint16 {
	return d.p.Cal.Steering.count(float64(-d.steering * degrees))
}

// panCount does not negate: the vendor sends -pan with pan positive right.
func (d *drive) panCount() uint16 { return d.p.Cal.Pan.count(float64(d.pan * degrees)) }

// tiltCount negates: the vendor sends -tilt with tilt positive up.
func (d *drive) tiltCount() uint16 { return d.p.Cal.Tilt.count(float64(-d.tilt * degrees)) }

// count applies the trim, then the soft limits, to a servo angle in degrees.
func (s Servo) count(angle float64) uint16 {
	return servoCount(min(max(angle+s.Offset, s.Min), s.Max))
}

// reach limits an angle in radians to what the servo may show with its trim;
// sign is the direction of the servo's scale in ours.
func (s Servo) reach(angle, sign float64) float64 {
	low, high := (s.Min-s.Offset)/degrees, (s.Max-s.Offset)/degrees
	if sign < 0 {
		low, high = -high, -low
	}
	return min(max(angle, low), high)
}

// approach moves x towards target by at most step.
func approach(x, target, step float64) float64 {
	if x < target {
		return min(x+step, target)
	}
	return max(x-step, target)
}

func abs(x float64) float64 { return max(x, -x) }
