package tune

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"
	"time"

	"gonum.org/v1/gonum/optimize"

	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/oracle"
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
	Knobs    []Knob                                          // Best is not looked at
	Make     func(values []float64) (testbench.Pilot, error) // of values in the knobs' order
	Profile  plant.Profile                                   // which sensors
	Budget   int                                             // evaluations, the first one of the numbers as they are
	Worlds   int                                             // of one evaluation
	Seconds  float64                                         // of a drive, at most
	Progress func(done, total int, best float64)             // after every evaluation; may be nil
}

// A Report is what came out.
type Report struct {
	Pilot    string   `json:"pilot"`
	Profile  string   `json:"profile"`
	Budget   int      `json:"budget"`
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

// population of a generation: small, because budgets are.
const population = 6

// firstSeed of the train worlds: those before it are free for looking at.
const firstSeed = 2001

// Run searches.
func Run(job Job) (*Report, error) {
	s := &search{job: job, best: math.Inf(1)}
	r := &Report{
		Pilot: job.Pilot, Profile: string(job.Profile), Budget: job.Budget, Seconds: job.Seconds,
	}
	for i := range job.Worlds {
		name := Families()[i%len(Families())]
		if job.Profile == plant.P0 {
			name += "-p0"
		}
		sc, err := family.Make(name, family.Train, firstSeed+uint64(i))
		if err != nil {
			return nil, err
		}
		known, err := oracle.Survey(sc, 1)
		if err != nil {
			return nil, err
		}
		s.worlds, s.maps = append(s.worlds, sc), append(s.maps, known)
		r.Worlds = append(r.Worlds, sc.Name)
	}
	start := make([]float64, len(job.Knobs)) // the numbers as they are
	r.Before = s.cost(start)
	if job.Budget > 1 {
		dice := noise.New(1, "tune "+job.Pilot)
		_, err := optimize.Minimize(optimize.Problem{Func: s.cost}, start,
			&optimize.Settings{FuncEvaluations: job.Budget - 1, Converger: optimize.NeverTerminate{}},
			&optimize.CmaEsChol{InitStepSize: 1, Population: population, Src: &dice})
		if err != nil {
			return nil, fmt.Errorf("tune: %w", err)
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	r.After, r.Improved = s.best, s.improved-1
	for i, k := range job.Knobs {
		k.Best = s.values[i]
		r.Knobs = append(r.Knobs, k)
	}
	return r, nil
}

// A search is one Run under way.
type search struct {
	job      Job
	worlds   []*scenarios.Scenario
	maps     []*oracle.Map // of the worlds, to hold drives against
	done     int
	improved int
	best     float64
	values   []float64 // of best
	err      error
}

// stride is the first standard deviation of a number, as a share of its bounds.
// CMA-ES itself counts in strides from the start: CmaEsChol's first samples have
// unit variance whatever its InitStepSize says.
const stride = 0.15

// cost evaluates a point, in strides from the start. Beyond a number's bounds the
// bound counts, with a price for the distance.
func (s *search) cost(x []float64) float64 {
	if s.err != nil || s.done >= s.job.Budget {
		return math.Inf(1)
	}
	values, outside := make([]float64, len(x)), 0.0
	for i, k := range s.job.Knobs {
		v := k.Start + float64(x[i]*stride*(k.High-k.Low))
		values[i] = min(max(round(v), k.Low), k.High)
		outside += max(v-k.High, k.Low-v, 0) / (k.High - k.Low)
	}
	cost, err := s.drive(values)
	s.err = err
	s.done++
	if err == nil && cost < s.best {
		s.best, s.values = cost, values
		s.improved++
	}
	if s.job.Progress != nil {
		s.job.Progress(s.done, s.job.Budget, s.best)
	}
	return cost + float64(0.5*outside)
}

// round keeps three digits: what tuning finds can be written down.
func round(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return short
}

// drive returns the mean cost over the worlds.
func (s *search) drive(values []float64) (float64, error) {
	costs, errs := make([]float64, len(s.worlds)), make([]error, len(s.worlds))
	permits := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, sc := range s.worlds {
		permits <- struct{}{}
		all.Go(func() {
			defer func() { <-permits }()
			length := min(s.job.Seconds, sc.Duration)
			pilot, err := s.job.Make(values)
			if err == nil {
				var r *testbench.Result
				r, err = testbench.Run(sc, 1, pilot, testbench.Options{
					Length: time.Duration(length * float64(time.Second)), Map: s.maps[i],
				})
				if err == nil {
					costs[i] = Cost(r, length)
				}
			}
			errs[i] = err
		})
	}
	all.Wait()
	sum := 0.0
	for _, c := range costs {
		sum += c
	}
	return sum / float64(len(costs)), errors.Join(errs...)
}
