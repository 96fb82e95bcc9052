package env

import (
	"math"

	"fieldbrain/robot"
	"fieldbrain/testbench/vector"
)

// A Channel is one number of an action or an observation. An observation lies within
// its limits; an action beyond them counts as the limit, one that is not a number as 0.
type Channel struct {
	Name, Unit string
	Low, High  float32
}

// ActionSize is how many numbers an action has.
const ActionSize = 2

// farthest is what a range can read: the plant's largest MaxRange with its noise.
const farthest = 16 // m

// Actions returns what an action says: the car's command, as robot.Command has it,
// positive steering to the left.
func Actions() []Channel {
	l := robot.DefaultLimits()
	return []Channel{
		{"speed", "m/s", -l.Speed, l.Speed},
		{"steering", "rad", -l.Steering, l.Steering},
	}
}

// observations returns what a car of these options observes: only what the real one
// can know.
func (o *Options) observations() []Channel {
	var list []Channel
	names := robot.SectorNames()
	for _, sector := range o.Profile.Sectors() {
		list = append(list, Channel{"range_" + names[sector], "m, -1 for no echo", -1, farthest})
	}
	for _, side := range []string{"left", "middle", "right"} {
		list = append(list, Channel{"floor_" + side, "counts", 0, 4095})
	}
	for _, a := range Actions() { // what it was told last
		list = append(list, Channel{"told_" + a.Name, a.Unit, a.Low, a.High})
	}
	if o.Task == Goal {
		list = append(list,
			Channel{"beacon_bearing", "rad, positive to the left", -math.Pi, math.Pi},
			Channel{"beacon_size", "share of the image, 0 for not in view", 0, 1})
	}
	return list
}

// observe writes what a car observes.
func (e *Env) observe(i int, c *car) {
	out := e.memory.Observations[i*e.size : (i+1)*e.size]
	r := e.fleet.Read(i)
	n := e.sonars
	for s := range n {
		out[s] = float32(min(r.Range[s], farthest))
	}
	for s := range robot.NumFloor {
		out[n+s] = float32(r.Floor[s])
	}
	out[n+robot.NumFloor], out[n+robot.NumFloor+1] = c.speed, c.steering
	if e.options.Task == Goal {
		out[e.size-2], out[e.size-1] = c.bearing, c.nearness
	}
}

// pins returns what holds the pins of a car that is told a speed and a steering: the
// driver's law (robot/picarx), whose owner has measured geometry, speed and dead
// band, without its ramps.
func (p *place) pins(speed, skew, steering float64) vector.Action {
	a := vector.Action{Pulse: middle - float64(steering*radian)}
	if math.Abs(speed) < slowest {
		return a
	}
	left, right := speed-float64(speed*skew), speed+float64(speed*skew)
	if top := max(math.Abs(left), math.Abs(right)); top > p.car.TopSpeed { // keep the ratio
		left, right = left*(p.car.TopSpeed/top), right*(p.car.TopSpeed/top)
	}
	a.Left, a.Right = p.duty(left), p.duty(right)
	return a
}

// What the driver does.
const (
	slowest = 0.02              // m/s, below which it stands
	middle  = 1500e-6           // s, pulse of wheels that look ahead
	radian  = 2000e-6 / math.Pi // s per rad of the wheels
)

// duty returns a motor's for a wheel's speed.
func (p *place) duty(v float64) float64 {
	d := p.car.DeadBand + float64((1-p.car.DeadBand)*math.Abs(v))/p.car.TopSpeed
	if v < 0 {
		return -d
	}
	return d
}
