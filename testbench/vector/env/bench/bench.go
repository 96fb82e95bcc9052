package bench

import (
	"embed"
	"fmt"
	"io"
	"math"
	"time"

	"fieldbrain/testbench/vector/env"
	"fieldbrain/verdict"
)

//go:embed clients
var clients embed.FS

// What the issue asks for: how much longer a step may take than from C.
const (
	goLimit     = 1.02
	pythonLimit = 1.10
)

// agree is how far the sums of rewards may be apart: they are printed to 1e-6.
const agree = 1e-5

// Options choose what is timed.
type Options struct {
	Rounds   int
	Cars     int
	Task     env.Task
	Library  string // libfieldbrain_env.so
	Header   string // the folder of fieldbrain_env.h
	Package  string // the folder that has the Python package fieldbrain_env
	Progress func(done, total int)
}

// A Row is one language.
type Row struct {
	Language string  `json:"language"`
	Rate     float64 `json:"robot_steps_per_s"` // of 1 ms, in the median round
	Step     float64 `json:"step_s"`            // one step of all cars, in the median round
}

// A Report is one run.
type Report struct {
	Task   env.Task            `json:"task"`
	Cars   int                 `json:"cars"`
	Hold   int                 `json:"hold_ms"`
	ISA    string              `json:"isa"`
	Steps  int                 `json:"steps_a_round"`
	Rows   []Row               `json:"rows"`
	Judged []verdict.Judgement `json:"ratios"` // of Go's and Python's time to C's
}

// A subject takes so many steps and returns how many seconds they took and the sum of
// the rewards.
type subject struct {
	language string
	run      func(steps int) (seconds, sum float64, err error)
	close    func()
}

// worlds is how many there are: few, so that a run begins soon.
const worlds = 8

// inGo is the environment called from here.
func inGo(o Options) (*subject, *env.Env, error) {
	e, err := env.New(env.Options{Task: o.Task, Cars: o.Cars, Worlds: worlds})
	if err != nil {
		return nil, nil, err
	}
	given := make([]float32, env.ActionSize*o.Cars)
	for i := range o.Cars {
		given[2*i], given[2*i+1] = 0.25, float32(0.05)*float32(i%9-4)
	}
	run := func(steps int) (seconds, sum float64, err error) {
		m, begun := e.Memory(), time.Now()
		for range steps {
			copy(m.Actions, given)
			if err := e.Step(); err != nil {
				return 0, 0, err
			}
			for _, r := range m.Rewards {
				sum += float64(r)
			}
		}
		return time.Since(begun).Seconds(), sum, nil
	}
	return &subject{"Go", run, e.Close}, e, e.ResetAll(1)
}

// Run measures.
func Run(o Options) (*Report, error) {
	own, e, err := inGo(o)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	subjects := []*subject{own}
	defer func() {
		for _, s := range subjects {
			s.close()
		}
	}()
	for _, begin := range []func(Options) (*subject, error){inC, inPython} {
		s, err := begin(o)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, s)
	}
	r := &Report{Task: o.Task, Cars: o.Cars, Hold: e.Options().Hold, ISA: e.ISA()}
	times, err := r.rounds(o, subjects)
	if err != nil {
		return nil, err
	}
	return r, r.judge(subjects, times)
}

// rounds lets the subjects take turns, each first in every third round, and returns
// the seconds that each took in each round. All must earn the same.
func (r *Report) rounds(o Options, subjects []*subject) ([][]float64, error) {
	seconds, _, err := subjects[0].run(2)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	r.Steps = max(2, int(0.1/(seconds/2))) // about 0.1 s each
	for _, s := range subjects[1:] {
		if _, _, err := s.run(2); err != nil {
			return nil, err
		}
	}
	times := make([][]float64, len(subjects))
	for round := range o.Rounds {
		var sums [3]float64
		for turn := range subjects {
			k := (round + turn) % len(subjects)
			seconds, sum, err := subjects[k].run(r.Steps)
			if err != nil {
				return nil, err
			}
			times[k], sums[k] = append(times[k], seconds), sum
		}
		if math.Abs(sums[0]-sums[1]) > agree || math.Abs(sums[0]-sums[2]) > agree {
			return nil, fmt.Errorf("bench: round %d earns %v in Go, C and Python: library and program are of different builds, run make env and make build", round+1, sums)
		}
		if o.Progress != nil {
			o.Progress(round+1, o.Rounds)
		}
	}
	return times, nil
}

// judge compares the times in pairs.
func (r *Report) judge(subjects []*subject, times [][]float64) error {
	for k, s := range subjects {
		step := verdict.Median(times[k]) / float64(r.Steps)
		r.Rows = append(r.Rows, Row{s.language, float64(r.Cars*r.Hold) / step, step})
	}
	for _, asked := range []struct {
		subject int
		limit   float64
	}{{0, goLimit}, {2, pythonLimit}} {
		i, err := verdict.Pairs(times[asked.subject], times[1])
		if err != nil {
			return err
		}
		claim := verdict.Claim{Name: subjects[asked.subject].language + " over C", Direction: verdict.AtMost, Limit: asked.limit}
		r.Judged = append(r.Judged, claim.Judge(i))
	}
	return nil
}

// Print writes the report for a person.
func (r *Report) Print(w io.Writer) error {
	text := fmt.Sprintf("%s, %d cars, %d ms an action, %s, one thread, %d steps a turn\n", r.Task, r.Cars, r.Hold, r.ISA, r.Steps)
	for _, row := range r.Rows {
		text += fmt.Sprintf("%-7s %8.3f ms a step of all, %7.2f M robot-steps/s\n", row.Language, 1e3*row.Step, row.Rate/1e6)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	return verdict.Print(w, r.Judged)
}
