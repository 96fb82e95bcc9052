package bench

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"fieldbrain/verdict"
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
func (s Stage) row(copied, scaled *Subject) (r Row, err error) {
	r = Row{Name: s.Name, Us: verdict.Median(s.us), P99: rank(0.99, s.us), Bytes: s.Bytes, Note: s.Note}
	if r.XCopy, err = verdict.Pairs(s.us, copied.us); err != nil {
		return r, err
	}
	r.GBs = float64(s.Bytes) / r.Us / 1e3
	r.RaysS = float64(s.Rays) / r.Us * 1e6
	r.XScale, err = verdict.Pairs(s.us, scaled.us)
	return r, err
}

// ablation computes a switch's row.
func (s Switch) ablation() (a Ablation, err error) {
	a = Ablation{Name: s.Name, Clock: s.Clock, Default: s.Default, Note: s.Note}
	if s.On.Subject == nil {
		return a, nil
	}
	a.On, a.Off = s.On.Label, s.Off.Label
	a.OnUs, a.OffUs = verdict.Median(s.On.us), verdict.Median(s.Off.us)
	if a.Gain, err = verdict.Pairs(s.Off.us, s.On.us); err != nil {
		return a, err
	}
	a.Faster = verdict.Claim{Name: s.Name, Direction: verdict.AtLeast, Limit: 1}.Judge(a.Gain).Verdict
	return a, nil
}

// Conclude fills in what follows from the times: the first two stages are the
// copy and the scale kernel, latency holds single ticks in microseconds. The error
// names what has an impossible time.
func (r *Report) Conclude(stages []Stage, switches []Switch, latency []float64) error {
	copied, scaled := stages[0].Subject, stages[1].Subject
	for _, s := range stages {
		row, err := s.row(copied, scaled)
		if err != nil {
			return fmt.Errorf("bench: %s: %w", s.Name, err)
		}
		r.Rows = append(r.Rows, row)
	}
	for _, s := range switches {
		a, err := s.ablation()
		if err != nil {
			return fmt.Errorf("bench: %s: %w", s.Name, err)
		}
		r.Ablation = append(r.Ablation, a)
	}
	r.Yardsticks = Yardsticks{
		Copy: r.Rows[0].Us, Scale: r.Rows[1].Us, CopyGBs: r.Rows[0].GBs, ScaleGBs: r.Rows[1].GBs,
		Moved: max(verdict.Moved(copied.us), verdict.Moved(scaled.us)),
	}
	r.Latency = NewPercentiles(latency)
	var err error
	if r.Claims, err = r.claims(stages); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	r.Void = verdict.AnyVoid(r.Claims)
	return nil
}
