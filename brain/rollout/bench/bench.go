package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/rollout"
	"fieldbrain/verdict"
)

// Goal is what a whole plan of 2000 x 56 may take on an AVX-512 core, in ms.
const Goal = 2.0

// A Row is one engine. A plan is map, drives and blend; the drive is without the map.
type Row struct {
	ISA     string  `json:"isa"`
	Median  float64 `json:"plan_ms"`
	Best    float64 `json:"best_ms"`
	Rate    float64 `json:"steps_per_s"` // imagined
	Longest float64 `json:"share_us"`    // median over the rounds of the longest of twenty shares

	OverPeer verdict.Interval `json:"over_peer"` // the plan over the peer's of the same round
}

// A Report is one run.
type Report struct {
	Trajectories int     `json:"trajectories"`
	Steps        int     `json:"steps"`
	Peer         float64 `json:"peer_ms"` // 0 where it cannot run
	PeerBest     float64 `json:"peer_best_ms"`
	Rows         []Row   `json:"rows"`

	Claims []verdict.Judgement `json:"claims"`
	Void   bool                `json:"void"` // one of them is
}

// Options choose the sizes.
type Options struct {
	Rounds              int // turns every subject takes
	Trajectories, Steps int
	Progress            func(done, total int) // may be nil
}

// shares are the calls that a plan is spread over.
const shares = 20

// subject is one engine with its times of every round.
type subject struct {
	planner *rollout.Planner
	plans   []float64 // ms
	longest []float64 // us
}

// scene is a belief with posts and a half that is unknown.
func scene() (*belief.Belief, error) {
	b, err := belief.New("auto")
	if err != nil {
		return nil, err
	}
	for x := range belief.Side {
		for y := range belief.Side {
			units := -belief.Limit
			if x > 20 {
				units = 0
			}
			place := func(i int) float32 { return (float32(i) - belief.Side/2 + 0.5) * belief.Cell }
			b.Set(place(x), place(y), belief.Floor, units)
			if x%6 == 5 && y%7 == 3 {
				units = belief.Limit
			}
			b.Set(place(x), place(y), belief.Body, units)
		}
	}
	return b, nil
}

// layers is the same map for the peer: risk, entropy, reach.
func layers(b *belief.Belief) []float32 {
	const cells = 64
	list := make([]float32, 3*cells*cells)
	var reach belief.Reach
	b.Spread(&reach)
	for i := range cells * cells {
		x, y := (float32(i/cells)+0.5)/16-2, (float32(i%cells)+0.5)/16-2
		list[i] = b.Risk(x, y)
		list[cells*cells+i] = float32(belief.Entropy(belief.Probability(b.Odds(x, y, belief.Floor))))
		list[2*cells*cells+i] = reach.At(x, y)
	}
	return list
}

// turn times a plan in shares, as ticks do it.
func (s *subject) turn(b *belief.Belief) {
	p := s.planner
	situation := rollout.Situation{State: rollout.State{Speed: 0.3}, GoalX: 1.5, GoalY: 0.4, GoalWeight: 1, Belief: b, Elapsed: 1}
	units, sum, most := (p.Units()+shares-1)/shares, time.Duration(0), time.Duration(0)
	begun := time.Now()
	p.Begin(&situation)
	for done := false; !done; {
		_, done = p.Advance(units)
		took := time.Since(begun)
		sum, most = sum+took, max(most, took)
		begun = time.Now()
	}
	s.plans = append(s.plans, float64(sum)/1e6)
	s.longest = append(s.longest, float64(most)/1e3)
}

// subjects returns all engines.
func subjects(o Options) ([]*subject, error) {
	par := rollout.Default()
	par.Trajectories, par.Steps = o.Trajectories, o.Steps
	var list []*subject
	for _, isa := range rollout.ISAs() {
		p, err := rollout.New(isa, par, 1)
		if err != nil {
			return nil, err
		}
		list = append(list, &subject{planner: p})
	}
	return list, nil
}

// Run times everything, in turns.
func Run(o Options) (*Report, error) {
	list, err := subjects(o)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	b, err := scene()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	rival := newPeer(o.Trajectories, o.Steps, layers(b))
	if rival != nil {
		defer rival.close()
	}
	var theirs []float64
	for round := -1; round < o.Rounds; round++ { // the first warms up
		for _, s := range list {
			s.turn(b)
		}
		if rival != nil {
			begun := time.Now()
			rival.plan(0.3, 3.5, 2.4)
			theirs = append(theirs, float64(time.Since(begun))/1e6)
		}
		if round >= 0 && o.Progress != nil {
			o.Progress(round+1, o.Rounds)
		}
	}
	return conclude(o, list, theirs)
}

// conclude makes the report of the times.
func conclude(o Options, list []*subject, theirs []float64) (*Report, error) {
	r := &Report{Trajectories: o.Trajectories, Steps: o.Steps, Claims: []verdict.Judgement{}}
	if len(theirs) > 0 {
		theirs = theirs[1:]
		r.Peer, r.PeerBest = verdict.Median(theirs), slices.Min(theirs)
	}
	for _, s := range list {
		times := s.plans[1:]
		row := Row{
			ISA: s.planner.ISA(), Median: verdict.Median(times), Best: slices.Min(times), Longest: verdict.Median(s.longest[1:]),
		}
		row.Rate = float64(o.Trajectories*o.Steps) / row.Median * 1e3
		if len(theirs) > 0 {
			var err error
			if row.OverPeer, err = verdict.Pairs(times, theirs); err != nil {
				return nil, fmt.Errorf("bench: %s: %w", row.ISA, err)
			}
		}
		r.Rows = append(r.Rows, row)
		if row.ISA != "avx512" {
			continue
		}
		limit := Goal * float64(o.Trajectories*o.Steps) / (2000 * 56)
		ratio, err := verdict.Scaled(times, limit)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		name := fmt.Sprintf("a plan of %d x %d over %.3g ms, avx512", o.Trajectories, o.Steps, limit)
		r.Claims = append(r.Claims, verdict.Claim{Name: name, Direction: verdict.AtMost, Limit: 1}.Judge(ratio))
	}
	r.Void = verdict.AnyVoid(r.Claims)
	return r, nil
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d imagined drives of %d steps, all critics, one thread; over peer is paired with Nav2's published algorithm, retold, in the same round:\n",
		r.Trajectories, r.Steps)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "engine\tplan ms\tbest\tM steps/s\tlongest of 20 shares us\tover peer\t")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.1f\t%.1f\t%s\t\n", row.ISA, row.Median, row.Best, row.Rate/1e6, row.Longest, row.OverPeer.Short())
	}
	if r.Peer > 0 {
		fmt.Fprintf(t, "peer\t%.3f\t%.3f\t%.1f\t-\t1\t\n", r.Peer, r.PeerBest, float64(r.Trajectories*r.Steps)/r.Peer/1e3)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return verdict.Print(w, r.Claims)
}
