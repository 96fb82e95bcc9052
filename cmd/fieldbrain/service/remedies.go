package service

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/daemon/loop"
)

// Remedies are what keeps the rest of the process from holding up the loop
// (docs/decisions/0026). All are in force; benches leave some out.
type Remedies uint8

// The remedies, in the order in which benches add them.
const (
	Collector Remedies = 1 << iota // the collector is off while the car is armed
	Threads                        // the runtime's threads are in the real-time class, below the loop's
	Bounded                        // the status is made at a bounded rate
)

// remedyNames are theirs on the command line.
var remedyNames = [...]string{"collector", "threads", "bounded"}

// ParseRemedies returns those named, separated by commas.
func ParseRemedies(names string) (all Remedies, err error) {
	if names == "" {
		return 0, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(remedyNames[:], name)
		if i < 0 {
			return 0, fmt.Errorf("no remedy is called %q: %s", name, strings.Join(remedyNames[:], ", "))
		}
		all |= 1 << i
	}
	return all, nil
}

// Steps returns what to leave out so that each run has one remedy more.
func Steps() (steps []string) {
	for i := range len(remedyNames) + 1 {
		steps = append(steps, strings.Join(remedyNames[i:], ","))
	}
	return steps
}

// has reports whether a remedy is in force.
func (s *Service) has(r Remedies) bool { return s.without&r == 0 }

// rest is the priority of the runtime's threads: above everything ordinary.
const rest = 1

// raiseRest puts the threads that nobody has raised above everything ordinary.
func (s *Service) raiseRest() {
	if !s.has(Threads) || s.settings.Loop.Priority <= 3 {
		return
	}
	if c := loop.RaiseRest(rest); c != nil {
		s.conditions.Set(*c)
	}
}

// limitBursts lets the kernel end a daemon whose loop computes for ever: the guard has
// long stopped the car, and the machine stays usable.
func (s *Service) limitBursts() {
	if s.settings.Loop.Priority == 0 {
		return
	}
	if c := loop.LimitBursts(loop.LongestBurst); c != nil {
		s.conditions.Set(*c)
	}
}
