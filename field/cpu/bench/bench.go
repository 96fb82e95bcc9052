package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/verdict"
)

// Options say what to time and how long.
type Options struct {
	ISAs     []string // instruction sets; none means all of this machine
	Threads  []int    // thread counts
	Rounds   int      // turns that every subject takes
	Progress func(done, total int)
}

// DefaultOptions returns one and two threads and 40 rounds.
func DefaultOptions() Options { return Options{Threads: []int{1, 2}, Rounds: 40} }

// A Row is one engine's outcome. Times are milliseconds per tick.
type Row struct {
	Engine  string  `json:"engine"`
	ISA     string  `json:"isa"`
	Step    string  `json:"step"`
	Threads int     `json:"threads"`
	Median  float64 `json:"tick_ms"`
	Best    float64 `json:"best_ms"`
	Floor   float64 `json:"floor_ms"` // of the yardstick that has both memory and arithmetic; 0 when this build cannot tell
	Part    float64 `json:"part_ms"`  // the greater of the two alone
	Bound   string  `json:"bound"`    // which that is: "memory" or "arithmetic"

	OverFloor verdict.Interval `json:"over_floor"` // best tick over the floor of the same turn; no rounds without a floor
	OverPart  verdict.Interval `json:"over_part"`  // tick over the greater part of the same round
	OverCopy  verdict.Interval `json:"over_copy"`  // tick over the copy of the same round
	SpeedUp   verdict.Interval `json:"speed_up"`   // one thread's tick over this one's; no rounds where one did not run

	Stages Stages `json:"stages_ms"`  // of profiled steps, one thread only
	Hash   string `json:"field_hash"` // after the run: equal for equal ticks
	Ticks  int    `json:"ticks"`      // timed
}

// Stages are the parts of a tick in milliseconds.
type Stages struct {
	Prepare  float64 `json:"prepare"`
	Displace float64 `json:"displace"`
	Lateral  float64 `json:"lateral"`
	Evolve   float64 `json:"evolve"`
	Traces   float64 `json:"traces"`
}

// A Report is one whole run.
type Report struct {
	Rows  []Row   `json:"rows"`
	Copy  float64 `json:"copy_8mib_ms"`  // median
	Scale float64 `json:"scale_8mib_ms"` // median, in place
	Gains []Gain  `json:"side_by_side"`  // of the yardsticks, for more than one thread
	Moved float64 `json:"moved"`         // how far the worst of the two moved within the run

	Claims []verdict.Judgement `json:"claims"`
	Void   bool                `json:"void"` // one of them is
}

// A Gain is what threads side by side have of the yardsticks over one thread: no step can
// gain more of threads where its arithmetic or its memory is the bound.
type Gain struct {
	ISA        string  `json:"isa"`
	Threads    int     `json:"threads"`
	Arithmetic float64 `json:"arithmetic"` // 0 when this build cannot tell
	Memory     float64 `json:"memory"`
}

// collapsedGoal is what a collapsed step on one AVX-512 core may take, in ms.
const collapsedGoal = 0.25

// subject is one engine taking its turns.
type subject struct {
	row    Row
	engine *cpu.Engine
	inputs *exercise.Sequence
	burst  int       // ticks per turn
	times  []float64 // ms per tick of each turn
	bests  []float64 // likewise, of each turn's best try
	floors []float64 // likewise, of its yardstick; empty where the engine has none
}

const fieldCells = field.Channels * field.Cells

// Run times every combination of instruction set, step and thread count.
func Run(o Options) (*Report, error) {
	if len(o.ISAs) == 0 {
		o.ISAs = cpu.ISAs()
	}
	subjects, err := prepare(o)
	if err != nil {
		return nil, err
	}
	y := newYardsticks(o)
	for round := range o.Rounds {
		y.measure()
		for i := range subjects {
			subjects[i].turn()
		}
		if o.Progress != nil {
			o.Progress(round+1, o.Rounds)
		}
	}
	return conclude(subjects, y)
}

// prepare builds and warms up the subjects.
func prepare(o Options) ([]*subject, error) {
	var list []*subject
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, isa := range o.ISAs {
			for _, threads := range o.Threads {
				e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: threads, Step: step})
				if err != nil {
					return nil, fmt.Errorf("bench: %w", err)
				}
				s := &subject{engine: e, inputs: exercise.New(7), burst: burst(isa, step)}
				s.row = Row{Engine: e.Name(), ISA: isa, Step: step.String(), Threads: threads}
				for range 4 * exercise.Hold { // peaks form, pages are touched
					if _, err := e.Step(s.inputs.Next()); err != nil {
						return nil, fmt.Errorf("bench: %w", err)
					}
				}
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// burst is how many ticks a subject runs in one turn: always a multiple of 4,
// because the memory traces are updated every fourth tick.
func burst(isa string, step field.StepKind) int {
	switch {
	case isa == cpu.PureGo && step == field.Dense:
		return 4
	case isa == cpu.PureGo || step == field.Dense:
		return 8
	}
	return 20
}

// beat is how many ticks are timed at once: in one of them the traces are due.
const beat = 4

// turn times a burst of ticks after one that is not timed: it brings the field
// back into the caches that the others used meanwhile, as a running brain's is.
// Behind it the engine's own yardstick takes as many tries as the step did.
func (s *subject) turn() {
	_, _ = s.engine.Step(s.inputs.Next())
	sum, least, tries := 0.0, math.Inf(1), s.burst/beat
	for range tries {
		begin := time.Now()
		for range beat {
			_, _ = s.engine.Step(s.inputs.Next()) // the quality is valid: no error
		}
		took := ms(time.Since(begin)) / beat
		sum, least = sum+took, min(least, took)
	}
	s.times, s.bests = append(s.times, sum/float64(tries)), append(s.bests, least)
	if floor := s.toil(tries); floor > 0 {
		s.floors = append(s.floors, floor)
	}
}

// toil returns the least ms per tick of several tries of the engine's yardstick, 0 where it has
// none.
func (s *subject) toil(tries int) float64 {
	if !s.engine.Toil(0) {
		return 0
	}
	least := math.Inf(1)
	for range tries {
		begin := time.Now()
		for tick := range uint64(beat) {
			s.engine.Toil(tick)
		}
		least = min(least, ms(time.Since(begin))/beat)
	}
	return least
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// conclude computes floors, ratios and stages, and judges.
func conclude(subjects []*subject, y *yardsticks) (*Report, error) {
	r := &Report{
		Copy: verdict.Median(y.copy), Scale: verdict.Median(y.scale[1]),
		Moved: max(verdict.Moved(y.copy), verdict.Moved(y.scale[1])), Claims: []verdict.Judgement{},
	}
	one := map[string][]float64{}
	for _, s := range subjects {
		if s.row.Threads == 1 {
			one[s.row.ISA+s.row.Step] = s.times
		}
	}
	for _, s := range subjects {
		if err := s.measured(y, one[s.row.ISA+s.row.Step]); err != nil {
			return nil, fmt.Errorf("bench: %s: %w", s.row.Engine, err)
		}
		if s.row.Threads == 1 {
			s.row.stages(s)
		}
		claims, err := s.claims()
		if err != nil {
			return nil, fmt.Errorf("bench: %s: %w", s.row.Engine, err)
		}
		r.Rows, r.Claims = append(r.Rows, s.row), append(r.Claims, claims...)
		_ = s.engine.Close()
	}
	r.Void, r.Gains = verdict.AnyVoid(r.Claims), y.gains()
	return r, nil
}

// measured fills in the times and their ratios within rounds; one is the same
// engine's times on one thread, nil when it did not run so.
func (s *subject) measured(y *yardsticks, one []float64) (err error) {
	row := &s.row
	row.Hash = fmt.Sprintf("%016x", field.Hash(s.engine))
	row.Median, row.Best = verdict.Median(s.times), slices.Min(s.times)
	row.Ticks = len(s.times) * s.burst
	if row.OverCopy, err = verdict.Pairs(s.times, y.copy); err != nil {
		return err
	}
	if one != nil {
		if row.SpeedUp, err = verdict.Pairs(one, s.times); err != nil {
			return err
		}
	}
	parts := s.parts(y)
	if parts == nil || len(s.floors) == 0 {
		return nil
	}
	row.Floor, row.Part = verdict.Median(s.floors), verdict.Median(parts)
	if row.OverPart, err = verdict.Pairs(s.times, parts); err != nil {
		return err
	}
	row.OverFloor, err = verdict.Pairs(s.bests, s.floors)
	return err
}

// parts returns the greater of memory and arithmetic alone of every round in ms, from the
// rates that as many threads side by side had in the same round, or nil when this build
// cannot tell.
func (s *subject) parts(y *yardsticks) []float64 {
	peak, scale := y.peak[side{s.row.ISA, s.row.Threads}], y.scale[s.row.Threads]
	if slices.Min(peak) == 0 {
		return nil
	}
	table := field.PiCarX()
	w := cpu.Minimum(&table, s.engine.Layout(), s.row.ISA)
	s.row.Bound = "memory"
	arithmetic := 0
	parts := make([]float64, len(peak))
	for i := range parts {
		memory, compute := w.Bytes/fieldBytes*scale[i], w.LaneOps/peak[i]*1e3
		if parts[i] = max(memory, compute); compute > memory {
			arithmetic++
		}
	}
	if 2*arithmetic > len(parts) {
		s.row.Bound = "arithmetic"
	}
	return parts
}

// claims judges the row against the targets of one AVX-512 core. On a machine
// without it there is nothing to judge.
func (s *subject) claims() ([]verdict.Judgement, error) {
	row := &s.row
	claim := func(name string, d verdict.Direction, limit float64, i verdict.Interval) []verdict.Judgement {
		return []verdict.Judgement{verdict.Claim{Name: name, Direction: d, Limit: limit}.Judge(i)}
	}
	switch {
	case row.ISA != "avx512":
	case row.Threads == 1 && row.Step == "dense":
		return claim("dense step over its floor, 1 thread", verdict.AtMost, 1.5, row.OverFloor), nil
	case row.Threads == 1:
		i, err := verdict.Scaled(s.times, collapsedGoal)
		list := claim("collapsed step over 0.25 ms, 1 thread", verdict.AtMost, 1, i)
		return append(list, claim("collapsed step over its floor, 1 thread", verdict.AtMost, 2.5, row.OverFloor)...), err
	case row.Threads == 2 && row.Step == "dense" && row.SpeedUp.Rounds > 0:
		return claim("dense step, 2 threads faster than 1", verdict.AtLeast, 1.8, row.SpeedUp), nil
	}
	return nil, nil
}

// stages profiles some more ticks.
func (row *Row) stages(s *subject) {
	s.engine.Time(true)
	for range 5 * s.burst {
		_, _ = s.engine.Step(s.inputs.Next())
	}
	p := s.engine.Profile()
	s.engine.Time(false)
	n := float64(p.Steps)
	row.Stages = Stages{
		Prepare: ms(p.Prepare) / n, Displace: ms(p.Displace) / n, Lateral: ms(p.Lateral) / n,
		Evolve: ms(p.Evolve) / n, Traces: ms(p.Traces) / n,
	}
}
