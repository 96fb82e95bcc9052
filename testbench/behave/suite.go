package behave

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench/suite"
)

// Options choose the behaviours, the makers of brains and engines, and how long it all takes.
type Options struct {
	Make    Maker
	Field   func(p field.Params, isa string) (field.Engine, error) // a bare engine; isa "" as configured
	Parts   Parts
	Period  time.Duration // of the configured brain
	Engine  string        // name of the configured engine
	Engines []string      // instruction sets to compare with it
	Only    []string      // identifiers, such as B1; none means all
	Seeds   int           // of every behaviour; 0 means part C's own count
	Soak    time.Duration // length of S5 in virtual time
	Length  time.Duration // of every drive of a scenario, where its beginning is enough; 0 means the scenario's own
	Scratch string        // folder for files of S6 and B14
	Draw    bool          // pictures, too
	Workers int           // runs at once, at least 1

	Progress func(done, total int) // called after each run, one call at a time; may be nil
}

// A runner runs the suite once.
type runner struct{ Options }

// An entry is one behaviour of part C.
type entry struct {
	id, name, scene string
	seeds           int // as part C says
	prepare         func(run *runner, seeds int) experiment
	with            string   // the entry whose runs it looks at, if they are not its own
	fixed           bool     // the measurement includes the count: Options.Seeds does not change it
	pick            []string // metrics of the experiment's that are its own; nil for all
}

// An experiment is an entry's work. Jobs may run in any order and at once.
type experiment struct {
	jobs  []func() error
	judge func() []Check                         // once all jobs have ended
	exact func(isa string) (string, error)       // one run on an engine, hashed; nil: no field takes part
	draw  func() (pictures []Picture, err error) // nil: nothing to see
	alone bool                                   // measures the machine: after everything else
}

// Names lists the identifiers in the order of part C.
func Names() []string {
	var ids []string
	for _, e := range entries() {
		ids = append(ids, e.id)
	}
	return ids
}

// Check refuses an identifier that no behaviour has.
func (o *Options) Check() error {
	for _, id := range o.Only {
		if !slices.Contains(Names(), id) {
			return fmt.Errorf("behave: no behaviour %q; known are %s", id, strings.Join(Names(), ", "))
		}
	}
	return nil
}

// work is an entry on its way.
type work struct {
	entry
	experiment
	count    int
	hashes   []string // of exact, in the order of Options.Engines
	pictures []Picture
}

// Run runs the suite and judges it.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	run := &runner{o}
	all := run.works()
	var together, alone, draws []func() error
	for _, w := range all {
		if w.alone {
			alone = append(alone, w.jobs...)
		} else {
			together = append(together, append(w.jobs, w.onEngines(run)...)...)
		}
		draws = append(draws, w.pictured(run)...)
	}
	if err := run.each(ctx, together, draws, alone); err != nil {
		return nil, err
	}
	return run.report(all, len(together)+len(draws)+len(alone)), nil
}

// works prepares the chosen entries. Entries that look at the same runs share an
// experiment, and the first of them does its work.
func (run *runner) works() (all []*work) {
	shared := map[string]*work{}
	for _, e := range entries() {
		if len(run.Only) > 0 && !slices.Contains(run.Only, e.id) {
			continue
		}
		w := &work{entry: e, count: e.seeds}
		if run.Seeds > 0 && !e.fixed && e.seeds > 1 {
			w.count = run.Seeds
		}
		all = append(all, w)
		key := e.id
		if e.with != "" {
			key = e.with
		}
		if first := shared[key]; first != nil {
			w.experiment = experiment{judge: first.experiment.judge}
			continue
		}
		w.experiment = e.prepare(run, w.count)
		shared[key] = w
	}
	return all
}

// each runs groups of jobs one after the other: first those that may run beside
// others, in the end those that measure the machine.
func (run *runner) each(ctx context.Context, together, draws, alone []func() error) error {
	total, before := len(together)+len(draws)+len(alone), 0
	for _, group := range []struct {
		jobs    []func() error
		workers int
	}{{together, run.Workers}, {draws, run.Workers}, {alone, 1}} {
		progress := func(done, _ int) {
			if run.Progress != nil {
				run.Progress(before+done, total)
			}
		}
		err := suite.Each(ctx, group.workers, len(group.jobs), progress, func(i int) error { return group.jobs[i]() })
		if err != nil {
			return err
		}
		before += len(group.jobs)
	}
	return nil
}

// onEngines are the runs on every engine.
func (w *work) onEngines(run *runner) (jobs []func() error) {
	if w.exact != nil {
		w.hashes = make([]string, len(run.Engines))
		for i, isa := range run.Engines {
			jobs = append(jobs, func() (err error) {
				w.hashes[i], err = w.exact(isa)
				return err
			})
		}
	}
	return jobs
}

// pictured draws, once all runs have ended.
func (w *work) pictured(run *runner) []func() error {
	if w.draw == nil || !run.Draw {
		return nil
	}
	return []func() error{func() (err error) {
		w.pictures, err = w.draw()
		return err
	}}
}

// checks judges an entry.
func (w *work) checks() []Check {
	all := w.judge()
	if w.pick == nil {
		return all
	}
	return slices.DeleteFunc(all, func(c Check) bool { return !slices.Contains(w.pick, c.Metric) })
}

func (run *runner) report(all []*work, runs int) *Report {
	r := &Report{Engine: run.Engine, Engines: run.Engines, Workers: max(run.Workers, 1), Runs: runs, Passed: len(all) > 0}
	for _, w := range all {
		b := Behaviour{ID: w.id, Name: w.name, Scene: w.scene, Seeds: w.count, Checks: w.checks(), Same: w.same(run.Engines)}
		b.complete()
		r.Behaviours = append(r.Behaviours, b)
		r.Pictures = append(r.Pictures, w.pictures...)
		r.Passed = r.Passed && b.Passed
	}
	r.Findings = findings(r.Behaviours)
	return r
}

// same compares the engines' hashes with the first one's; nil when there is
// nothing to compare.
func (w *work) same(engines []string) *Same {
	if len(w.hashes) < 2 {
		return nil
	}
	s := &Same{Hash: w.hashes[0], Engines: engines}
	for i, h := range w.hashes {
		if h != s.Hash {
			s.Differ = append(s.Differ, engines[i])
		}
	}
	return s
}
