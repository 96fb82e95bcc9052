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

// Options say what shall be run, by whom, and how much of it.
type Options struct {
	Make    Maker
	Field   func(p field.Params, isa string) (field.Engine, error) // a bare engine; isa "" as configured
	Parts   Parts
	Period  time.Duration // of the configured brain
	Engine  string        // what the configured engine is called
	Engines []string      // instruction sets to compare with it
	Only    []string      // identifiers, such as B1; none means all
	Seeds   int           // of every behaviour; 0 means part C's own count
	Soak    time.Duration // length of S5 in virtual time
	Scratch string        // folder for files of S6 and B14
	Draw    bool          // pictures, too
	Workers int           // runs at once, at least 1

	Progress func(done, total int) // called after each run, one call at a time; may be nil
}

// A lab is one run of the suite.
type lab struct{ Options }

// An entry is one behaviour of part C.
type entry struct {
	id, name, scene string
	seeds           int // as part C says
	plan            func(l *lab, seeds int) plan
	with            string   // the entry whose runs it looks at, if they are not its own
	fixed           bool     // the count is part of what is measured: Options.Seeds does not change it
	pick            []string // metrics of the plan's that are its own; nil for all
}

// A plan is an entry's work. Jobs may run in any order and at once.
type plan struct {
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

// Check returns every complaint about what was asked for.
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
	plan
	count    int
	hashes   []string // of exact, in the order of Options.Engines
	pictures []Picture
}

// Run runs the suite and judges it.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	l := &lab{o}
	all := l.works()
	var together, alone, draws []func() error
	for _, w := range all {
		if w.alone {
			alone = append(alone, w.jobs...)
		} else {
			together = append(together, append(w.jobs, w.onEngines(l)...)...)
		}
		draws = append(draws, w.pictured(l)...)
	}
	if err := l.each(ctx, together, draws, alone); err != nil {
		return nil, err
	}
	return l.report(all, len(together)+len(draws)+len(alone)), nil
}

// works plans what was asked for. Entries that look at the same runs share a
// plan, and the first of them does its work.
func (l *lab) works() (all []*work) {
	shared := map[string]*work{}
	for _, e := range entries() {
		if len(l.Only) > 0 && !slices.Contains(l.Only, e.id) {
			continue
		}
		w := &work{entry: e, count: e.seeds}
		if l.Seeds > 0 && !e.fixed && e.seeds > 1 {
			w.count = l.Seeds
		}
		all = append(all, w)
		key := e.id
		if e.with != "" {
			key = e.with
		}
		if first := shared[key]; first != nil {
			w.plan = plan{judge: first.plan.judge}
			continue
		}
		w.plan = e.plan(l, w.count)
		shared[key] = w
	}
	return all
}

// each runs groups of jobs one after the other: what may run beside others, and
// at the end what may not.
func (l *lab) each(ctx context.Context, together, draws, alone []func() error) error {
	total, before := len(together)+len(draws)+len(alone), 0
	for _, group := range []struct {
		jobs    []func() error
		workers int
	}{{together, l.Workers}, {draws, l.Workers}, {alone, 1}} {
		progress := func(done, _ int) {
			if l.Progress != nil {
				l.Progress(before+done, total)
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
func (w *work) onEngines(l *lab) (jobs []func() error) {
	if w.exact != nil {
		w.hashes = make([]string, len(l.Engines))
		for i, isa := range l.Engines {
			jobs = append(jobs, func() (err error) {
				w.hashes[i], err = w.exact(isa)
				return err
			})
		}
	}
	return jobs
}

// pictured draws, once all runs have ended.
func (w *work) pictured(l *lab) []func() error {
	if w.draw == nil || !l.Draw {
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

func (l *lab) report(all []*work, runs int) *Report {
	r := &Report{Engine: l.Engine, Engines: l.Engines, Workers: max(l.Workers, 1), Runs: runs, Passed: len(all) > 0}
	for _, w := range all {
		b := Behaviour{ID: w.id, Name: w.name, Scene: w.scene, Seeds: w.count, Checks: w.checks(), Same: w.same(l.Engines)}
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
