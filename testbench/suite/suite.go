package suite

import (
	"context"
	"fmt"

	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// A Driver is one contestant. Run drives one scenario with one seed to its end
// and may be called by several goroutines at once.
type Driver struct {
	Name string
	Run  func(sc *scenarios.Scenario, seed uint64) (*testbench.Result, error)
}

// A Contest lists scenarios, drivers and seeds: every driver drives every one.
type Contest struct {
	Scenarios []*scenarios.Scenario
	Drivers   []Driver              // the first is judged
	Seeds     int                   // seeds 1..Seeds of each scenario; 0 means the scenario's own count
	Calm      bool                  // the judged driver also drives scenarios with faults without them
	Workers   int                   // runs at once, at least 1
	Progress  func(done, total int) // called after each run, one call at a time; may be nil
}

// A Report holds the verdicts of all runs.
type Report struct {
	Drivers []string `json:"drivers"` // names, the judged one first
	Runs    int      `json:"runs"`    // driven in all
	Rows    []Row    `json:"rows"`    // one per scenario
	Pass    bool     `json:"pass"`    // the first driver holds every limit of every scenario
}

// A Row is one scenario.
type Row struct {
	Scenario  string `json:"scenario"`
	Title     string `json:"title"`
	Spec      string `json:"spec"`
	Seeds     int    `json:"seeds"`
	Faulty    bool   `json:"faulty,omitempty"` // something is broken on purpose
	Prototype string `json:"prototype,omitempty"`
	Published string `json:"published_vendor,omitempty"` // of the vendor's rule
	Lines     []Line `json:"lines"`
	Pass      bool   `json:"pass"` // of the first driver
}

// A Line is one limit of a scenario with everybody's figures.
type Line struct {
	Metric string   `json:"metric"`
	Min    *float64 `json:"min,omitempty"`
	Max    *float64 `json:"max,omitempty"`
	Over   string   `json:"over,omitempty"`
	Share  float64  `json:"share,omitempty"` // of the runs that must hold it, 0 means all
	Cells  []Cell   `json:"cells"`           // in the order of the drivers
	Waived bool     `json:"waived,omitempty"`
	Calm   *Cell    `json:"calm,omitempty"` // the first driver, same seeds, without the faults
}

// A Cell is one driver's result for one limit.
type Cell struct {
	Value  *float64 `json:"value"` // mean, or the worst run's; absent when no run has it
	Held   int      `json:"held"`  // runs that hold the limit
	Sample Sample   `json:"sample"`
	Low    float64  `json:"held_low"` // Wilson's interval of the share that holds it
	High   float64  `json:"held_high"`
	Pass   bool     `json:"pass"`
}

// A job is one run: which scenario, seed and driver. The driver after the last
// is the first one without the faults.
type job struct {
	scenario, seed, driver int
}

// jobs lists everything to drive, a scenario's seeds and drivers together.
func (p *Contest) jobs() []job {
	var all []job
	for i, sc := range p.Scenarios {
		drivers := len(p.Drivers)
		if p.Calm && len(sc.Faults) > 0 {
			drivers++
		}
		for d := range drivers {
			for seed := range p.seeds(sc) {
				all = append(all, job{i, seed + 1, d})
			}
		}
	}
	return all
}

func (p *Contest) seeds(sc *scenarios.Scenario) int {
	if p.Seeds > 0 {
		return p.Seeds
	}
	return sc.Runs
}

// drive does one job.
func (p *Contest) drive(j job) (*testbench.Result, error) {
	sc, driver := p.Scenarios[j.scenario], j.driver
	if driver == len(p.Drivers) {
		calm := *sc
		calm.Faults = nil
		sc, driver = &calm, 0
	}
	r, err := p.Drivers[driver].Run(sc, uint64(j.seed))
	if err != nil {
		return nil, fmt.Errorf("suite: %s, seed %d, %s: %w", sc.Name, j.seed, p.Drivers[driver].Name, err)
	}
	r.Track = nil // a picture's data, megabytes in all
	return r, nil
}

// Run drives the contest and judges it. It returns when all runs that began have
// ended.
func (p *Contest) Run(ctx context.Context) (*Report, error) {
	jobs := p.jobs()
	results := make([]*testbench.Result, len(jobs))
	err := Each(ctx, p.Workers, len(jobs), p.Progress, func(i int) (err error) {
		results[i], err = p.drive(jobs[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	return p.report(jobs, results), nil
}

// report puts the results of all jobs together.
func (p *Contest) report(jobs []job, results []*testbench.Result) *Report {
	type key struct{ scenario, driver int }
	runs := map[key][]*testbench.Result{}
	for i, j := range jobs {
		k := key{j.scenario, j.driver}
		runs[k] = append(runs[k], results[i])
	}
	rep := &Report{Runs: len(jobs), Pass: len(jobs) > 0}
	for _, d := range p.Drivers {
		rep.Drivers = append(rep.Drivers, d.Name)
	}
	for i, sc := range p.Scenarios {
		row := Row{
			Scenario: sc.Name, Title: sc.Title, Spec: sc.Spec,
			Seeds: p.seeds(sc), Faulty: len(sc.Faults) > 0,
		}
		if b := sc.Measure.Baseline; b != nil {
			row.Prototype, row.Published = b.Prototype, b.Vendor
		}
		for _, l := range sc.Conditions() {
			row.Lines = append(row.Lines, Line{Metric: l.Metric, Min: l.Min, Max: l.Max, Over: l.Over, Share: l.Share, Waived: l.Waived})
		}
		for d := range p.Drivers {
			pass := row.fill(sc, runs[key{i, d}], false)
			row.Pass = row.Pass || d == 0 && pass
		}
		if calm := runs[key{i, len(p.Drivers)}]; len(calm) > 0 {
			row.fill(sc, calm, true)
		}
		rep.Pass = rep.Pass && row.Pass
		rep.Rows = append(rep.Rows, row)
	}
	return rep
}

// fill judges one driver's runs and appends its cells.
func (row *Row) fill(sc *scenarios.Scenario, runs []*testbench.Result, calm bool) (pass bool) {
	verdicts, pass := testbench.Judge(sc, runs)
	for i, v := range verdicts {
		line := &row.Lines[i]
		line.Min, line.Max = v.Min, v.Max // in proportion, for shortened runs
		cell := Cell{Value: v.Value, Pass: v.Pass}
		var values []float64
		for _, r := range runs {
			if x, ok := r.Metric(v.Metric); ok {
				values = append(values, x)
				if v.Holds(x) {
					cell.Held++
				}
			}
		}
		if v.Rooted > 0 && v.Over != "mean" {
			cell.Held = v.Held
		}
		cell.Sample = NewSample(values)
		cell.Low, cell.High = Wilson(cell.Held, len(runs))
		if calm {
			line.Calm = &cell
		} else {
			line.Cells = append(line.Cells, cell)
		}
	}
	return pass
}
