package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/drill"
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
	Engine    string  `json:"engine"`
	ISA       string  `json:"isa"`
	Step      string  `json:"step"`
	Threads   int     `json:"threads"`
	Median    float64 `json:"tick_ms"`
	Best      float64 `json:"best_ms"`
	Floor     float64 `json:"floor_ms"`   // 0 when this build cannot tell
	OverFloor float64 `json:"over_floor"` // median tick over floor
	OverCopy  float64 `json:"over_copy"`  // median over rounds of tick / copy of the same round
	SpeedUp   float64 `json:"speed_up"`   // over one thread, median over rounds
	Bound     string  `json:"bound"`      // "memory" or "arithmetic"
	Stages    Stages  `json:"stages_ms"`  // of profiled steps, one thread only
	Hash      string  `json:"field_hash"` // after the run: equal for equal ticks
	Ticks     int     `json:"ticks"`      // timed
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
	Moved float64 `json:"moved"`         // how far the worst yardstick moved within the run
	Void  bool    `json:"void"`          // Moved exceeds 5 %
}

// Tolerance is how far the yardstick may move between the halves of a run.
const Tolerance = 0.05

// subject is one engine taking its turns.
type subject struct {
	row    Row
	engine *cpu.Engine
	drill  *drill.Drill
	burst  int       // ticks per turn
	times  []float64 // ms per tick of each turn
}

// yardsticks are the two reference operations on buffers of the field's size.
type yardsticks struct {
	src, dst    []float32
	copy, scale []float64
	peak        map[string][]float64 // lane operations per second of each round
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
	y := &yardsticks{src: make([]float32, fieldCells), dst: make([]float32, fieldCells), peak: map[string][]float64{}}
	for i := range y.src {
		y.src[i] = float32(i%97) + 1
	}
	for round := range o.Rounds {
		y.measure(o.ISAs)
		for i := range subjects {
			subjects[i].turn()
		}
		if o.Progress != nil {
			o.Progress(round+1, o.Rounds)
		}
	}
	return conclude(subjects, y), nil
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
				s := &subject{engine: e, drill: drill.New(7), burst: burst(isa, step)}
				s.row = Row{Engine: e.Name(), ISA: isa, Step: step.String(), Threads: threads}
				for range 4 * drill.Hold { // peaks form, pages are touched
					if _, err := e.Step(s.drill.Next()); err != nil {
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

// turn times a burst of ticks after one that is not timed: it brings the field
// back into the caches that the others used meanwhile, as a running brain's is.
func (s *subject) turn() {
	_, _ = s.engine.Step(s.drill.Next())
	begin := time.Now()
	for range s.burst {
		_, _ = s.engine.Step(s.drill.Next()) // the quality is valid: no error
	}
	s.times = append(s.times, ms(time.Since(begin))/float64(s.burst))
}

// measure times the operations of one round, copy and scale with their buffers
// in the caches, as the fields are.
func (y *yardsticks) measure(isas []string) {
	for _, isa := range isas {
		y.peak[isa] = append(y.peak[isa], cpu.Peak(isa))
	}
	copy(y.dst, y.src)
	begin := time.Now()
	copy(y.dst, y.src)
	y.copy = append(y.copy, ms(time.Since(begin)))
	cpu.Scale(y.src, 1.0000001)
	begin = time.Now()
	cpu.Scale(y.src, 1.0000001)
	y.scale = append(y.scale, ms(time.Since(begin)))
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// Median returns the middle of the values, which stay as they are.
func Median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return stat.Quantile(0.5, stat.Empirical, s, nil)
}

// Paired returns the median over rounds of a[i] / b[i].
func Paired(a, b []float64) float64 {
	r := make([]float64, len(a))
	for i := range r {
		r[i] = a[i] / b[i]
	}
	return Median(r)
}

// Moved returns how far a yardstick moved: the larger of the relative change
// between the halves of the run and the spread of the middle half of its rounds.
func Moved(v []float64) float64 {
	half := len(v) / 2
	if half == 0 {
		return 0
	}
	drift := math.Abs(Median(v[half:])/Median(v[:half]) - 1)
	s := slices.Sorted(slices.Values(v))
	spread := stat.Quantile(0.75, stat.Empirical, s, nil) - stat.Quantile(0.25, stat.Empirical, s, nil)
	return max(drift, spread/Median(v))
}

// conclude computes floors, ratios and stages.
func conclude(subjects []*subject, y *yardsticks) *Report {
	r := &Report{Copy: Median(y.copy), Scale: Median(y.scale), Moved: max(Moved(y.copy), Moved(y.scale))}
	for _, peak := range y.peak {
		if Median(peak) > 0 {
			r.Moved = max(r.Moved, Moved(peak))
		}
	}
	r.Void = r.Moved > Tolerance
	rate := fieldCells * 8 / (r.Scale * 1e-3) // bytes per second, read and written in place
	one := map[string][]float64{}
	for _, s := range subjects {
		s.row.Hash = fmt.Sprintf("%016x", field.Hash(s.engine))
		if s.row.Threads == 1 {
			one[s.row.ISA+s.row.Step] = s.times
		}
	}
	for _, s := range subjects {
		row := &s.row
		row.Median, row.Best = Median(s.times), slices.Min(s.times)
		row.Ticks = len(s.times) * s.burst
		row.floor(s.engine, rate, slices.Max(y.peak[row.ISA]))
		row.OverCopy = Paired(s.times, y.copy)
		if base := one[row.ISA+row.Step]; base != nil {
			row.SpeedUp = Paired(base, s.times)
		}
		if row.Threads == 1 {
			row.stages(s)
		}
		r.Rows = append(r.Rows, *row)
		_ = s.engine.Close()
	}
	return r
}

// floor fills in the computed floor.
func (row *Row) floor(e *cpu.Engine, rate, peak float64) {
	if peak == 0 {
		return
	}
	table := field.PiCarX()
	w := cpu.Minimum(&table, e.Layout())
	memory := w.Bytes / rate / float64(row.Threads) * 1e3
	arithmetic := w.LaneOps / peak / float64(row.Threads) * 1e3
	row.Floor, row.Bound = memory, "memory"
	if arithmetic > memory {
		row.Floor, row.Bound = arithmetic, "arithmetic"
	}
	row.OverFloor = row.Median / row.Floor
}

// stages profiles some more ticks.
func (row *Row) stages(s *subject) {
	s.engine.Time(true)
	for range 5 * s.burst {
		_, _ = s.engine.Step(s.drill.Next())
	}
	p := s.engine.Profile()
	s.engine.Time(false)
	n := float64(p.Steps)
	row.Stages = Stages{
		Prepare: ms(p.Prepare) / n, Displace: ms(p.Displace) / n, Lateral: ms(p.Lateral) / n,
		Evolve: ms(p.Evolve) / n, Traces: ms(p.Traces) / n,
	}
}
