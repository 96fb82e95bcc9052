package picarx

import "time"

// A phase is one timed state of the link to the controller.
type phase uint8

const (
	phaseCold    phase = iota // nothing done yet
	phaseReset                // reset line low, every output dead
	phaseTest                 // reset line low: is the controller dead, as it must be?
	phaseDeaf                 // reset line low, and it answers: the line stops nothing
	phaseBoot                 // reset line high, the controller starts
	phaseProbe                // looking for its address
	phaseBackOff              // nothing answered: HAT off? Its reset line stays high, or one that starts slowly never would
	phaseStart                // programming zeros, timers and centres
	phaseReady                // driving
	phaseRefused              // a board this driver must not drive
)

// String returns the phase's name as telemetry prints it.
func (p phase) String() string {
	names := [...]string{"cold", "reset", "test", "deaf", "boot", "probe", "back-off", "start", "ready", "refused"}
	return names[int(p)%len(names)]
}

// probeRounds is how often the driver tries every address before it backs off;
// a single lost acknowledge must not cost a second.
const probeRounds = 3

// A controller that has answered and was then reset is there and starts: nobody resets
// it again meanwhile. Nobody has published how long the start takes; the vendor waits
// 210 ms.
const (
	bootPatience = 12 * time.Second       // of silence since its reset, then it counts as off
	bootPoll     = 100 * time.Millisecond // between two looks for its address
)

// A link is where the bring-up stands.
type link struct {
	phase phase
	until time.Duration // end of a timed phase
	low   time.Duration // the reset line stays low at least until then
	probe int           // probes done in this phase
	start int           // writes of the start sequence done, or of those to a controller that no reset reaches
	zeros int           // how many of those there shall be
	fresh bool          // the controller was reset since it last failed to answer
	heard bool          // it answered just before that reset: silence since then is its start
	rose  time.Duration // when the reset line went high
	lost  error         // why it was reset, nil after bring-up succeeded

	readyAt time.Duration // when the newest bring-up succeeded
}

// Service does at most one I2C transaction and returns when it wants to be
// called next; an instant at or before now means at once. It brings the
// controller up, keeps it in step, and recovers it by itself. It never sleeps
// and allocates only for errors. Calls from several goroutines exclude each
// other without waiting.
func (c *Car) Service(now time.Duration) (next time.Duration) {
	if !c.serving.CompareAndSwap(false, true) {
		return now + c.p.Poll
	}
	defer c.serving.Store(false)
	c.due.Store(int64(now))
	if t := c.tripped.Swap(nil); t != nil {
		c.takeTrip(t, now)
	}
	switch c.link.phase {
	case phaseCold:
		c.hold(now, c.p.ResetLow)
		next = c.link.until
	case phaseReset, phaseBoot, phaseBackOff:
		next = c.wait(now)
	case phaseTest:
		next = c.test(now)
	case phaseDeaf:
		next = c.deaf(now)
	case phaseProbe:
		next = c.probe(now)
	case phaseStart:
		next = c.start(now)
	case phaseReady:
		next = c.ready(now)
	case phaseRefused:
		next = now + c.p.BackOff
	}
	c.acknowledge()
	if c.changed {
		c.outcome.publish(&c.told)
		c.changed = false
	}
	c.due.Store(int64(max(next, now)))
	return next
}

// enter changes the phase.
func (c *Car) enter(p phase, until time.Duration) {
	c.link.phase, c.link.until = p, until
	c.count.phase.Store(uint32(p))
}

// hold stops everything through the reset line for the given time, and tests the line
// in the last of it. Readings stay, with their age; motions are forgotten.
func (c *Car) hold(now, low time.Duration) {
	c.set(c.w.Reset, false)
	c.link.low = now + low
	c.enter(phaseReset, c.link.low-c.p.ResetLow/2)
	c.link.fresh, c.link.zeros = true, deafZeros
	c.bus.failures = 0
	c.drive.reset(now)
	c.adc.reset()
	c.told.wheel, c.changed = 0, true
}

// lose gives the controller up after err: stop through the reset line, then
// bring-up from the beginning. One that was lost before and did not last for a
// back-off since is held in reset for that long: no storm of resets.
func (c *Car) lose(now time.Duration, err error) {
	low := c.p.ResetLow
	lasted := c.link.phase == phaseReady && now-c.link.readyAt >= c.p.BackOff
	if c.count.resets.Load() > 0 && !lasted {
		low = c.p.BackOff
	}
	c.count.resets.Add(1)
	c.link.lost, c.link.heard = err, false
	c.late.Store(false)
	c.hold(now, low)
}

// takeTrip notes a stop that another goroutine made through the reset line.
func (c *Car) takeTrip(t *trip, now time.Duration) {
	low := max(t.low, c.p.ResetLow)
	switch c.link.phase {
	case phaseRefused:
		return
	case phaseReady, phaseStart:
		if t.reason != nil {
			c.count.resets.Add(1)
		}
	case phaseTest, phaseDeaf, phaseProbe, phaseBoot, phaseBackOff:
		low = max(low, c.p.BackOff) // it did not answer anyway: no storm of resets
	}
	c.link.lost = t.reason
	c.late.Store(late(t.reason))
	c.hold(now, low)
}

// wait lets a timed phase pass.
func (c *Car) wait(now time.Duration) time.Duration {
	if now < c.link.until {
		return c.link.until
	}
	if c.parked.Load() {
		return now + c.p.BackOff
	}
	switch c.link.phase {
	case phaseReset:
		return c.beginTest(now)
	case phaseBackOff:
		c.link.fresh = false
	}
	c.link.probe = 0
	c.bus.failures = 0
	c.enter(phaseProbe, now)
	return now
}

// probe tries one address. An answer after a back-off means that somebody
// switched the HAT on meanwhile, in an unknown state, or that it starts slowly: the
// driver resets it before use, and then waits for it as long as its start may take.
func (c *Car) probe(now time.Duration) time.Duration {
	near := c.addresses()
	list := [...]uint16{near[0], near[1], addrOther}
	addr := list[c.link.probe%len(list)]
	c.link.probe++
	c.bus.starts = c.link.heard
	err := c.bus.probe(addr)
	switch {
	case err == nil && (addr == addrOther || addr == addrSecondary && c.p.Addr == 0):
		c.refuse(addr)
		return now + c.p.BackOff
	case err == nil && !c.link.fresh:
		c.count.resets.Add(1)
		c.link.heard = true
		c.hold(c.bus.ended, c.p.ResetLow)
		return c.link.until
	case err == nil:
		c.bus.addr = addr
		c.link.start = 0
		c.enter(phaseStart, now)
		return now
	}
	slow := c.bus.ended-c.bus.failing >= c.p.Silence
	if c.link.probe < probeRounds*len(list) && !slow {
		return now
	}
	next, pause := phaseBackOff, c.p.BackOff
	c.link.lost = c.bus.noHat(err)
	if since := c.bus.ended - c.link.rose; c.link.heard && since < bootPatience {
		next, pause = phaseBoot, bootPoll
		c.link.lost = c.bus.booting(since, err)
	} else {
		c.link.heard = false
	}
	c.late.Store(false)
	c.count.fail(c.link.lost)
	c.enter(next, c.bus.ended+pause)
	return c.link.until
}

// refuse gives up for good on a board with another register map, or on one at the
// address that the vendor gives a V5, which nobody has called a V4.
func (c *Car) refuse(addr uint16) {
	err := &BoardError{BoardV6, "a controller answers at 0x17: v6 and Fusion HATs have a different register map; fit a V4 HAT"}
	if addr == addrSecondary {
		err = &BoardError{BoardV5, "a controller answers at 0x15 and none at 0x14: the vendor lists V5 there, whose motors a V4's commands would brake; fit a V4 HAT, or, where V4 is printed on this one, write hat_address = 21 in [body]"}
	}
	c.count.fail(err)
	c.refused.Store(err)
	c.link.lost = err
	c.enter(phaseRefused, 0)
}

// start does one write of the start sequence: duties zero before anything
// else, direction lines forward, timers, servos at their centres.
func (c *Car) start(now time.Duration) time.Duration {
	i := c.link.start
	var err error
	switch {
	case i < 2:
		err = c.bus.write(c.motors[1-i].register, 0) // right, then left
	case i < 2+len(timerWrites):
		w := timerWrites[i-2]
		err = c.bus.write(w.register, w.value)
	default:
		s := &c.servos[i-2-len(timerWrites)]
		s.want = c.servoWants()[i-2-len(timerWrites)]
		if err = c.bus.write(s.register, s.want); err == nil {
			s.wrote, s.at = s.want, c.bus.ended
		}
	}
	if err != nil {
		if c.bus.lost(motorRetries, c.p.Silence) {
			c.lose(c.bus.ended, err)
		}
		return now
	}
	c.link.start++
	if c.link.start == 2 {
		c.straighten()
	}
	if c.link.start == 2+len(timerWrites)+len(c.servos) {
		c.begin(c.bus.ended)
	}
	return now
}

// straighten sets both direction lines forward; both duties are zero.
func (c *Car) straighten() {
	for i := range c.motors {
		m := &c.motors[i]
		m.high = i == rightPlug
		c.set(m.dir, m.high)
	}
}

// begin makes the car ready. Commands decided before have no authority, so
// nothing moves until the brain has seen the recovery.
func (c *Car) begin(now time.Duration) {
	for i := range c.motors {
		m := &c.motors[i]
		m.want, m.wrote, m.at, m.owed = wheel{high: m.high}, 0, now, 1
	}
	c.barrier, c.still, c.link.readyAt = now, now, now
	c.drive.reset(now)
	c.adc.begin(now)
	c.supply = supply{now: now} // it may be another pack
	c.timers = timers{at: now + c.p.TimerRefresh, period: now}
	c.link.lost, c.link.heard = nil, false
	c.late.Store(false)
	c.told.steering, c.told.pan, c.told.tilt = 0, 0, 0
	c.changed = true
	c.enter(phaseReady, 0)
}

// acknowledge tells Halt that the motors are inert: their zeros are written,
// or the controller starts after an orderly reset.
func (c *Car) acknowledge() {
	ticket := c.halts.Load()
	if ticket == c.halted.Load() {
		return
	}
	switch c.link.phase {
	case phaseReady:
		if c.haltSeen != ticket || !c.motors[0].inert() || !c.motors[1].inert() {
			return
		}
	case phaseDeaf:
		if c.link.start < c.link.zeros {
			return
		}
	case phaseBoot:
		if c.link.lost != nil {
			return
		}
	default:
		return
	}
	c.halted.Store(ticket)
}
