package brain

import (
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// points are the operating points: where on the motor axes the body acts now.
// Each climbs the gradient of its channel's output (B.5.4).
type points struct {
	steer, drive, look, reach field.Ascent

	heading    float64 // rad, op_X of HEADING
	throttle   float64 // -1..1, op_Y of SPEED
	gaze       float64 // rad, op_X of GAZE
	far        float64 // bins, op_Y of GAZE
	confidence float64 // kappa, how much of a heading there is
	desired    float64 // m/s, v_des, enters SPEED with the next tick
}

func newPoints() points {
	return points{
		steer: field.HeadingAscent(), drive: field.SpeedAscent(), look: field.GazeAscent(), reach: gazeRange(),
		far: field.RangeBin(1),
	}
}

// update moves the operating points up their gradients.
func (p *points) update(out *field.Output, dt time.Duration) {
	m := &out.Marginals
	p.heading = p.steer.Step(&m[field.Heading].X, p.heading, dt)
	p.throttle = p.drive.Step(&m[field.Speed].Y, p.throttle, dt)
	p.gaze = p.look.Step(&m[field.Gaze].X, p.gaze, dt)
	p.far = p.reach.Step(&m[field.Gaze].Y, p.far, dt)
	p.confidence = min(1, float64(m[field.Heading].Sum())/3)
}

// ahead is what stands in the way, read off the obstacle map.
type ahead struct {
	front float64 // b: 0 free, 1 and more blocked
	rear  float64 // b_rear
	sides float64 // sum of O over 5..130 deg left minus right

	lean float64 // sum of the heading's input besides the obstacles, likewise

	repel     float64             // gain of obstacles in the heading's input
	near, far [field.Side]float64 // how much range bin y blocks ahead and behind
	reach     [field.Side]float64 // r_y, m
}

func newAhead() ahead {
	a := ahead{repel: float64(field.DefaultHeading().Repel)}
	for i := range field.Side {
		r := field.Range(float64(i))
		a.reach[i] = r
		a.near[i] = clip((0.8-r)/0.62, 0, 1)
		a.far[i] = clip((0.35-r)/0.15, 0, 1)
	}
	return a
}

// look reads the obstacle map around the direction of travel and behind.
func (a *ahead) look(out *field.Output, heading float64) {
	a.front, a.rear, a.sides, a.lean = 0, 0, 0, 0
	way := clip(heading, -35*deg, 35*deg)
	for x := range field.Side {
		psi := field.Bearing(float64(x))
		off := exact.Wrap(psi - way)
		back := math.Abs(exact.Wrap(psi - math.Pi))
		if math.Abs(psi) >= 5*deg && math.Abs(psi) <= 130*deg {
			if psi > 0 {
				a.sides += float64(out.Blocked[x])
				a.lean += float64(out.Heading[x])
			} else {
				a.sides -= float64(out.Blocked[x])
				a.lean -= float64(out.Heading[x])
			}
		}
		if math.Abs(off) > 24.75*deg && back > 35*deg {
			continue
		}
		side := math.Abs(exact.Sin(off))
		for y := range field.Side {
			m := float64(out.Obstacle[x*field.Side+y])
			if math.Abs(off) <= 24.75*deg && (a.reach[y]*side <= 0.13 || a.reach[y] <= 0.2) {
				a.front = max(a.front, a.near[y]*m)
			}
			if back <= 35*deg {
				a.rear = max(a.rear, a.far[y]*m)
			}
		}
	}
	a.lean += float64(a.repel * a.sides)
}

// wanted is the command the field decided on: speed and steering from the
// operating points, or the escape's.
func (b *Brain) wanted() robot.Command {
	p := &b.points
	slow := 1 - float64(0.5*min(1, math.Abs(p.heading)/(60*deg)))
	p.desired = float64(b.params.Cruise) * max(0, 1-b.ahead.front/0.9) * p.confidence * slow * b.line.slow() * planned(b.out, &b.params)
	speed, steering := p.throttle*float64(b.params.Top), p.heading+b.stall.probe()
	if b.escape.active() {
		speed, steering = b.escape.command(b)
		p.desired, p.throttle = 0, 0
	}
	limits := &b.params.Safety.Limits
	steering = b.wheels.step(steering, 30*deg, float64(limits.SteeringRate), b.dt)
	return robot.Command{
		Speed: float32(b.limiter.step(speed, b.dt)), Steering: float32(steering),
		Pan: float32(clip(p.gaze, -90*deg, 90*deg)), Tilt: float32(tilt(p.far)),
		Enable: true,
	}
}
