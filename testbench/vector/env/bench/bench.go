package bench

import (
	"embed"
	"fmt"
	"io"
	"math"
	"time"

	"golang.org/x/sys/unix"

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

// A Row is one language, in the median round.
type Row struct {
	Language string  `json:"language"`
	Rate     float64 `json:"robot_steps_per_s"` // of 1 ms, per second of the wall's clock
	Step     float64 `json:"step_s"`            // one step of all cars, likewise
	Busy     float64 `json:"processor_s"`       // processor time of one step of all cars
}

// A Report is one run.
type Report struct {
	Task      env.Task            `json:"task"`
	Cars      int                 `json:"cars"`
	Hold      int                 `json:"hold_ms"`
	ISA       string              `json:"isa"`
	Steps     int                 `json:"steps_a_round"`
	Processor int                 `json:"processor"` // on which all three run
	Rows      []Row               `json:"rows"`
	Judged    []verdict.Judgement `json:"ratios"` // of Go's and Python's processor time to C's
}

// A lap is what some steps took and came to.
type lap struct {
	wall, busy float64 // s, the latter of the process on all its threads
	sum        float64 // of the rewards
}

// A subject takes so many steps.
type subject struct {
	language string
	run      func(steps int) (lap, error)
	close    func()
}

// busy returns the processor time of this process in s.
func busy() float64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) // every Linux has it
	return float64(t.Nano()) / 1e9
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
	run := func(steps int) (l lap, err error) {
		m, begun, had := e.Memory(), time.Now(), busy()
		for range steps {
			copy(m.Actions, given)
			if err := e.Step(); err != nil {
				return l, err
			}
			for _, r := range m.Rewards {
				l.sum += float64(r)
			}
		}
		l.wall, l.busy = time.Since(begun).Seconds(), busy()-had
		return l, nil
	}
	return &subject{"Go", run, e.Close}, e, e.ResetAll(1)
}

// company is for how many rounds the three stay: where its memory happens to lie makes a
// process faster or slower for its whole life, by more than what is looked for. So they
// begin anew, eight times at least, and a company counts once.
func company(rounds int) int { return max(1, min(10, rounds/8)) }

// many is from how many cars on no environment in Go is kept for the next one's sake.
const many = 1 << 14

// Run measures.
func Run(o Options) (*Report, error) {
	k, err := newKit(o)
	if err != nil {
		return nil, err
	}
	defer k.close()
	cpu, free, err := onOne()
	if err != nil {
		return nil, err
	}
	defer free()
	r := &Report{Task: o.Task, Cars: o.Cars, Processor: cpu}
	var all [][]lap // of every language, the median of each company
	var old []*subject
	defer func() { // those in Go keep their memory, so that the next gets other
		for _, s := range old {
			s.close()
		}
	}()
	each := company(o.Rounds)
	for done := 0; done < o.Rounds; done += each {
		subjects, err := r.begin(k)
		if err != nil {
			return nil, err
		}
		if o.Cars > many && len(old) > 0 {
			old[len(old)-1].close()
			old = old[:0]
		}
		old = append(old, subjects[0])
		laps, err := r.rounds(min(each, o.Rounds-done), done, o, subjects)
		for _, s := range subjects[1:] {
			s.close()
		}
		if err != nil {
			return nil, err
		}
		for i := range laps {
			if len(all) == i {
				all = append(all, nil)
			}
			all[i] = append(all[i], middle(laps[i]))
		}
	}
	return r, r.judge(all)
}

// begin starts all three.
func (r *Report) begin(k *kit) (subjects []*subject, err error) {
	own, e, err := inGo(k.o)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	r.Hold, r.ISA = e.Options().Hold, e.ISA()
	subjects = []*subject{own}
	for _, start := range []func() (*subject, error){k.inC, k.inPython} {
		s, err := start()
		if err != nil {
			for _, s := range subjects {
				s.close()
			}
			return nil, err
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}

// middle is the median of some laps.
func middle(laps []lap) lap {
	var wall, busy []float64
	for _, l := range laps {
		wall, busy = append(wall, l.wall), append(busy, l.busy)
	}
	return lap{wall: verdict.Median(wall), busy: verdict.Median(busy)}
}

// rounds lets the subjects take turns, each first in every third round, and returns
// the laps of each. All must earn the same.
func (r *Report) rounds(n, done int, o Options, subjects []*subject) ([][]lap, error) {
	for _, s := range subjects {
		first, err := s.run(2)
		if err != nil {
			return nil, err
		}
		if r.Steps == 0 {
			r.Steps = max(2, int(0.1/(first.busy/2))) // about 0.1 s each
		}
	}
	laps := make([][]lap, len(subjects))
	for round := range n {
		for turn := range subjects {
			k := (round + turn) % len(subjects)
			l, err := subjects[k].run(r.Steps)
			if err != nil {
				return nil, err
			}
			laps[k] = append(laps[k], l)
		}
		for k := range subjects {
			if have, want := laps[k][round].sum, laps[0][round].sum; math.Abs(have-want) > agree {
				return nil, fmt.Errorf("bench: in round %d the cars earn %v in Go and %v in %s: library and program are of different builds, run make env and make build",
					done+round+1, want, have, subjects[k].language)
			}
		}
		if o.Progress != nil {
			o.Progress(done+round+1, o.Rounds)
		}
	}
	return laps, nil
}

// judge compares the processor times in pairs: other programs on the machine make the
// wall's longer, of whom it happens to be.
func (r *Report) judge(laps [][]lap) error {
	languages := []string{"Go", "C", "Python"}
	times := make([][]float64, len(languages))
	for k, language := range languages {
		var wall []float64
		for _, l := range laps[k] {
			wall, times[k] = append(wall, l.wall), append(times[k], l.busy)
		}
		steps := float64(r.Steps)
		step := verdict.Median(wall) / steps
		r.Rows = append(r.Rows, Row{language, float64(r.Cars*r.Hold) / step, step, verdict.Median(times[k]) / steps})
	}
	for _, asked := range []struct {
		subject int
		limit   float64
	}{{0, goLimit}, {2, pythonLimit}} {
		i, err := verdict.Pairs(times[asked.subject], times[1])
		if err != nil {
			return err
		}
		claim := verdict.Claim{Name: languages[asked.subject] + " over C", Direction: verdict.AtMost, Limit: asked.limit}
		r.Judged = append(r.Judged, claim.Judge(i))
	}
	return nil
}

// Print writes the report for a person.
func (r *Report) Print(w io.Writer) error {
	text := fmt.Sprintf("%s, %d cars, %d ms an action, %s, one thread on processor %d, %d steps a turn\n",
		r.Task, r.Cars, r.Hold, r.ISA, r.Processor, r.Steps)
	for _, row := range r.Rows {
		text += fmt.Sprintf("%-7s %8.3f ms of processor time a step of all, %8.3f ms by the clock, %7.2f M robot-steps/s\n",
			row.Language, 1e3*row.Busy, 1e3*row.Step, row.Rate/1e6)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	return verdict.Print(w, r.Judged)
}
