package behave

import (
	"bytes"
	"fmt"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// runs are the results of one scenario by driver, in the order of the seeds.
type runs map[string][]*testbench.Result

// metric returns one metric of a driver's runs.
func (r runs) metric(driver, name string) values {
	v := make(values, len(r[driver]))
	for i, result := range r[driver] {
		if x, has := result.Metric(name); has {
			v[i] = &x
		}
	}
	return v
}

// A course is scenarios that are driven by everybody.
type course struct {
	run   *runner
	sc    []*scenarios.Scenario
	runs  []runs // in the order of sc
	jobs  []func() error
	seeds int
}

// newCourse loads scenarios that are part of the program.
func (run *runner) newCourse(seeds int, names ...string) *course {
	c := &course{run: run, seeds: seeds}
	for _, name := range names {
		sc, err := load(name)
		if err != nil {
			panic("behave: " + err.Error()) // a built-in file, checked by a test
		}
		c.sc = append(c.sc, sc)
		c.runs = append(c.runs, runs{})
	}
	return c
}

// Scenarios that part C asks to report and not to judge: the line at a speed
// that fails, and the dead end with the base kit's one beam.
const (
	fastLine = "line at 0.30 m/s"
	blindEnd = "deadend, front beam only"
)

// load returns a scenario file, or one of the above.
func load(name string) (*scenarios.Scenario, error) {
	file := map[string]string{fastLine: "line", blindEnd: "deadend"}[name]
	if file == "" {
		return scenarios.Load(name)
	}
	sc, err := scenarios.Load(file)
	if err != nil {
		return nil, err
	}
	sc.Name = name
	switch name {
	case fastLine:
		sc.Brain.Cruise = 0.30
	case blindEnd:
		sc.Profile, sc.Duration = plant.P0, 120
	}
	return sc, nil
}

// enter adds a driver under a name of its own to every scenario.
func (c *course) enter(name, pilot string, v Variant) {
	for i, sc := range c.sc {
		results := make([]*testbench.Result, c.seeds)
		c.runs[i][name] = results
		for seed := range c.seeds {
			c.jobs = append(c.jobs, func() (err error) {
				results[seed], err = c.run.drive(drive{sc: sc, seed: uint64(seed + 1), pilot: pilot, variant: v})
				if err == nil {
					results[seed].Track = nil // a picture's data, megabytes in all
				}
				return err
			})
		}
	}
}

// checks judges the brain by the limits of every scenario, with the rivals
// beside it.
func (c *course) checks() []Check {
	var all []Check
	for i, sc := range c.sc {
		for _, l := range sc.Conditions() {
			if l.Waived {
				continue
			}
			for _, k := range bounds(l, sc.Name) {
				ours := c.runs[i].metric(Brain, l.Metric)
				k.judge(ours)
				if k.Open = sc.Name == fastLine || sc.Name == blindEnd; k.Open {
					k.Note = "the specification asks to report it"
				}
				for _, name := range rivals() {
					if l.Metric == "edge_crossings" || l.Everywhere {
						break // that the edge was met at all: more is not better; not to fall or idle is nobody's gain
					}
					if _, drove := c.runs[i][name]; drove {
						k.against(name, c.runs[i].metric(name, l.Metric), ours)
					}
				}
				all = append(all, k)
			}
		}
	}
	return all
}

// exactLength is how much of a scenario the suite drives on every engine: all
// of it, or so much.
const exactLength = time.Minute

// exact drives seed 1 of the first scenario on an engine.
func (c *course) exact(isa string) (string, error) {
	length := min(exactLength, c.sc[0].Length())
	r, err := c.run.drive(drive{sc: c.sc[0], seed: 1, pilot: Brain, variant: Variant{Engine: isa}, length: length})
	if err != nil {
		return "", err
	}
	return r.Trajectory + r.FieldHash, nil
}

// draw pictures seed 1 of every scenario as the brain drives it, and the field
// meanwhile.
func (c *course) draw(id string) ([]Picture, error) {
	var all []Picture
	for _, sc := range c.sc {
		if sc.Name == fastLine || sc.Name == blindEnd {
			continue
		}
		kept := newStrips(id, sc)
		r, err := c.run.drive(drive{sc: sc, seed: 1, pilot: Brain, after: kept.watch})
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		p := picture.Default()
		p.Width = 480
		if err := picture.PNG(&b, r, p); err != nil {
			return nil, fmt.Errorf("behave: %w", err)
		}
		all = append(all, Picture{
			File: id + "-" + sc.Name + ".png", PNG: b.Bytes(),
			Caption: fmt.Sprintf("%s: %s, seed 1, as the brain drives it.", id, sc.Name),
			Alt:     fmt.Sprintf("The world of %s seen from above, with the car's way coloured by its speed.", sc.Name),
		})
		slices, err := kept.pictures()
		if err != nil {
			return nil, err
		}
		all = append(all, slices...)
	}
	return all, nil
}

// driving is an entry of which scenarios decide.
func driving(id, name, scene string, seeds int, files ...string) entry {
	return entry{id: id, name: name, scene: scene, seeds: seeds, prepare: func(run *runner, seeds int) experiment {
		c := run.newCourse(seeds, files...)
		for _, who := range append([]string{Brain}, rivals()...) {
			c.enter(who, who, Variant{})
		}
		return experiment{
			jobs: c.jobs, judge: c.checks, exact: c.exact,
			draw: func() ([]Picture, error) { return c.draw(id) },
		}
	}}
}

// exploring is B13: coverage with the planner, beside the same brain without it
// and the rivals.
func exploring() entry {
	const name = "brain without planner"
	return entry{id: "B13", name: "exploration", scene: "B1's room for 300 s, 0.25 m cells", seeds: 20, prepare: func(run *runner, seeds int) experiment {
		c := run.newCourse(seeds, "explore")
		c.enter(Brain, Brain, Variant{Planner: run.Parts.Planner})
		for _, who := range rivals() {
			c.enter(who, who, Variant{})
		}
		c.enter(name, Brain, Variant{})
		return experiment{
			jobs: c.jobs, exact: c.exact,
			draw:  func() ([]Picture, error) { return c.draw("B13") },
			judge: func() []Check { return explored(c, name) },
		}
	}}
}

// explored judges B13.
func explored(c *course, without string) []Check {
	all := c.checks()
	ours, vendor := c.runs[0].metric(Brain, "coverage"), c.runs[0].metric(Vendor, "coverage")
	mean := 0.0
	for _, x := range vendor.known() {
		mean += x / float64(len(vendor))
	}
	ratio := func(v values) values {
		r := v.known()
		for i := range r {
			r[i] /= mean
		}
		return of(r...)
	}
	over := Check{Metric: "coverage_over_vendor", Scenario: "explore", Bound: atLeast, Threshold: 1.1, Over: overMean, Share: 1}
	over.judge(ratio(ours))
	over.against(Reactive, ratio(c.runs[0].metric(Reactive, "coverage")), ratio(ours))
	all = append(all, over)
	if !c.run.Parts.Planner {
		return append(all, lacking("coverage_over_unplanned", atLeast, 1, needPlanner))
	}
	plain := c.runs[0].metric(without, "coverage")
	mean = 0
	for _, x := range plain.known() {
		mean += x / float64(len(plain))
	}
	gains := Check{Metric: "coverage_over_unplanned", Scenario: "explore", Bound: atLeast, Threshold: 1, Over: overMean, Share: 1}
	gains.judge(ratio(ours))
	gain := gains.gain(ours, plain)
	gains.Note = fmt.Sprintf("with the planner %+.3f (%+.3f..%+.3f) over without", gain.Mean, gain.Low, gain.High)
	return append(all, gains)
}
