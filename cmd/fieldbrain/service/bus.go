package service

import (
	"errors"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/guard"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/robot/safety"
)

// Names of the conditions about the car's bus, one per cause: three of them are the
// computer's, and no wire has to be looked at.
const (
	busErrors    = "bus"           // errors that a retry cured, or of another kind
	busSilent    = "bus-silent"    // nothing acknowledges
	busStarts    = "bus-starts"    // the controller was heard and reset, and does not answer yet
	busHung      = "bus-hung"      // a transaction does not return
	resetDeaf    = "reset-deaf"    // the controller answers while its reset line is low
	threadLate   = "thread-late"   // the bus owner's thread was not scheduled
	machineStood = "machine-stood" // nobody on the machine ran
	collected    = "collector"     // the collector stopped every thread
)

// BusConditions returns the names of the conditions about the car's bus.
func BusConditions() [8]string {
	return [...]string{busErrors, busSilent, busStarts, busHung, resetDeaf, threadLate, machineStood, collected}
}

// noteBus keeps a bus that is not up visible, with the driver's own words, and each trouble
// a while longer than it lasts.
func (s *Service) noteBus() {
	link := s.car.Brain.Remote().Status().State.Link
	var c loop.Condition
	if link != robot.LinkUp {
		c = busCondition(link, s.settings.Body.Kind == "sim", s.car.Driver.Stats().LastError)
	}
	s.bus.note(s.conditions, c, link, s.loop.Counts().Ticks > 0)
}

// bringUpLooks is how long the bus may take to come up from the first tick on: reset, boot
// and first writes take half a second.
const bringUpLooks = int(3 * time.Second / lookEvery)

// A busWatch is what the watch knows of the bus.
type busWatch struct {
	looks  int        // since the first tick, up to bringUpLooks
	states [8]holdOff // of BusConditions
}

// note shows a link's condition, and those that linger.
func (b *busWatch) note(to *loop.Conditions, c loop.Condition, link robot.Link, ticks bool) {
	if ticks && b.looks <= bringUpLooks {
		b.looks++
	}
	shown := b.looks > bringUpLooks && link != robot.LinkUp
	for i, name := range BusConditions() {
		if c.Name == name {
			to.Put(b.states[i].look(c, shown, int(link)))
		} else {
			to.Put(b.states[i].look(loop.Condition{Name: name}, false, 0))
		}
	}
}

// busCondition explains a link that is not up and names the remedy. A simulated
// car has no wires: its remedy is the computer or the scenario.
func busCondition(link robot.Link, simulated bool, last error) loop.Condition {
	c := loop.Condition{
		Name: busErrors, Value: "the link to the car is " + link.String(),
		Remedy: "is the HAT on, its battery charged, SDA and SCL wired? see fieldbrain doctor",
	}
	c.Cause = "the driver has no error to tell of"
	if last != nil {
		c.Cause = last.Error()
	}
	if link == robot.LinkLate {
		return lateCondition(c, last)
	}
	var silence *picarx.SilenceError
	var bus *picarx.BusError
	switch {
	case errors.Is(last, picarx.ErrPulled): // what failed meanwhile failed for that
		c.Value, c.Remedy = "the guard has reset the HAT, which starts again", "see the condition guard-stopped"
	case link == robot.LinkDegraded: // something answers
	case errors.Is(last, guard.ErrOther):
		c.Value, c.Remedy = "another daemon has the car's bus", otherDaemon
	case errors.Is(last, robot.ErrHeld): // nobody has asked the bus
		c.Value, c.Remedy = "the HAT is kept in reset, and its bus is not used", "see the condition guard"
	case errors.As(last, &silence) && silence.Reason == picarx.Hung,
		errors.As(last, &bus) && (bus.Cause == picarx.Timeout || bus.Cause == picarx.Arbitration):
		c.Name, c.Value = busHung, "a transaction on the car's bus does not return"
		c.Remedy = "SDA or SCL is held low: is the HAT powered, are ground and both wires connected, is nothing else on this bus?"
	default:
		c = controllerCondition(c, last)
	}
	if simulated {
		c.Remedy = daemon.SimulatedRemedy
	}
	return c
}

// controllerCondition explains a HAT's controller that is not up, where the bus works.
func controllerCondition(c loop.Condition, last error) loop.Condition {
	var bus *picarx.BusError
	switch {
	case errors.Is(last, picarx.ErrDesync), errors.Is(last, picarx.ErrBehind):
		c.Value = "the HAT's ADC answers out of step, and the driver resets its controller"
		c.Remedy = "once is nothing; again and again: the bus at 100 kHz (fieldbrain doctor, i2c), then adc_gap = \"200us\" in [body]"
	case errors.Is(last, picarx.ErrResetDeaf):
		c.Name, c.Value = resetDeaf, "the HAT's controller answers while its reset line is low: nothing would stop the motors if this program died"
		c.Remedy = "lift the wheels off the ground; check the wire of header pin 29 (MCURST) and that its pad is GPIO (docs/troubleshooting.md, The reset line is deaf); it is tried again every second"
	case errors.Is(last, picarx.ErrBooting):
		c.Name, c.Value = busStarts, "the HAT's controller has answered, was reset and starts"
		c.Remedy = "wait; if it stays silent for 12 s, look at its switch and its battery"
	case errors.Is(last, picarx.ErrNoHat), errors.As(last, &bus) && bus.Cause == picarx.NoAck:
		c.Name, c.Value = busSilent, "nothing answers on the car's bus"
		c.Remedy = "is the HAT on, its battery charged, its reset line (pin 29) high, and is this its bus? fieldbrain doctor names the bus"
	}
	return c
}

// lateCondition says what kept the computer from serving the bus.
func lateCondition(c loop.Condition, last error) loop.Condition {
	var silence *picarx.SilenceError
	why := picarx.Late
	if errors.As(last, &silence) {
		why = silence.Reason
	}
	switch why {
	case picarx.Stood:
		c.Name, c.Value = machineStood, "the machine stood still and did not serve the car's bus"
		c.Remedy = "give this virtual machine processors of its own, or drive from a real one; then fieldbrain arm"
	case picarx.Collected:
		c.Name, c.Value = collected, "the program's collector stopped the thread that serves the car's bus"
		c.Remedy = "report it with this status; more free memory and fewer observers shorten it; then fieldbrain arm"
	default:
		c.Name, c.Value, c.Remedy = threadLate, "the computer did not serve the car's bus in time", daemon.Remedies(safety.LinkLate)
	}
	return c
}

// whyLate tells the driver what kept its thread, for a silence that no wire caused.
func (s *Service) whyLate(silent time.Duration) picarx.Reason {
	switch s.witness.Over(silent + witnessed).Explain(silent) {
	case loop.MachineStood:
		return picarx.Stood
	case loop.Collection:
		return picarx.Collected
	}
	return picarx.Late
}

// witnessed is how much older than a silence the look may be that it is compared
// with: the silence is noticed up to 10 ms late, and looks come ten a second.
const witnessed = 20 * time.Millisecond

// noteDisarmed keeps visible why a car stands that disarmed itself, and the way
// back, until somebody arms it.
func (s *Service) noteDisarmed() {
	s.conditions.Put(s.disarmed(s.car.Brain.Remote().Status().Safety, s.car.Driver.Stats().LastError))
}

// disarmed returns the condition of a car that disarmed itself, and whether it is one:
// not where --arm is about to arm it again.
func (s *Service) disarmed(status safety.Status, last error) (loop.Condition, bool) {
	again, against := s.arming.resumes(status.Tripped)
	switch {
	case status.Armed || status.Tripped&^safety.EStop == 0 || again && against == nil:
		return loop.Condition{Name: disarmedName}, false
	case again:
		return waitingCondition(status.Tripped, against), true
	}
	return disarmedCondition(status.Tripped, s.settings.Body.Kind == "sim", last), true
}

// disarmedName is that of the condition of a car that disarmed itself.
const disarmedName = "disarmed"

// disarmedCondition says what disarmed the car and how it drives again.
func disarmedCondition(why safety.Causes, simulated bool, last error) loop.Condition {
	c := loop.Condition{
		Name: disarmedName, Value: "the car has disarmed itself: " + why.Words(),
		Cause: "it does not drive on by itself after this", Remedy: daemon.Rearming(why, simulated),
	}
	if last != nil && why&(safety.LinkDown|safety.LinkLate) != 0 {
		c.Cause = last.Error()
	}
	return c
}

// waitingCondition says what disarmed a simulated car that --arm would arm again, and what
// stands against that.
func waitingCondition(why safety.Causes, against error) loop.Condition {
	c := loop.Condition{
		Name: disarmedName, Value: "the car has disarmed itself: " + why.Words(),
		Cause: "--arm does not get it armed again: " + against.Error(), Remedy: "the loop or another order keeps it waiting: see the conditions beside this one",
	}
	var refusal *safety.Refusal
	if errors.As(against, &refusal) {
		c.Cause = "--arm arms it again once this is over: " + refusal.Causes.Words()
		if c.Remedy = daemon.Remedies(refusal.Causes); refusal.Causes == safety.LinkDown {
			c.Remedy = daemon.SimulatedRemedy
		}
	}
	return c
}
