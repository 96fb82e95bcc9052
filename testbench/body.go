package testbench

import (
	"sync"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A Body is the driver's car with what the bench adds: the beams and the
// beacon that are not on the Robot HAT. It implements robot.Body.
type Body struct{ rig *Rig }

// Sense implements robot.Body. Yaw and Speed stay empty: the kit measures
// neither.
func (b *Body) Sense(s *robot.State) {
	if b.rig.virtual != nil { // the bench's own sensors wait for no transaction
		b.rig.Board.CatchUp(nil)
	}
	b.rig.Driver.Sense(s)
	b.rig.eyes.read(s)
	b.rig.recorder.account.sense(s)
}

// Act implements robot.Body. The command is also recorded.
func (b *Body) Act(c robot.Command) error {
	if b.rig.tick > 0 {
		b.rig.clock.SleepUntil(b.rig.clock.Now() + b.rig.tick)
	}
	b.rig.recorder.command(c, b.rig.clock.Now())
	b.rig.recorder.account.act(c)
	return b.rig.Driver.Act(c)
}

// Truth is Rig.Truth, for a pilot that is an upper bound and no driver; a brain
// knows its body as a robot.Body, which has no such thing.
func (b *Body) Truth(look func(c *plant.Car, w *world.World)) { b.rig.Truth(look) }

// Halt implements robot.Body.
func (b *Body) Halt() error { return b.rig.Driver.Halt() }

// Responses drains the driver's responses; see picarx.Car.Responses.
func (b *Body) Responses(dst []picarx.Response) int { return b.rig.Driver.Responses(dst) }

const (
	beamPeriod   = 40 * time.Millisecond // 25 Hz, as docs/specification.md C.1
	beaconPeriod = 50 * time.Millisecond
	eyesLead     = time.Millisecond // from a sample to the release that uses it
)

// Eyes are the sensors beside the HAT: the range sectors of profile P1 other
// than the front, and the beacon's bearing. The plant's steps sample them; the
// brain copies the newest values.
type eyes struct {
	first, count int // sonar numbers sampled here
	sectors      []int
	beam, beacon time.Duration // next sample

	mu     sync.Mutex
	ears   [robot.NumSectors]robot.Hearing
	ranges [robot.NumSectors]robot.Reading
	target robot.Target
}

// newEyes returns the eyes of a car; they trust silence as its driver does.
func newEyes(c *plant.Car, onHat int, trust float32) eyes {
	var ears [robot.NumSectors]robot.Hearing
	for i := range ears {
		ears[i].Trust = trust
	}
	return eyes{first: onHat, count: len(c.Sectors()), sectors: c.Sectors(), beam: c.Now, beacon: c.Now, ears: ears}
}

// pace puts the samples a little before a release, as a driver does that triggers
// its sensors: the next are due at the first such instant after now.
func (e *eyes) pace(first, now time.Duration) {
	e.beam = after(now, first-eyesLead, beamPeriod)
	e.beacon = after(now, first-eyesLead, beaconPeriod)
}

// after returns the first instant of a grid after now.
func after(now, at, period time.Duration) time.Duration {
	at += (now - at) / period * period
	for at <= now {
		at += period
	}
	return at
}

// step samples the sensors that are due. They judge silence as the driver's sonars do.
func (e *eyes) step(c *plant.Car) {
	if c.Now >= e.beam && e.first < e.count {
		e.beam += beamPeriod
		e.mu.Lock()
		for i := e.first; i < e.count; i++ {
			ear, reading := &e.ears[e.sectors[i]], &e.ranges[e.sectors[i]]
			if d, ok := c.Range(i, c.Now); ok {
				*reading = ear.Echo(float32(d), c.Now)
			} else {
				*reading = ear.Silence(c.Now)
			}
		}
		e.mu.Unlock()
	}
	if c.Now >= e.beacon {
		e.beacon += beaconPeriod
		e.mu.Lock()
		c.Beacon(c.Now, &e.target)
		e.mu.Unlock()
	}
}

// read fills in the bench's own sensors.
func (e *eyes) read(s *robot.State) {
	e.mu.Lock()
	for i := e.first; i < e.count; i++ {
		s.Range[e.sectors[i]] = e.ranges[e.sectors[i]]
	}
	s.Target = e.target
	e.mu.Unlock()
}
