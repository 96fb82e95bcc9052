package pilots

import (
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot/kit"
)

// The car's body, docs/specification.md C.1: a disc around a point ahead of the
// rear axle. Every driver of the bench may know its own size.
const (
	bodyRadius = kit.Radius
	bodyAhead  = kit.Ahead
	floorAhead = kit.FloorAhead
	floorPitch = kit.FloorPitch
	sonarCone  = 0.209 // rad, half angle: 12 deg
)

// A point is a place in the frame a driver counts in, in m: for all but the
// oracle the frame of its own start.
type point struct{ x, y float64 }

func (a point) minus(b point) point { return point{a.x - b.x, a.y - b.y} }

func (a point) norm() float64 { return exact.Hypot(a.x, a.y) }

func (a point) direction() float64 { return exact.Atan2(a.y, a.x) }

// toward returns the point d metres from a in a direction in rad.
func (a point) toward(direction, d float64) point {
	return point{a.x + float64(d*exact.Cos(direction)), a.y + float64(d*exact.Sin(direction))}
}

// A pose is where the middle of the rear axle is, and the heading in rad.
type pose struct {
	point
	heading float64
}

// place returns the point ahead m before the axle and left m beside it.
func (p pose) place(ahead, left float64) point {
	c, s := exact.Cos(p.heading), exact.Sin(p.heading)
	return point{
		p.x + float64(ahead*c) - float64(left*s),
		p.y + float64(ahead*s) + float64(left*c),
	}
}

// body returns the middle of the body's disc.
func (p pose) body() point { return p.place(bodyAhead, 0) }

// local returns a point as seen from the axle: m ahead, m to the left.
func (p pose) local(q point) (ahead, left float64) {
	c, s := exact.Cos(p.heading), exact.Sin(p.heading)
	d := q.minus(p.point)
	return float64(d.x*c) + float64(d.y*s), float64(d.y*c) - float64(d.x*s)
}

// bearing returns the direction of a point seen from the body, in rad.
func (p pose) bearing(q point) float64 {
	return exact.Wrap(q.minus(p.body()).direction() - p.heading)
}

// roll returns the pose after way m along an arc of a curvature in 1/m
// (midpoint rule).
func (p pose) roll(way, curvature float64) pose {
	turn := float64(way * curvature)
	return pose{p.point.toward(p.heading+float64(turn/2), way), exact.Wrap(p.heading + turn)}
}

// An odometer reckons the car's pose from what the driver told motors and
// servo; the kit measures neither speed nor turning. Its motors follow with
// C.1's lag, its servo at C.1's rate; the wheels' slip it cannot know.
type odometer struct {
	pose
	speed    float64 // m/s
	steering float64 // rad
	base     float64 // m, wheelbase
	way      float64 // m, driven forward minus backward
}

const (
	motorLag  = float64(kit.Lag) / float64(time.Second)
	servoRate = kit.ServoRate
)

func (o *odometer) step(speed, steering, dt float64) {
	o.speed += float64((speed - o.speed) * (1 - exact.Exp(-dt/motorLag)))
	turn := float64(servoRate * dt)
	o.steering = min(max(steering, o.steering-turn), o.steering+turn)
	way := float64(o.speed * dt)
	o.pose = o.pose.roll(way, o.curvature(o.steering))
	o.way += way
}

// curvature of the axle's path under a steering angle, in 1/m.
func (o *odometer) curvature(steering float64) float64 { return exact.Tan(steering) / o.base }
