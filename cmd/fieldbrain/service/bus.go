package service

import (
	"strings"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// Names of the conditions about the car's bus.
const (
	busDown = "bus"      // errors, or nothing answers
	busLate = "bus-late" // the computer did not serve it in time
)

// noteBus keeps a bus that is not up visible, with the driver's own words.
func (s *Service) noteBus() {
	link := s.car.Brain.Remote().Status().State.Link
	c := busCondition(link, s.settings.Body.Kind == "sim", s.car.Driver.Stats().LastError)
	const bringUp = 3 * time.Second // reset, boot and first writes take half a second
	shown := time.Since(s.since) > bringUp && link != robot.LinkUp
	for _, name := range []string{busDown, busLate} {
		if shown && c.Name == name {
			s.conditions.Set(c)
		} else {
			s.conditions.Clear(name)
		}
	}
}

// busCondition explains a link that is not up and names the remedy. A simulated
// car has no wires: its remedy is the computer or the scenario.
func busCondition(link robot.Link, simulated bool, last error) loop.Condition {
	c := loop.Condition{
		Name: busDown, Value: "the link to the car is " + link.String(),
		Remedy: "is the HAT on, its battery charged, SDA and SCL wired? see fieldbrain doctor",
	}
	switch {
	case link == robot.LinkLate:
		c.Name, c.Value, c.Remedy = busLate, "the computer did not serve the car's bus in time", remedies(safety.LinkLate)
	case simulated:
		c.Remedy = simulatedRemedy
	}
	if last != nil {
		c.Cause = last.Error()
	}
	return c
}

// simulatedRemedy is for a link of the simulated car that is not up.
const simulatedRemedy = "a fault of the scenario; if it has none, this computer is too busy: end other programs on it"

// noteDisarmed keeps visible why a car stands that disarmed itself, and the way
// back, until somebody arms it.
func (s *Service) noteDisarmed() {
	status := s.car.Brain.Remote().Status().Safety
	simulated := s.settings.Body.Kind == "sim"
	again := s.wanted.Load() && simulated && resumes(status.Tripped) // --arm arms it
	c := disarmedCondition(status.Tripped, simulated, s.car.Driver.Stats().LastError)
	s.conditions.Put(c, !status.Armed && !again && status.Tripped&^safety.EStop != 0)
}

// disarmedCondition says what disarmed the car and how it drives again.
func disarmedCondition(why safety.Causes, simulated bool, last error) loop.Condition {
	c := loop.Condition{
		Name: "disarmed", Value: "the car has disarmed itself: " + why.String(),
		Cause: "it does not drive on by itself after this", Remedy: remedies(why),
	}
	if last != nil && why&(safety.LinkDown|safety.LinkLate) != 0 {
		c.Cause = last.Error()
	}
	if simulated && why == safety.LinkDown {
		c.Remedy = simulatedRemedy
	}
	if !strings.Contains(c.Remedy, "fieldbrain arm") {
		c.Remedy += "; then fieldbrain arm"
	}
	return c
}

// remedies joins what the fault table advises for causes.
func remedies(why safety.Causes) string {
	var list []string
	for _, f := range safety.Faults() {
		if why.Has(f.Cause) {
			list = append(list, f.Remedy)
		}
	}
	return strings.Join(list, "; ")
}
