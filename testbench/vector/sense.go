package vector

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/world"
)

// Steps between two samples of a sensor: 25 Hz and 200 Hz, as the bench's rig
// takes its beams and the driver its floor sensors.
const (
	PingSteps = 40
	LookSteps = 5
)

// Numbers that a ping and a look take from their streams.
const (
	pingDraws = 5
	lookDraws = 2
)

// golden and mix are those of testbench/noise.
const golden = 0x9E3779B97F4A7C15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// uniform returns number n of a stream, in [0, 1), n from 1.
func uniform(key uint64, n float64) float64 {
	return float64(float64(mix(key+uint64(n)*golden)>>11) * 0x1p-53)
}

// normal returns the normal number that a stream's numbers n and n+1 make.
func normal(key uint64, n float64) float64 {
	u := 1 - uniform(key, n)
	v := uniform(key, n+1)
	return math.Sqrt(-2*exact.Log(u)) * exact.Cos(2*math.Pi*v)
}

// sense samples what is due.
func (f *Fleet) sense(c *lane) {
	c.set(nextPing, c.get(nextPing)-1)
	if c.get(nextPing) == 0 {
		c.set(nextPing, PingSteps)
		f.pingAll(c)
	}
	c.set(nextLook, c.get(nextLook)-1)
	if c.get(nextLook) == 0 {
		c.set(nextLook, LookSteps)
		f.look(c)
	}
}

// Sample lets a car's sensors sample once more, now: after a reset they have said
// nothing yet. What they sample later comes at the same steps as without.
func (f *Fleet) Sample(car int) {
	c := f.lane(car)
	f.pingAll(&c)
	f.look(&c)
}

// pingAll lets every sonar ping.
func (f *Fleet) pingAll(c *lane) {
	f.walk(c.site, c.feet, int(c.get(age)-c.get(walked)))
	c.set(walked, c.get(age))
	for s, bearing := range f.bearings {
		f.ping(c, s, bearing)
	}
	c.set(pings, c.get(pings)+1)
}

// ping is plant.Car.Range.
func (f *Fleet) ping(c *lane, sonar int, bearing float64) {
	key, n := c.keys[(sonarKey+sonar)*Lanes], float64(pingDraws*c.get(pings))
	drop, noisy := uniform(key, n+1) < c.get(dropOut), normal(key, n+2)
	detour, longer := uniform(key, n+4) < c.get(detours), 1.3+float64((2-1.3)*uniform(key, n+5))
	luck := uniform(c.keys[(softKey+sonar)*Lanes], c.get(pings)+1)
	d := f.hear(c, bearing, luck)
	c.set(heard+sonar, d)
	if detour {
		d *= longer
	}
	if drop || d > c.get(maxRange) {
		c.set(ranges+sonar, -1)
		return
	}
	d *= 1 + float64(c.get(rangeErr)*noisy)
	c.set(ranges+sonar, max(d, nearest))
}

// look is plant.Car.Analog for the floor sensors.
func (f *Fleet) look(c *lane) {
	r := f.numbers[c.site[carAt]:]
	face, n := world.Unit(c.get(heading)), float64(lookDraws*c.get(looks))
	for i := range numFloor {
		left := float64(r[carPitch] * float64(1-i))
		q := c.at().Add(world.Vec{X: r[carFloor], Y: left}.Turn(face))
		v := float64(f.reflectance(c.site, q)*c.get(spread+i)) +
			float64(c.get(floorErr)*normal(c.keys[(floorKey+i)*Lanes], n+1))
		c.set(counts+i, math.Floor(min(max(v+0.5, 0), fullScale)))
	}
	c.set(looks, c.get(looks)+1)
}
