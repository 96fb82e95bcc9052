package behave

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/brain"
)

// A setting is one way of running the brain that B15 tries.
type setting struct {
	name string
	Variant
}

// settings are the periods of B15 and the rungs this build has.
func (run *runner) settings() []setting {
	var all []setting
	for _, d := range []time.Duration{2500 * time.Microsecond, 10 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond} {
		all = append(all, setting{fmt.Sprint("at ", d), Variant{Period: d}})
	}
	for _, rung := range run.Parts.Rungs {
		all = append(all, setting{"on rung " + rung, Variant{Rung: rung}})
	}
	return all
}

// A trialOf is one setting's runs.
type trialOf struct {
	course *course
	memory memory
	choice choice
}

// frames is how many motor frames B15 compares.
const frames = 100_000

// invariant is B15: the same behaviours under every setting.
func invariant() entry {
	return entry{id: "B15", name: "invariance", scene: "B1, B3, B6, B7, B10 and B11 at periods of 2.5 to 40 ms and on every rung; 100,000 motor frames on every engine", seeds: 10, prepare: func(run *runner, seeds int) experiment {
		settings := run.settings()
		tried := make([]trialOf, len(settings))
		var p experiment
		for i, s := range settings {
			t := &tried[i]
			t.course = run.newCourse(seeds, "room", "corridor", "deadend", "goal")
			t.course.enter(Brain, Brain, s.Variant)
			p.jobs = append(p.jobs, t.course.jobs...)
			if s.Period == 0 {
				continue // a rung does not touch an ensemble's channels
			}
			p.jobs = append(p.jobs,
				func() (err error) { t.memory, err = run.remember(s.Variant); return err },
				func() (err error) { t.choice, err = run.decide(s.Variant, decisions); return err })
		}
		p.exact = func(isa string) (string, error) { return run.motorFrames(isa) }
		p.judge = func() (all []Check) {
			for i, s := range settings {
				all = append(all, tried[i].checks(s)...)
			}
			if len(run.Parts.Rungs) == 0 {
				all = append(all, lacking("failed_limits", atMost, 0, needLadder))
			}
			return all
		}
		return p
	}}
}

// checks says per behaviour how many of its limits fail under a setting.
func (t *trialOf) checks(s setting) []Check {
	failed := map[string]float64{}
	names := map[string]string{}
	var order []string
	note := func(scenario string, checks []Check) {
		order = append(order, scenario)
		for i := range checks {
			if c := &checks[i]; !c.Passed && !c.Open {
				failed[scenario]++
				names[scenario] += fmt.Sprintf(" %s %s (%d of %d hold it)", c.Metric, figure(c.Value), c.Held, c.Runs)
			}
		}
	}
	for i, sc := range t.course.sc {
		one := course{run: t.course.run, sc: t.course.sc[i : i+1], runs: t.course.runs[i : i+1]}
		note(sc.Name, one.checks())
	}
	if s.Period != 0 {
		note("B10", t.memory.checks())
		note("B11", t.choice.checks())
	}
	var all []Check
	for _, scenario := range order {
		c := check("failed_limits", atMost, 0, of(failed[scenario]))
		c.Scenario = scenario + " " + s.name
		if names[scenario] != "" {
			c.Note = "fails" + names[scenario]
		}
		all = append(all, c)
	}
	return all
}

// motorFrames hashes speed and steering of every tick in a room without end.
func (run *runner) motorFrames(isa string) (string, error) {
	sc := *run.newCourse(1, "room").sc[0]
	sc.Duration = frames * run.Period.Seconds()
	hash := uint64(14695981039346656037)
	d := drive{sc: &sc, seed: 1, pilot: Brain, variant: Variant{Engine: isa}}
	d.after = func(_ time.Duration, _ *Mind, t *brain.Trace) {
		for _, v := range []float32{t.Command.Speed, t.Command.Steering} {
			hash = (hash ^ uint64(math.Float32bits(v))) * 1099511628211
		}
	}
	r, err := run.drive(d)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x%s", hash, r.FieldHash), nil
}
