package train

import (
	"errors"
	"fmt"
	"runtime"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
)

// A Options says what is trained and how hard. Everything but Workers and the functions
// decides what comes out.
type Options struct {
	Family      string        `json:"family"`      // of worlds, without -p0
	Profile     plant.Profile `json:"profile"`     // which sensors
	Seed        uint64        `json:"seed"`        // of samples, worlds and noise
	Hidden      int           `json:"hidden"`      // units of the policy
	Population  int           `json:"population"`  // samples of a generation
	Worlds      int           `json:"worlds"`      // that each of them drives in
	Seconds     float64       `json:"seconds"`     // of a drive
	Warm        int           `json:"warm"`        // first generations, whose drives take a third of that
	Generations int           `json:"generations"` // at most
	Patience    int           `json:"patience"`    // looks at the held-out worlds without a better mean that end it

	Workers  int                               `json:"-"` // goroutines; 0 takes one per processor
	Progress func(done, total int, last Point) `json:"-"` // after every generation; may be nil
	Keep     func(*Checkpoint) error           `json:"-"` // after every generation; may be nil
}

// Default is a training that takes minutes on two processors.
func Default() Options {
	return Options{
		Family: "room", Profile: plant.P1, Seed: 1, Hidden: 6,
		Population: 24, Worlds: 6, Seconds: 120, Warm: 60, Generations: 160, Patience: 10,
	}
}

// The worlds of a family's train set that training uses. Each generation takes the
// next Options.Worlds of the first ones; the held-out ones choose which mean is kept.
const (
	trainWorlds = 240
	heldWorlds  = 48
	firstHeld   = 1001 // seed; those of training begin at 1
	heldEvery   = 5    // generations
)

// spread is the standard deviation of the first generation's weights.
const spread = 0.4

// Check joins every complaint about the options.
func (p *Options) Check() error {
	var all []error
	within := func(name string, value, low, high int) {
		if value < low || value > high {
			all = append(all, fmt.Errorf("train: %s %d: choose %d to %d", name, value, low, high))
		}
	}
	if err := p.world(); err != nil {
		all = append(all, err)
	}
	if len(p.Profile.Sectors()) == 0 {
		all = append(all, fmt.Errorf("train: profile %.20q: choose P0 or P1", string(p.Profile)))
	}
	within("hidden units", p.Hidden, policy.MinHidden, policy.MaxHidden)
	within("population", p.Population, 4, 1024)
	within("worlds", p.Worlds, 1, trainWorlds)
	within("generations", p.Generations, heldEvery, 100_000)
	within("warm generations", p.Warm, 0, 100_000)
	within("patience", p.Patience, 1, 100_000)
	within("workers", p.Workers, 0, 1000)
	if !(p.Seconds >= 5 && p.Seconds <= 600) {
		all = append(all, fmt.Errorf("train: seconds %v: choose 5 to 600", p.Seconds))
	}
	return errors.Join(all...)
}

// world refuses a family that nobody knows, or that a policy cannot learn in.
func (p *Options) world() error {
	sc, err := family.Make(p.Family, family.Train, 1)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	return fit(p.Family, sc)
}

// same reports whether two trainings come to the same policy, however long they go on.
func (p *Options) same(o *Options) bool {
	return p.Family == o.Family && p.Profile == o.Profile && p.Seed == o.Seed && p.Hidden == o.Hidden &&
		p.Population == o.Population && p.Worlds == o.Worlds && p.Seconds == o.Seconds && p.Warm == o.Warm
}

// length returns how many seconds a generation's drives take.
func (p *Options) length(generation int) float64 {
	if generation < p.Warm {
		return p.Seconds / 3
	}
	return p.Seconds
}

func (p *Options) workers() int {
	if p.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return p.Workers
}
