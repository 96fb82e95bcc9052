package tune

import (
	"context"
	"errors"
	"math"
	"strconv"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// A Knob is a number that may be turned.
type Knob struct {
	Name  string  `json:"name"`
	Start float64 `json:"start"`
	Best  float64 `json:"best"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// A Job says what to tune and how hard.
type Job struct {
	Pilot    string
	Knobs    []Knob // Best is not looked at
	Drive    Driver
	Profile  plant.Profile                       // which sensors
	Families []string                            // of worlds, in turn; nil takes Families
	Seed     uint64                              // decides samples and worlds; 0 counts as 1
	Budget   int                                 // evaluations, the first one of the numbers as they are
	Patience int                                 // ends after so many of them in a row that were no better; 0 never
	Worlds   int                                 // of one evaluation
	Seconds  float64                             // of a drive, at most
	Workers  int                                 // drives at once; 0 takes one per processor
	Journal  *Journal                            // keeps evaluations; may be nil
	Progress func(done, total int, best float64) // after every evaluation, one call at a time; may be nil
}

// A Driver lets a pilot with values in the knobs' order drive a world, as the options
// say. Several goroutines call it at once.
type Driver func(values []float64, sc *scenarios.Scenario, o testbench.Options) (*testbench.Result, error)

// A Report is what came out.
type Report struct {
	Pilot    string   `json:"pilot"`
	Profile  string   `json:"profile"`
	Budget   int      `json:"budget"`
	Done     int      `json:"evaluations"` // of the budget
	Ended    string   `json:"ended"`       // why
	Worlds   []string `json:"worlds"`
	Seconds  float64  `json:"seconds"`
	Before   float64  `json:"cost_before"`
	After    float64  `json:"cost_after"`
	Knobs    []Knob   `json:"knobs"`
	Improved int      `json:"improved"` // evaluations that were better than all before
}

// Families are those that tuning drives in, in turn, all for one beam or five.
// Lines are left out: all pilots follow them alike.
func Families() []string {
	return []string{
		"room", "clutter", "office", "trap", "movers", "door-10",
		"rounds", "deadend", "table", "gauntlet", "corner", "legs",
		"hall", "comb", "soft", "door-20",
	}
}

// Run searches. When the context ends, or the journal cannot be written, it returns an
// error; what the journal holds then need not be driven again: the same job with the
// same journal comes to the same report as one that nobody disturbed.
func Run(ctx context.Context, job Job) (*Report, error) {
	s := &search{job: job, best: math.Inf(1)}
	if len(job.Knobs) == 0 || job.Worlds < 1 {
		return nil, errors.New("tune: nothing to turn, or no world to drive in")
	}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	r := &Report{
		Pilot: job.Pilot, Profile: string(job.Profile), Budget: job.Budget, Seconds: job.Seconds,
		Done: s.done, Ended: s.ended, Before: s.before, After: s.best, Improved: s.improved,
	}
	for _, sc := range s.worlds {
		r.Worlds = append(r.Worlds, sc.Name)
	}
	for i, k := range job.Knobs {
		k.Best = s.values[i]
		r.Knobs = append(r.Knobs, k)
	}
	return r, nil
}

// stride is the first standard deviation of a number, as a share of its bounds.
// CMA-ES itself counts in strides from the start: CmaEsChol's first samples have
// unit variance whatever its InitStepSize says.
const stride = 0.15

// values returns the numbers of a sample, which is in strides from the start. Beyond a
// number's bounds the bound counts; outside is how far that was, in shares of the bounds.
func (job *Job) values(x []float64) (values []float64, outside float64) {
	values = make([]float64, len(x))
	for i, k := range job.Knobs {
		v := k.Start + float64(x[i]*stride*(k.High-k.Low))
		values[i] = min(max(round(v), k.Low), k.High)
		outside += max(v-k.High, k.Low-v, 0) / (k.High - k.Low)
	}
	return values, outside
}

// round keeps three digits: what tuning finds can be written down.
func round(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return short
}
