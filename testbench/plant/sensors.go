package plant

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/world"
)

// ADC channels of a PiCar-X.
const (
	batteryChannel = 4
	fullScale      = 4095
	divider        = 3.0 // 20 kOhm over 10 kOhm
	reference      = 3.3 // V at full scale
)

const (
	rays     = 7    // in a sonar's cone
	nearest  = 0.02 // m, the HC-SR04's blind zone reads as this
	adcNoise = 2.0  // counts, of every conversion
)

// Plant returns the car as the board's plant.
func (c *Car) Plant() hat.Plant {
	return hat.Plant{Advance: c.Advance, Analog: c.Analog, Range: c.Range}
}

// Analog returns what the ADC converts on a channel, in counts 0..4095.
func (c *Car) Analog(channel int, _ time.Duration) uint16 {
	counts := 0.0
	switch {
	case channel < len(c.floor):
		counts = float64(c.world.Floor.Reflectance(c.FloorPlace(channel))*c.spread[channel]) +
			float64(c.params.FloorNoise*c.floor[channel].Normal())
	case channel == batteryChannel:
		counts = float64(c.Volts/divider/reference*fullScale) + float64(adcNoise*c.adc.Normal())
	}
	return uint16(min(max(counts+0.5, 0), fullScale))
}

// FloorPlace returns where a floor sensor looks, robot.FloorLeft first.
func (c *Car) FloorPlace(sensor int) world.Vec {
	left := float64(c.params.FloorPitch * float64(robot.FloorMiddle-sensor))
	return c.Place(c.params.FloorAhead, left)
}

// Range returns the distance a sonar measures and whether an echo comes back.
// It draws the same count of random numbers whatever it sees.
func (c *Car) Range(sonar int, _ time.Duration) (distance float64, ok bool) {
	p := &c.params
	s := &c.sonar[sonar]
	drop, noisy := s.Chance(p.DropOut), s.Normal()
	detour, longer := s.Chance(p.Multipath), s.Between(1.3, 2)

	d := c.hear(float64(robot.SectorBearing(c.sectors[sonar])), c.soft[sonar].Uniform())
	c.Heard[sonar] = d
	if detour {
		d *= longer
	}
	if drop || d > p.MaxRange {
		return 0, false
	}
	d *= 1 + float64(p.RangeNoise*noisy)
	return max(d, nearest), true
}

// Hear returns the noiseless range of a beam at a bearing from the body's
// sonar mount, in metres from the sensor's face: the nearest of the cone's
// rays that comes back, or +Inf. No surface loses this one by chance.
func (c *Car) Hear(bearing float64) float64 { return c.hear(bearing, 1) }

// hear is Hear for a ping with the given luck; see world.Hit.Echoes.
func (c *Car) hear(bearing, luck float64) float64 {
	p := &c.params
	origin := c.Place(p.SonarAhead, 0)
	limit := 0.0 // cosine of the steepest incidence that still returns
	if p.Specular > 0 {
		limit = exact.Cos(p.Specular)
	}
	middle := world.Unit(c.Heading + float64(bearing))
	best := math.Inf(1)
	for i := range rays {
		off := float64(p.Cone*(float64(i)-float64((rays-1)/2))) / float64(rays/2)
		if hit := c.world.Meet(origin, middle.Turn(world.Unit(off))); hit.Echoes(luck, limit) {
			best = min(best, hit.Distance)
		}
	}
	return best
}

// Bearing returns the true direction of the goal seen from the body's centre,
// in radians, and its distance in metres.
func (c *Car) Bearing() (bearing, distance float64) {
	d := c.world.Goal.Sub(c.Body().Centre)
	return exact.Wrap(exact.Atan2(d.Y, d.X) - c.Heading), d.Norm()
}

// Beacon fills in what a camera says about the goal at now: nothing usable
// when there is none or it is out of the field of view.
func (c *Car) Beacon(now time.Duration, t *robot.Target) {
	noisy := c.beacon.Normal()
	*t = robot.Target{}
	if !c.world.HasGoal {
		return
	}
	bearing, distance := c.Bearing()
	if math.Abs(bearing) > c.params.BeaconField {
		return
	}
	read := func(v float64) robot.Reading { return robot.Reading{Value: float32(v), At: now, OK: true} }
	t.Bearing = read(exact.Wrap(bearing + float64(c.params.BeaconNoise*noisy)))
	t.Elevation = read(0)
	t.Size = read(min(1, 0.1/max(distance, 0.1))) // a ball of 10 cm fills the image at 10 cm
	t.Confidence = read(1)
}

// Wheels returns where the four wheels touch the ground: rear left, rear
// right, front left, front right.
func (c *Car) Wheels() [4]world.Vec {
	p := &c.params
	half := p.Track / 2
	return [4]world.Vec{
		c.Place(0, half), c.Place(0, -half),
		c.Place(p.Wheelbase, half), c.Place(p.Wheelbase, -half),
	}
}
