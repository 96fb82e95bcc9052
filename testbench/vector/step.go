package vector

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// What testbench/plant and testbench/world have too, and keep to themselves.
const (
	standing    = 1e-4  // m/s, below which the car counts as standing
	moverMargin = 0.02  // m, the gap at which a mover waits
	parting     = 0.01  // m, the gap that ends a contact
	nearest     = 0.02  // m, the sonar's blind zone reads as this
	spot        = 0.006 // m, what a floor sensor sees
	fullScale   = 4095  // counts
)

// dt is a step in s.
var dt = plant.Tick.Seconds()

// tiny is what a step takes from the slack besides the way: more than all its
// roundings.
const tiny = 1e-9 // m

// A lane is one car of a block.
type lane struct {
	f    []float64 // the block's fields from this lane on
	keys []uint64  // likewise, its keys
	feet []float64 // leg and way of its movers
	site []int32   // its site's record
}

func (c *lane) at() world.Vec { return world.Vec{X: c.f[posX*Lanes], Y: c.f[posY*Lanes]} }

// get returns a field of the lane.
func (c *lane) get(field int) float64 { return c.f[field*Lanes] }

// set changes a field of the lane.
func (c *lane) set(field int, v float64) { c.f[field*Lanes] = v }

// lane returns car i.
func (f *Fleet) lane(i int) lane {
	b, k := i/Lanes, i%Lanes
	c := lane{f: f.fields[b*numFields*Lanes+k : (b+1)*numFields*Lanes], keys: f.keys[b*numKeys*Lanes+k : (b+1)*numKeys*Lanes]}
	s := int(c.get(site))
	c.site = f.index[s*siteWords : (s+1)*siteWords]
	c.feet = f.feet[i*2*f.most : (i+1)*2*f.most]
	return c
}

// run lets one car take n steps under its actions. The equations are those of
// testbench/plant, whose results it has bit for bit.
func (f *Fleet) run(c *lane, n int) {
	wheels := c.drive()
	want, slew := c.aim()
	for range n {
		c.set(speed, c.get(speed)+float64((wheels-c.get(speed))*c.get(grip)))
		delta := c.get(steering)
		low, high := delta-slew, delta+slew
		next := want
		if next < low {
			next = low
		}
		if next > high {
			next = high
		}
		if next != delta {
			c.set(steering, next)
			c.set(tangent, exact.Tan(next))
		}
		f.move(c)
		c.set(age, c.get(age)+1)
		if f.sensing {
			f.sense(c)
		}
	}
}

// drive returns the speed over ground that both motors drive at.
func (c *lane) drive() float64 {
	left, right := c.get(actLeft), c.get(actRight)
	c.set(amps, c.get(idle)+float64(c.get(motor)*(math.Abs(left)+math.Abs(right))))
	c.set(volts, c.get(pack)-float64(c.get(ohms)*c.get(amps)))
	both := float64(c.get(leftGain)*c.wheel(left)) + float64(c.get(rightGain)*c.wheel(right))
	return float64(both/2) * c.get(slip)
}

// wheel returns the speed of a wheel for its motor's signed duty.
func (c *lane) wheel(duty float64) float64 {
	open := (math.Abs(duty) - c.get(deadBand)) / (1 - c.get(deadBand))
	if !(open > 0) {
		open = 0
	}
	v := float64(c.get(topSpeed)*open) * (c.get(volts) / c.get(nominal))
	if duty < 0 {
		return -v
	}
	return v
}

// aim returns the wheel angle that the servo's pulse asks for and how far a step
// brings it.
func (c *lane) aim() (want, step float64) {
	pulse := c.get(actPulse)
	if pulse == 0 {
		return c.get(steering), 0
	}
	servo := float64((pulse - 1500e-6) * (math.Pi / 2000e-6))
	return -float64(c.get(linkage) * (servo + c.get(trim))), c.get(slew)
}

// move is one step of the body. Far from everything it looks at nothing.
func (f *Fleet) move(c *lane) {
	v := c.get(speed)
	turn, moved := 0.0, math.Abs(v) > standing
	if moved {
		turn = float64(float64(v*c.get(tangent))/c.get(base)) * c.get(skid)
	}
	way := math.Abs(float64(v * dt))
	left := c.get(slack) - (c.get(creep) + (way + float64(math.Abs(float64(turn*dt))*c.get(arm))))
	if !(left > c.get(enough)) {
		f.squeeze(c, turn, moved)
		return
	}
	c.set(slack, left)
	c.set(yaw, turn)
	if moved {
		c.roll(turn)
		c.set(odometer, c.get(odometer)+way)
	}
}

// roll moves the pose along the arc of one step.
func (c *lane) roll(turn float64) {
	half := float64(float64(turn*dt) / 2)
	mid := world.Unit(c.get(heading) + half)
	way := float64(c.get(speed) * dt)
	c.set(posX, c.get(posX)+float64(way*mid.X))
	c.set(posY, c.get(posY)+float64(way*mid.Y))
	c.set(heading, exact.Wrap(c.get(heading)+float64(2*half)))
}

// body returns the disc that touches things.
func (f *Fleet) body(c *lane) world.Disc {
	r := f.numbers[c.site[carAt]:]
	centre := c.at().Add(world.Vec{X: r[carAhead]}.Turn(world.Unit(c.get(heading))))
	return world.Disc{Centre: centre, Radius: r[carRadius]}
}

// squeeze is move where something may be near.
func (f *Fleet) squeeze(c *lane, turn float64, moved bool) {
	f.walk(c.site, c.feet, int(c.get(age)-c.get(walked)))
	body := f.body(c)
	f.meet(c.site, c.feet, body)
	c.set(walked, c.get(age)+1)
	gap := f.distance(c.site, c.feet, body.Centre) - body.Radius
	if moved {
		x, y, towards := c.get(posX), c.get(posY), c.get(heading)
		c.roll(turn)
		next := f.distance(c.site, c.feet, f.body(c).Centre) - body.Radius
		if next <= 0 && next < gap {
			c.set(posX, x)
			c.set(posY, y)
			c.set(heading, towards)
			c.set(speed, 0)
			turn, gap = 0, min(gap, 0)
		} else {
			gap = next
			c.set(odometer, c.get(odometer)+math.Abs(float64(c.get(speed)*dt)))
		}
	}
	c.set(yaw, turn)
	c.touch(gap)
}

// touch keeps the contact and the slack. While something touches, or has just
// been near, there is none.
func (c *lane) touch(gap float64) {
	switch {
	case gap <= 0 && c.get(contact) == 0:
		c.set(contact, 1)
		c.set(contacts, c.get(contacts)+1)
	case gap > parting:
		c.set(contact, 0)
	}
	if c.get(contact) != 0 {
		gap = 0
	}
	c.set(slack, gap)
}
