package brain

import (
	"fmt"
	"math"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// odometry reckons where the rear axle is, in the frame of where the brain began:
// x ahead and y left of it then. Its error grows with way and turn (the reference
// car's is 5 % of each).
type odometry struct {
	x, y float64 // m
	turn float64 // rad
	way  float64 // m driven by the last tick, negative backwards
	bend float64 // rad turned by the last tick
}

// move reckons on by one tick: m/s, rad/s and s; midpoint rule.
func (o *odometry) move(speed, yaw, dt float64) {
	o.way, o.bend = float64(speed*dt), float64(yaw*dt)
	half := float64(o.bend / 2)
	mid := o.turn + half
	o.x += float64(o.way * exact.Cos(mid))
	o.y += float64(o.way * exact.Sin(mid))
	o.turn = exact.Wrap(mid + half)
}

// retract takes back what the wheels turned in vain since they were at a pose.
func (o *odometry) retract(to ground.Pose) {
	o.x, o.y, o.turn = float64(to.X), float64(to.Y), float64(to.Heading)
}

// axle is the pose of the rear axle.
func (o *odometry) axle() ground.Pose {
	return ground.Pose{X: float32(o.x), Y: float32(o.y), Heading: float32(o.turn)}
}

// ago is the pose of the rear axle some ticks of the present motion ago, not many.
func (o *odometry) ago(ticks float64) ground.Pose {
	mid := o.turn - float64(float64(o.bend*ticks)/2)
	back := float64(o.way * ticks)
	return ground.Pose{
		X: float32(o.x - float64(back*exact.Cos(mid))), Y: float32(o.y - float64(back*exact.Sin(mid))),
		Heading: float32(o.turn - float64(o.bend*ticks)),
	}
}

// belief is the pose of the rear axle as the information grid takes it.
func (o *odometry) belief() belief.Pose { return belief.Pose(o.axle()) }

// A Place is where the brain reckons that its rear axle is, in State.
type Place struct {
	X, Y float64 // m
	Turn float64 // rad
}

// check returns why nothing can be there, or nil.
func (p *Place) check() error {
	const far = 1e6 // m
	if !(p.X >= -far && p.X <= far && p.Y >= -far && p.Y <= far && p.Turn >= -2*math.Pi && p.Turn <= 2*math.Pi) {
		return fmt.Errorf("brain: restore: Place is %v, %v m and %v rad, must be within %v m and a turn", p.X, p.Y, p.Turn, far)
	}
	return nil
}
