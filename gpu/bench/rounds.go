package bench

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"fieldbrain/field/cpu/bench"
)

// A Subject takes turns with others.
type Subject struct {
	Name string
	Turn func() (us float64, err error) // one measurement
	us   []float64                      // of every round
}

// Subjects returns everything that takes turns, each once.
func Subjects(stages []Stage, switches []Switch) []*Subject {
	var all []*Subject
	add := func(s *Subject) {
		if s != nil && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, s := range stages {
		add(s.Subject)
	}
	for _, s := range switches {
		add(s.On.Subject)
		add(s.Off.Subject)
	}
	return all
}

// Run lets every subject take its turn in every round. The error is the first
// one of a turn: a device that failed once has no more times to give.
func Run(subjects []*Subject, rounds int, progress func(done, total int)) error {
	for round := range rounds {
		for _, s := range subjects {
			us, err := s.Turn()
			if err != nil {
				return fmt.Errorf("bench: %s, round %d: %w", s.Name, round+1, err)
			}
			s.us = append(s.us, us)
		}
		if progress != nil {
			progress(round+1, rounds)
		}
	}
	return nil
}

// A Stage is a subject that becomes a row.
type Stage struct {
	*Subject
	Bytes int    // to be moved at least, per turn's unit
	Rays  int    // cast by it, if it casts any
	Note  string // what a reader must know
}

// A Way is one of two ways of doing the same.
type Way struct {
	Label string
	*Subject
}

// A Switch compares two ways.
type Switch struct {
	Name    string
	Clock   string // "device" or "host": what took the times
	On, Off Way
	Default string // label of what the daemon does, or words if it does neither
	Note    string // what a reader must know, or why there are no times
}

// rank returns the value below which a share of the values lies.
func rank(share float64, values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return stat.Quantile(share, stat.Empirical, slices.Sorted(slices.Values(values)), nil)
}

// NewPercentiles sums up single times in microseconds.
func NewPercentiles(us []float64) Percentiles {
	return Percentiles{Count: len(us), P50: rank(0.5, us), P99: rank(0.99, us), P999: rank(0.999, us), Max: rank(1, us)}
}

// row computes a stage's row. Yardsticks are the first two stages.
func (s Stage) row(copied, scaled *Subject) Row {
	r := Row{
		Name: s.Name, Us: bench.Median(s.us), P99: rank(0.99, s.us), Bytes: s.Bytes, Note: s.Note,
		XCopy: bench.Paired(s.us, copied.us), XScale: bench.Paired(s.us, scaled.us),
	}
	if r.Us > 0 {
		r.GBs = float64(s.Bytes) / r.Us / 1e3
		r.RaysS = float64(s.Rays) / r.Us * 1e6
	}
	return r
}

// ablation computes a switch's row.
func (s Switch) ablation() Ablation {
	a := Ablation{Name: s.Name, Clock: s.Clock, Default: s.Default, Note: s.Note}
	if s.On.Subject == nil {
		return a
	}
	a.On, a.Off = s.On.Label, s.Off.Label
	a.OnUs, a.OffUs = bench.Median(s.On.us), bench.Median(s.Off.us)
	a.Gain = bench.Paired(s.Off.us, s.On.us)
	a.Holds = s.Default == a.On && a.Gain >= 1 || s.Default == a.Off && a.Gain < 1
	return a
}

// Conclude fills in what follows from the times: the first two stages are the
// copy and the scale kernel, latency holds single ticks in microseconds.
func (r *Report) Conclude(stages []Stage, switches []Switch, latency []float64) {
	copied, scaled := stages[0].Subject, stages[1].Subject
	for _, s := range stages {
		r.Rows = append(r.Rows, s.row(copied, scaled))
	}
	for _, s := range switches {
		r.Ablation = append(r.Ablation, s.ablation())
	}
	r.Yardsticks = Yardsticks{
		Copy: r.Rows[0].Us, Scale: r.Rows[1].Us, CopyGBs: r.Rows[0].GBs, ScaleGBs: r.Rows[1].GBs,
		Moved: max(bench.Moved(copied.us), bench.Moved(scaled.us)),
	}
	r.Void = r.Yardsticks.Moved > bench.Tolerance
	r.Latency = NewPercentiles(latency)
	r.Goals = r.goals()
}
