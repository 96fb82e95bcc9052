package picarx

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/robot"
)

// A Reason says why the bus owner did not come back in time.
type Reason uint8

// The reasons, as far as the watch can tell them apart.
const (
	Hung      Reason = iota // a transaction does not return: a wire or the adapter
	Late                    // its thread was ready and did not run: a busy computer
	Stood                   // nobody on the machine ran: its host gave the time to others
	Collected               // the collector of this program stopped all its threads
	Silent                  // nothing came late: the controller is not up, so it answers nobody
)

// String returns the reason's name as logs and telemetry print it.
func (r Reason) String() string {
	switch r {
	case Late:
		return "late thread"
	case Stood:
		return "machine stood still"
	case Collected:
		return "collector"
	case Silent:
		return "silent controller"
	}
	return "hanging transaction"
}

// OnSilence sets a function that tells the kinds of lateness apart: Late, Stood or
// Collected, for a silence that no wire caused. Call it before Run; without one all
// are Late.
func (c *Car) OnSilence(why func(silent time.Duration) Reason) { c.witness = why }

// lateness asks the witness, who knows the computer and not the wires.
func (c *Car) lateness(silent time.Duration) Reason {
	if c.witness != nil {
		if r := c.witness(silent); r != Hung {
			return r
		}
	}
	return Late
}

// A SilenceError says that the bus owner was silent too long, why, and what the
// watch saw. The watch stopped the motors through the reset line, whatever the
// reason.
type SilenceError struct {
	Reason    Reason
	Silent    time.Duration // how long the owner is overdue
	Busy      time.Duration // of which it has been in one transaction, 0 between two
	Watch     time.Duration // how late the watch itself woke up
	Simulated bool          // there are no wires
}

// Error names the silence, the lateness of the watch beside it, and the remedy.
func (e *SilenceError) Error() string {
	seen := fmt.Sprintf("picarx: bus owner silent for %v, the watch woke %v late", tenths(e.Silent), tenths(e.Watch))
	if e.Busy > 0 {
		seen += fmt.Sprintf(", a transaction is %v old", tenths(e.Busy))
	}
	return seen + ": " + e.Reason.explain(e.Simulated)
}

// tenths rounds a duration to what a person reads: tenths of a millisecond.
func tenths(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// explain says what happened and what a person can do.
func (r Reason) explain(simulated bool) string {
	const stopped = "motors stopped through the reset line: "
	switch {
	case r == Stood:
		return "the machine stood still, no wire is at fault; " + stopped + stolenTime
	case r == Collected:
		return "the program's own collector stopped its threads, no wire is at fault; " + stopped + ownMemory
	case r == Late && simulated:
		return "the computer gave the simulated car's thread no time; " + stopped + busyComputer
	case r == Late:
		return "the computer gave its thread no time, no wire is at fault; " + stopped + busyComputer
	case simulated:
		return "a transaction hangs because the scenario holds the simulated bus; " + stopped + "nothing is to be mended"
	}
	return "an I2C transaction hangs; " + stopped + "is SDA or SCL held low?"
}

// busyComputer is the remedy for a late thread.
const busyComputer = "end what else runs on this computer, or let the daemon have its real-time class (fieldbrain doctor)"

// What to do about a machine whose host takes its time, and about the collector.
const (
	stolenTime = "give this virtual machine processors of its own, or drive from a real one"
	ownMemory  = "report it with what fieldbrain status says; more free memory and fewer observers shorten it"
)

// A StopError says why the HAT did not acknowledge a stop in time. The driver
// pulled the reset line low instead.
type StopError struct {
	Waited time.Duration
	Reason Reason // Late: nobody ran who could have acknowledged it; Silent: the HAT could not
	Held   bool   // the reset line obeyed, so the motors are inert all the same
	Err    error  // newest error of the driver, nil when there was none

	Simulated bool // there are no wires, and a reset line that obeys works
}

// Error names the wait, the reason and the newest error.
func (e *StopError) Error() string {
	text := fmt.Sprintf("picarx: stop not acknowledged within %v, reset line held low", e.Waited)
	if !e.Held {
		text = fmt.Sprintf("picarx: stop not acknowledged within %v, and the reset line refused to go low", e.Waited)
	}
	if e.Reason == Late {
		return text + ": the computer gave the driver's thread no time: " + busyComputer
	}
	switch {
	case e.Err != nil:
		text += ": " + e.Err.Error()
	case e.Simulated:
		text += ": the simulated bus is too slow for the zeros of a stop (hat.clock_hz, hat.overhead_us)"
	}
	return text
}

// Unwrap returns the driver's newest error.
func (e *StopError) Unwrap() error { return e.Err }

// LateStop reports whether err is only about a stop that a busy computer did not
// acknowledge in time, that the guard was first with, or that a simulated controller was
// not up for: the reset line has made the motors inert. Whether a real one's works nobody
// knows while it is silent.
func LateStop(err error) bool {
	var stop *StopError
	return errors.As(err, &stop) && stop.Held &&
		(stop.Reason == Late || stop.Reason == Silent && stop.Simulated || errors.Is(stop.Err, robot.ErrHeld))
}

// late reports whether err is a silence or a missing acknowledgement of a thread
// that came late.
func late(err error) bool {
	var silence *SilenceError
	var stop *StopError
	return errors.As(err, &silence) && silence.Reason != Hung || errors.As(err, &stop) && stop.Reason == Late
}

// Watch is the third state machine: it pulls the reset line low when Service
// is overdue by Params.Heartbeat, because a transaction that hangs in the
// kernel cannot be cancelled. It returns when it wants to be called next and
// must be called from another goroutine than Service, or in virtual time from
// within a transaction's wait.
func (c *Car) Watch(now time.Duration) (next time.Duration) {
	woke := time.Duration(0)
	if c.watchAt > 0 {
		woke = max(0, now-c.watchAt)
	}
	due := c.due.Load()
	if silent := now - time.Duration(due); silent > c.p.Heartbeat && due != c.excused {
		c.excused = due // one stop per silence
		e := c.silence(now, woke)
		c.set(c.w.Reset, false) // before any question is asked
		if e.Reason = c.reason(e); e.Reason != Hung {
			c.count.lates.Add(1)
			e.Reason = c.lateness(e.Silent)
		}
		c.count.stalls.Add(1)
		c.trip(e, c.p.ResetLow)
	}
	c.watchAt = now + c.p.Heartbeat/5
	return c.watchAt
}

// silence notes what the watch, which woke late by woke, sees of the bus owner
// at now.
func (c *Car) silence(now, woke time.Duration) *SilenceError {
	e := &SilenceError{
		Silent: now - time.Duration(c.due.Load()), Watch: woke, Simulated: c.w.Held != nil,
	}
	if entered := c.bus.entered.Load(); entered != 0 {
		e.Busy = max(0, now-time.Duration(entered))
	}
	return e
}

// reason says why the owner is silent. The computer caused the time in which
// the watch did not run either; the rest of the silence must be too long by
// itself.
func (c *Car) reason(e *SilenceError) Reason {
	if e.Silent-e.Watch <= c.p.Heartbeat {
		return Late
	}
	return c.cause()
}

// cause looks at the owner itself. A thread between two calls of Service waits for
// nothing but its turn, a model hangs only when its scenario says so, and a thread
// that is ready without running waits for no wire.
func (c *Car) cause() Reason {
	switch {
	case !c.serving.Load():
		return Late
	case c.w.Held != nil:
		if c.w.Held() {
			return Hung
		}
		return Late
	case c.starved != nil && c.starved():
		return Late
	}
	return Hung
}
