package service

import (
	"fmt"
	"runtime"
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
	Ceding                         // the raised threads pass Go's scheduler at a moment of their own
)

// remedyNames are theirs on the command line.
var remedyNames = [...]string{"collector", "threads", "bounded", "ceding"}

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

// ranks returns the priorities of the daemon's threads. A processor that the loop has for
// itself is none of the others'; one that the process may not use is nobody's.
func (s *Service) ranks() loop.Ranks {
	processors := runtime.NumCPU()
	if s.owns {
		processors--
	}
	r := loop.RanksFor(s.settings.Loop.Priority, processors)
	if !s.has(Threads) {
		r.Rest = 0
	}
	return r
}

// raiseRest puts the threads that nobody has raised above everything ordinary. Loop and
// driver cede, but where they alone are to be raised: the way back leads through the rest.
func (s *Service) raiseRest() {
	r := s.ranks()
	if c := r.Equal(); c != nil {
		s.conditions.Set(*c)
	}
	if r.Rest != 0 {
		if c := loop.RaiseRest(r.Rest); c != nil {
			s.conditions.Set(*c)
		}
	}
	if s.has(Ceding) && (r.Rest != 0 || r.Loop == 0) {
		s.loop.Cede()
		s.car.Driver.Cede()
	}
}

// level runs f while no thread of the process stands above the runtime's.
func (s *Service) level(f func()) {
	if c := loop.Level(s.ranks().Rest, f); c != nil {
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
