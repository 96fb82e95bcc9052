package picarx

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/robot"
)

// ErrResetDeaf reports that the controller answers while its reset line is low. The line
// is what stops the motors when the program or the bus cannot, so the car does not get
// ready; the driver writes zeros and tries the line again once a back-off.
var ErrResetDeaf = errors.New("picarx: the reset line is low and the HAT's controller answers: no reset reaches it, and nothing would stop the motors if this program died")

// resetDeaf says at which address, and what to look at.
func (b *bus) resetDeaf() error {
	remedy := "check the wire of header pin 29 (MCURST) and that its pad is GPIO (pinmux: docs/troubleshooting.md), with the motors' wheels off the ground; if it is no HAT that answers there, name the HAT's address (hat_address in [body])"
	if b.simulated {
		remedy = "its scenario has cut the line (reset-deaf)"
	}
	return fmt.Errorf("%w: at %#02x: %s", ErrResetDeaf, b.addr, remedy)
}

// addresses returns where the controller may be.
func (c *Car) addresses() [2]uint16 {
	if c.p.Addr != 0 {
		return [...]uint16{c.p.Addr, c.p.Addr}
	}
	return [...]uint16{addrPrimary, addrSecondary}
}

// beginTest pulls the reset line once more: where that is refused, somebody else may
// drive the HAT, and nobody here asks it anything.
func (c *Car) beginTest(now time.Duration) time.Duration {
	if err := c.drives(c.w.Reset, false); errors.Is(err, robot.ErrHeld) {
		c.link.until = now + c.p.ResetWait
		return c.link.until
	}
	c.link.probe, c.bus.failures = 0, 0
	c.enter(phaseTest, c.link.low)
	return now
}

// test asks for the controller, whose reset line is low: it must not answer. Silence
// proves nothing of a HAT that is off or still starts, which is reset again when it is
// first heard. A bus that gives no clear answer keeps it in reset for a back-off.
func (c *Car) test(now time.Duration) time.Duration {
	near := c.addresses()
	switch {
	case c.parked.Load():
		return now + c.p.BackOff
	case c.link.probe == len(near):
		return c.raise(now)
	}
	addr := near[c.link.probe]
	c.bus.dead = true
	err := c.bus.probe(addr)
	c.bus.dead = false
	switch {
	case err == nil:
		c.bus.addr, c.link.start = addr, 0
		c.late.Store(false)
		c.tell(c.bus.resetDeaf())
		c.enter(phaseDeaf, 0)
		return now
	case Classify(err) == NoAck:
		if c.link.probe++; near[0] == near[1] {
			c.link.probe = len(near)
		}
	case c.bus.lost(readRetries, c.p.Silence):
		c.late.Store(false)
		c.tell(err)
		c.link.low = c.bus.ended + c.p.BackOff
		c.enter(phaseReset, c.link.low)
		return c.link.low
	}
	return now
}

// raise lets the controller start, when the reset line has been low long enough.
func (c *Car) raise(now time.Duration) time.Duration {
	if now < c.link.until {
		return c.link.until
	}
	if err := c.drives(c.w.Reset, true); errors.Is(err, robot.ErrHeld) {
		c.link.until = now + c.p.ResetWait
		return c.link.until
	}
	if c.tripped.Load() != nil { // a stop came in between and wins
		c.set(c.w.Reset, false)
		return now
	}
	c.link.rose = now
	c.enter(phaseBoot, now+c.p.ResetWait)
	return c.link.until
}

// deaf does what is left to do for a controller that no reset reaches: somebody may have
// left it with its motors on. Then it waits, with the line low, and tests it again.
func (c *Car) deaf(now time.Duration) time.Duration {
	switch {
	case now < c.link.until:
		return c.link.until
	case c.link.until > 0:
		c.link.low = now
		return c.beginTest(now)
	case c.link.start < c.link.zeros:
		err := c.zero(c.link.start)
		if err == nil {
			c.link.start++
			return now
		}
		if !c.bus.lost(motorRetries, c.p.Silence) {
			return now
		}
	}
	if c.link.start == deafZeros {
		c.link.zeros = deafRound
	}
	c.tell(c.bus.resetDeaf())
	c.link.until = c.bus.ended + c.p.BackOff
	return c.link.until
}

// A controller that has lost a byte takes every later group of three one or two bytes
// late, and a zero for a motor goes elsewhere. Only a reset would set it right, and none
// reaches it; so a byte goes out after the zeros, by which it takes the next ones in step,
// or those after one more. Three of them leave it as it was. Once it has had the zeros in
// every step a round a second is enough.
const (
	deafRound = 3             // writes: right motor, left motor, the byte
	deafZeros = 3 * deafRound // of a round for every step
)

// zero does the write of a number: a zero for a motor, or one byte of a group.
func (c *Car) zero(number int) error {
	if i := number % deafRound; i < len(c.motors) {
		return c.bus.write(c.motors[len(c.motors)-1-i].register, 0)
	}
	if err := c.bus.pad(); err != nil {
		c.bus.failures = 0 // it takes groups only: then it is in step
	}
	return nil
}

// tell keeps why the controller is not up.
func (c *Car) tell(err error) {
	c.link.lost = err
	c.count.fail(err)
}
