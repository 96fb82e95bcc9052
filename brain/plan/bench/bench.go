package bench

import (
	"fmt"
	"slices"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/field"
	"fieldbrain/verdict"
)

// Poses and rays of one set: what thirteen actions of a plan cost at most.
const (
	Poses = plan.Actions
	Rays  = belief.MaxRays
)

// Fills are the three states of the grid.
var fills = []struct {
	name              string
	occupied, unknown int // per thousand; columns
}{{"nearly empty", 0, 0}, {"2 % occupied", 20, 0}, {"half unknown", 0, belief.Side / 2}}

// A Row is one instruction set on one fill. Times are those of 13 x 4096 rays.
type Row struct {
	ISA    string  `json:"isa"`
	Fill   string  `json:"fill"`
	Cells  float64 `json:"cells_per_ray"`
	Bits   float64 `json:"bits_per_ray"`
	Median float64 `json:"set_ms"`
	Best   float64 `json:"best_ms"`
	Rate   float64 `json:"rays_per_s"`

	OverCopy verdict.Interval `json:"over_copy"` // the set over the copy of the same round
}

// An Insertion is one instruction set's insertion of a scan of 4096 rays.
type Insertion struct {
	ISA  string  `json:"isa"`
	Rate float64 `json:"rays_per_s"`
	Best float64 `json:"best_rays_per_s"`
}

// A Search is a whole plan at full effort.
type Search struct {
	ISA   string  `json:"isa"`
	Ms    float64 `json:"ms"`
	Rays  int     `json:"rays"`
	Ticks int     `json:"ticks"`
	Most  float64 `json:"longest_tick_ms"` // median over the plans of their longest
}

// A Report is one run.
type Report struct {
	Copy      float64     `json:"copy_8mib_ms"`
	Moved     float64     `json:"yardstick_moved"`
	Rows      []Row       `json:"rows"`
	Insert    []Insertion `json:"insert"`
	Propagate float64     `json:"propagate_us"` // 13 actions of 20 steps
	Quickest  float64     `json:"propagate_best_us"`
	Search    []Search    `json:"search"`
	Floor     []Chore     `json:"floor"`
	OctoMap   OctoMap     `json:"octomap"`

	Claims []verdict.Judgement `json:"claims"`
	Void   bool                `json:"void"` // one of them is
}

// Options choose the rows of the report.
type Options struct {
	Rounds   int                   // turns every subject takes
	Progress func(done, total int) // may be nil
}

// subject is one instruction set with its times of every round, in ms.
type subject struct {
	isa    string
	grids  []*belief.Belief // by fill
	scan   belief.Scan
	cast   [][]float64 // by fill
	insert []float64
	search []float64
	most   []float64
	visits []int64
	gain   []int64
	plan   plan.Plan
	ticks  int
}

// poses are the thirteen places rays are cast from.
func poses() (list [Poses]belief.Place) {
	for i := range list {
		list[i] = belief.Place{X: -0.9 + 0.15*float32(i) + 0.01, Y: 0.5 - 0.07*float32(i), Z: 1.7}
	}
	return list
}

// prepare builds the subjects.
func prepare() ([]*subject, error) {
	var list []*subject
	for _, isa := range belief.ISAs() {
		s := &subject{isa: isa, cast: make([][]float64, len(fills)), visits: make([]int64, len(fills)), gain: make([]int64, len(fills))}
		for _, f := range fills {
			b, err := belief.New(isa)
			if err != nil {
				return nil, fmt.Errorf("bench: %w", err)
			}
			litter(b, f.occupied, f.unknown)
			s.grids = append(s.grids, b)
		}
		for row := range belief.Rows {
			for c := range belief.Columns {
				s.scan.Put(row, c, length(row, c), belief.Hit)
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// length is where the inserted ray ends, in m.
func length(row, column int) float32 { return 1 + float32((row*7+column)%32)*0.02 }

// litter fills a grid: free and certain, but for what is occupied or unknown.
func litter(b *belief.Belief, occupied, unknown int) {
	for x := range belief.Side {
		for y := range belief.Side {
			for z := range belief.Side {
				units := -belief.Limit
				if x < unknown {
					units = 0
				}
				if int(field.Mix(uint32((x*belief.Side+y)*belief.Side+z))%1000) < occupied {
					units = belief.Limit
				}
				b.Set((float32(x)-belief.Side/2+0.5)*belief.Cell, (float32(y)-belief.Side/2+0.5)*belief.Cell, z+1, units)
			}
		}
	}
}

// turn times everything of a subject once, the grid in the caches as a running
// brain's is.
func (s *subject) turn(planner *plan.Tree) {
	at := poses()
	for i, b := range s.grids {
		var fan belief.Fan
		set := func() {
			s.visits[i], s.gain[i] = 0, 0
			for n := range at {
				fan = belief.Fan{Count: belief.Rows}
				b.Cast(at[n], nil, &fan)
				s.visits[i] += fan.Visits
				for _, g := range fan.Gain {
					s.gain[i] += int64(g)
				}
			}
		}
		set()
		s.cast[i] = append(s.cast[i], timed(set))
	}
	b := s.grids[len(s.grids)-1]
	s.think(planner, b)
	fresh := s.grids[0]
	s.insert = append(s.insert, timed(func() { fresh.Insert(at[0], &s.scan) }))
	litter(fresh, fills[0].occupied, fills[0].unknown)
}

// think times a whole plan and its longest tick.
func (s *subject) think(planner *plan.Tree, b *belief.Belief) {
	sum, most := 0.0, 0.0
	planner.Begin(&plan.Situation{State: plan.State{Speed: 0.3}}, plan.Full())
	s.ticks = 0
	for done := false; !done; {
		t := timed(func() { s.plan, done = planner.Advance(b) })
		sum, most = sum+t, max(most, t)
		s.ticks++
	}
	s.search, s.most = append(s.search, sum), append(s.most, most)
}

// timed returns how long something takes in ms.
func timed(f func()) float64 {
	begin := time.Now()
	f()
	return float64(time.Since(begin)) / 1e6
}

// Run times everything, all in turns.
func Run(o Options) (*Report, error) {
	subjects, err := prepare()
	if err != nil {
		return nil, err
	}
	p := plan.Default()
	planner, err := plan.New(p)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	model, from, paths := plan.NewModel(&p), plan.State{Speed: 0.3}, plan.Paths{}
	src, dst := make([]byte, 8<<20), make([]byte, 8<<20)
	for i := range src {
		src[i] = byte(i)
	}
	rivals, missing := challenge(subjects[0])
	defer rivals.close()
	var copies, moves []float64
	for round := range o.Rounds {
		copy(dst, src)
		copies = append(copies, timed(func() { copy(dst, src) }))
		const burst = 100
		moves = append(moves, 1000/burst*timed(func() {
			for range burst {
				model.Propagate(&from, &paths)
			}
		}))
		for i, s := range subjects {
			s.turn(planner)
			if i == 0 && missing == nil { // beside the one it is compared with
				missing = rivals.turn()
			}
		}
		if o.Progress != nil {
			o.Progress(round+1, o.Rounds)
		}
	}
	r, err := conclude(subjects, copies, moves)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	r.OctoMap = rivals.report(subjects[0], missing)
	r.Floor, err = chores(o.Rounds)
	return r, err
}

// conclude makes the report of the subjects' times, the copy's in ms and the
// propagation's in us.
func conclude(subjects []*subject, copies, moves []float64) (*Report, error) {
	r := &Report{
		Copy: verdict.Median(copies), Moved: verdict.Moved(copies),
		Propagate: verdict.Median(moves), Quickest: slices.Min(moves),
	}
	const rays = Poses * Rays
	for _, s := range subjects {
		for i, f := range fills {
			median := verdict.Median(s.cast[i])
			over, err := verdict.Pairs(s.cast[i], copies)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", s.isa, f.name, err)
			}
			r.Rows = append(r.Rows, Row{
				ISA: s.isa, Fill: f.name, Median: median, Best: slices.Min(s.cast[i]), Rate: rays / median * 1e3,
				Cells: float64(s.visits[i]) / rays, Bits: float64(s.gain[i]) / belief.One / rays, OverCopy: over,
			})
		}
		r.Insert = append(r.Insert, Insertion{
			ISA: s.isa, Rate: Rays / verdict.Median(s.insert) * 1e3, Best: Rays / slices.Min(s.insert) * 1e3,
		})
		r.Search = append(r.Search, Search{
			ISA: s.isa, Ms: verdict.Median(s.search), Rays: s.plan.Rays, Ticks: s.ticks, Most: verdict.Median(s.most),
		})
	}
	var err error
	if r.Claims, err = claims(subjects, moves); err != nil {
		return nil, err
	}
	r.Void = verdict.AnyVoid(r.Claims)
	return r, nil
}

// claims judges the run against the targets of one core. What the machine has
// not is not judged.
func claims(subjects []*subject, moves []float64) ([]verdict.Judgement, error) {
	list := []verdict.Judgement{}
	most := func(name string, times []float64, limit float64) error {
		ratio, err := verdict.Scaled(times, limit)
		if err == nil {
			list = append(list, verdict.Claim{Name: name, Direction: verdict.AtMost, Limit: 1}.Judge(ratio))
		}
		return err
	}
	for _, s := range subjects {
		limit, known := map[string]float64{"avx512": 1.2, "avx2": 3}[s.isa] // ms
		if !known {
			continue
		}
		if err := most(fmt.Sprintf("13 x 4096 rays over %g ms, %s, %s", limit, s.isa, fills[0].name), s.cast[0], limit); err != nil {
			return nil, err
		}
	}
	if best := subjects[0]; best.isa != "purego" {
		const limit = Rays / 20e6 * 1e3 // ms
		if err := most("insertion over the time at 20 million rays/s, "+best.isa, best.insert, limit); err != nil {
			return nil, err
		}
	}
	return list, most("13 actions over 20 steps over 2 us", moves, 2)
}
