package brain

import (
	"math"

	"fieldbrain/brain/line"
	"fieldbrain/brain/stall"
	"fieldbrain/brain/steer"
	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// A decoder turns the field's output into the wanted command.
type decoder struct {
	points  points      // operating points of heading, speed and gaze
	ahead   ahead       // obstacles in the way
	stall   stall.Watch // wheels turn, the car does not
	limiter limiter     // smooth speed outside reflexes
	wheels  wheels      // steering within its rate
	law     *steer.Law
	order   steer.Order
	carried func(ahead, left float32) bool // the reflexes', where they look for edges
}

func newDecoder(p *Params) decoder {
	return decoder{points: newPoints(), ahead: newAhead(), law: steer.New(p.steered(), p.Law)}
}

// decode moves the operating points up their gradients, looks for obstacles in the
// way, and returns the command that follows.
func (d *decoder) decode(out *field.Output, s *decodeInput, p *Params) robot.Command {
	d.points.update(out, s.following, p.Period)
	d.ahead.look(out, d.points.heading)
	d.stall.Update(&stall.Look{
		Front: s.front, Ranging: s.ranging, Beside: s.beside, Silent: s.silent, Sides: s.sides,
		Speed: s.speed, Yaw: s.yaw, At: s.pose, Dt: p.Period.Seconds(),
		Free: !d.law.Active(), Excused: !s.driving || s.hold, Line: s.following,
	})
	now := d.situation(s, p)
	d.order = d.law.Decide(&now)
	return d.wanted(out, s, &now, p)
}

// situation is how this tick stands for the law. On a line it has nothing to say, but of a
// contact.
func (d *decoder) situation(s *decodeInput, p *Params) steer.Situation {
	return steer.Situation{
		Ground: s.ground, Pose: s.pose, Speed: s.speed, Wheels: s.steering, Dt: p.Period.Seconds(),
		Heading: d.points.heading, Confidence: d.points.confidence,
		Aim: s.aim, AimWeight: s.aimWeight, GoalRange: s.goalRange, Back: s.back,
		RecallSide: d.ahead.leans(s.sides), Sides: s.sides, Echoes: s.echoes,
		Driving: s.driving && !s.hold && (!s.following || d.stall.Held() || d.law.Recoils()),
		Held:    s.held, Carried: d.carried, FloorEdges: s.floorEdges, Stuck: d.stall.Held(),
	}
}

// Speed on a line.
const (
	lineStand = 0.04 // m free, on the wheels' arc or the line's, at which the car stands
	lineBrake = 0.20 // m more at which it goes as fast as ever
	lineCrawl = 0.05 // m/s, the least to which curve and search slow the car down: less and it stands
)

// wanted returns the command that the field decided on: speed and steering from
// the operating points, or the escape's.
func (d *decoder) wanted(out *field.Output, s *decodeInput, now *steer.Situation, p *Params) robot.Command {
	at, dt := &d.points, p.Period.Seconds()
	at.desired = d.order.Speed * at.confidence * s.slow * planned(out, p)
	steering := d.order.Steering
	if s.following {
		curve := 1 - float64(0.5*min(1, math.Abs(at.heading)/(60*deg)))
		curve = max(curve, min(1, lineCrawl/float64(float64(p.Cruise)*s.slow)))
		free := float64(p.Cruise) * exact.Clip((d.law.Clear(now, s.bend)-lineStand)/lineBrake, 0, 1)
		at.desired = free * at.confidence * curve * s.slow * planned(out, p)
		steering = at.heading
	}
	at.desired *= s.yields
	speed := s.yield(at.throttle*float64(p.Top), p)
	steering += d.stall.Probe()
	if s.following && s.returns {
		speed, steering = d.law.Return(s.ground, s.pose)
		speed *= -line.BackSpeed
		at.desired, at.throttle = 0, 0
	}
	if s.hold {
		speed, steering, at.desired, at.throttle = 0, 0, 0, 0
	}
	if d.law.Active() {
		speed, steering = s.yield(d.order.Speed, p), d.order.Steering
		at.desired, at.throttle = 0, 0
	}
	if s.manual.away() {
		speed, steering = s.manual.wish(s.now, s.driving, s.held, p)
		at.throttle = exact.Clip(d.limiter.speed/float64(p.Top), -1, 1) // where the brain goes on from
		at.desired = max(0, d.limiter.speed)
	}
	steering = d.wheels.step(steering, p.lock(), s.manual.rate(s.now, p), dt)
	return robot.Command{
		Speed: float32(d.limiter.step(speed, dt)), Steering: float32(steering),
		Pan: float32(exact.Clip(at.gaze, -90*deg, 90*deg)), Tilt: float32(tilt(at.far)),
		Enable: true, Brake: s.manual.Driver == DriverLost,
	}
}

// yield bounds a speed ahead where something comes towards the car: at once, while the
// operating point still follows.
func (s *decodeInput) yield(speed float64, p *Params) float64 {
	if s.yields == 1 {
		return speed
	}
	return min(speed, float64(p.Cruise)*s.yields)
}

// planned returns the factor on the wanted speed that PLAN_SPEED asks for: a plan may
// slow the car down to half, never hasten it and never turn it round.
func planned(out *field.Output, p *Params) float64 {
	m := &out.Marginals[field.PlanSpeed]
	mass, sum := 0.0, 0.0
	for y, q := range m.Y {
		f := float64(float64(q) / field.One)
		mass += f
		sum += float64(f * field.Throttle(float64(y)))
	}
	if mass < 0.5 {
		return 1
	}
	wanted := exact.Clip(float64(sum/mass*float64(p.Top))/float64(p.Cruise), 0.5, 1)
	return 1 - float64(min(1, mass/5)*(1-wanted))
}

// decided sums up what the newest decode decided.
func (d *decoder) decided() decision {
	return decision{
		heading: d.points.heading, desired: d.points.desired, confidence: d.points.confidence,
		front: d.ahead.front, escaping: d.law.Active(), side: d.law.Side(),
		contact: d.stall.Touches(), stalled: d.stall.Suspected(),
	}
}
