package env

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
)

// Version of the interface in Go, C and Python. It rises when a program that was
// made for the one before would no longer work.
const Version = 1

// Autoreset is Gymnasium's name of what happens after an episode's end.
const Autoreset = "NextStep"

// A Task says what a car is rewarded for.
type Task string

// The tasks.
const (
	Avoid   Task = "avoid"   // to get on without touching anything
	Goal    Task = "goal"    // to come to the beacon
	Line    Task = "line"    // to follow the line
	Explore Task = "explore" // to see new floor
)

// Tasks returns all of them.
func Tasks() []Task { return []Task{Avoid, Goal, Line, Explore} }

// Families returns the families of worlds that a task has where Options names none;
// nothing for an unknown task.
func (t Task) Families() []string {
	switch t {
	case Avoid:
		return []string{"room", "legs", "gauntlet", "movers"}
	case Goal:
		return []string{"skewed", "crossing", "clutter", "door-20"}
	case Line:
		return []string{"line", "line-tight", "line-gaps", "line-fast"}
	case Explore:
		return []string{"room", "rounds", "legs", "comb"}
	}
	return nil
}

// Limits of Options.
const (
	MaxWorlds  = 4096
	MaxHold    = 1000      // ms
	MaxSteps   = 1_000_000 // of an episode
	MaxThreads = 256
)

// Options say what an environment is. Zero values take what the comments say.
type Options struct {
	Task     Task
	Cars     int           // 1 .. vector.MaxCars
	Families []string      // of worlds, in turn; none takes the task's own
	Set      family.Set    // train or test
	First    uint64        // seed of the first worlds; 0 is 1
	Worlds   int           // how many, 1 .. MaxWorlds; 0 is 32
	Profile  plant.Profile // the cars' sonars; none is P1
	Hold     int           // ms that an action lasts, 1 .. MaxHold; 0 is 40, a sonar's period
	Limit    int           // steps after which an episode is truncated, 1 .. MaxSteps; 0 is 1500
	Threads  int           // that step, 1 .. MaxThreads; 0 is 1
	ISA      string        // one of vector.ISAs; none is the best
}

// filled returns the options with every zero value replaced.
func (o Options) filled() Options {
	if len(o.Families) == 0 {
		o.Families = o.Task.Families()
	}
	for value, usual := range map[*int]int{&o.Worlds: 32, &o.Hold: vector.PingSteps, &o.Limit: 1500, &o.Threads: 1} {
		if *value == 0 {
			*value = usual
		}
	}
	if o.First == 0 {
		o.First = 1
	}
	if o.Profile == "" {
		o.Profile = plant.P1
	}
	return o
}

// check complains about options that make no environment. Cars, profile and engine
// are the fleet's to judge.
func (o *Options) check() error {
	var all []error
	if !slices.Contains(Tasks(), o.Task) {
		all = append(all, fmt.Errorf("env: task %q: there are %s", string(o.Task), names(Tasks())))
	}
	for _, l := range []struct {
		name             string
		value, low, high int
	}{
		{"cars", o.Cars, 1, vector.MaxCars},
		{"worlds", o.Worlds, 1, MaxWorlds},
		{"hold", o.Hold, 1, MaxHold},
		{"limit", o.Limit, 1, MaxSteps},
		{"threads", o.Threads, 1, MaxThreads},
	} {
		if l.value < l.low || l.value > l.high {
			all = append(all, fmt.Errorf("env: %s %d: choose %d to %d", l.name, l.value, l.low, l.high))
		}
	}
	if o.Worlds > 0 && o.First > math.MaxUint64-uint64(o.Worlds) {
		all = append(all, fmt.Errorf("env: first %d: choose 1 to %d, so that every world has a seed", o.First, math.MaxUint64-uint64(o.Worlds)))
	}
	return errors.Join(all...)
}

// names joins the tasks for a person.
func names(tasks []Task) string {
	list := make([]string, len(tasks))
	for i, t := range tasks {
		list[i] = string(t)
	}
	return strings.Join(list, ", ")
}
