package behave

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// A Variant is what differs from the configured brain.
type Variant struct {
	Engine  string        // instruction set of the field's engine; "" as configured
	Period  time.Duration // between two ticks; 0 as configured
	Rung    string        // one of Parts.Rungs; "" for full quality
	Forgets bool          // the pattern library is off
	Planner bool          // the planner is on (needs Parts.Planner)
	Field   ablation.Kind // what is taken away of the field; "" as configured
}

// A Mind is a brain in its seat.
type Mind struct {
	Brain  *brain.Brain
	Engine field.Engine // the brain's
	Close  func() error // gives the engine back
}

// A Maker puts a brain into a seat. It is called by several goroutines at once.
type Maker func(s testbench.Vehicle, v Variant) (*Mind, error)

// Parts are what a build may lack. A behaviour that needs a missing part fails
// with the words "needs X, which is not in this build".
type Parts struct {
	// Outcome tells a brain how what it just did ended, -1..1. With it the maker
	// must obey Variant.Forgets. Nil: there is no pattern library (B14, O8, O9).
	Outcome func(b *brain.Brain, o float32)
	// Planner: the maker obeys Variant.Planner (B13).
	Planner bool
	// Rungs are the quality ladder's below full; the maker obeys Variant.Rung
	// (B15).
	Rungs []string
	// Save writes what a mind learned to a folder, and Load reads the newest
	// complete state of a folder into a fresh mind (B14, S6).
	Save, Load func(m *Mind, folder string) error
	// Saver starts a process that saves to a folder again and again until it is
	// killed; kill is SIGKILL and returns when the process is gone (S6).
	Saver func(folder string) (kill func() error, err error)
}

// The names of the parts in reports.
const (
	needLibrary = "the pattern library"
	needPlanner = "the planner"
	needLadder  = "the quality ladder"
	needSaving  = "saving and loading what was learned"
)

// missing writes a need as a sentence.
func missing(part string) string { return "needs " + part + ", which is not in this build" }

// A drive is one run of a scenario.
type drive struct {
	sc      *scenarios.Scenario
	seed    uint64
	pilot   string // Brain or a rival
	variant Variant
	length  time.Duration // 0: the scenario's
	after   func(now time.Duration, m *Mind, t *brain.Trace)
}

// drive drives a scenario to its end. The result has the engine and the field's hash
// where a brain drove.
func (run *runner) drive(d drive) (*testbench.Result, error) {
	var m *Mind
	o := testbench.Options{Period: run.period(d.variant), Length: cmp.Or(d.length, run.Length)}
	o.After = func(_ *testbench.Rig, r *testbench.Result) {
		r.Pilot = d.pilot
		if m != nil {
			r.Engine, r.FieldHash = m.Engine.Name(), fmt.Sprintf("%016x", field.Hash(m.Engine))
		}
	}
	pilot := map[string]testbench.Pilot{
		Reactive: testbench.Reactive, Vendor: testbench.Vendor, Random: testbench.Noise,
		Brain: func(s testbench.Vehicle) (tick func(time.Duration), err error) {
			if m, err = run.Make(s, d.variant); err != nil {
				return nil, err
			}
			return ticker(m, d.after), nil
		},
	}[d.pilot]
	r, err := testbench.Run(d.sc, d.seed, pilot, o)
	if m != nil {
		err = errors.Join(err, m.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("behave: %s, seed %d, %s: %w", d.sc.Name, d.seed, d.pilot, err)
	}
	return r, nil
}

// ticker drives a mind that arms as soon as it may.
func ticker(m *Mind, after func(now time.Duration, m *Mind, t *brain.Trace)) func(now time.Duration) {
	armed := false
	return func(now time.Duration) {
		t := m.Brain.Tick(now)
		if after != nil {
			after(now, m, t)
		}
		armed = armed || m.Brain.Arm() == nil
	}
}

// period returns the time between two ticks of a variant.
func (run *runner) period(v Variant) time.Duration {
	if v.Period != 0 {
		return v.Period
	}
	return run.Period
}
