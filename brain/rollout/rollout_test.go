package rollout

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"fieldbrain/brain/belief"
	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

func grid(t testing.TB) *belief.Belief {
	t.Helper()
	b, err := belief.New("auto")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func planner(t testing.TB, isa string, p Params, seed uint32) *Planner {
	t.Helper()
	q, err := New(isa, p, seed)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// think runs a plan to its end in shares of so many units.
func think(t testing.TB, p *Planner, s *Situation, share int) Plan {
	t.Helper()
	p.Begin(s)
	for range p.Units() + 1 {
		if plan, done := p.Advance(share); done {
			return plan
		}
	}
	t.Fatal("the plan never ends")
	return Plan{}
}

// known makes floor and body's layer known and free, but for the floor where open says
// so.
func known(b *belief.Belief, open func(x, y float32) bool) {
	for x := float32(-1.95); x < 2; x += belief.Cell {
		for y := float32(-1.95); y < 2; y += belief.Cell {
			b.Set(x, y, belief.Body, -belief.Limit)
			if !open(x, y) {
				b.Set(x, y, belief.Floor, -belief.Limit)
			}
		}
	}
}

// litter occupies and forgets cells at random.
func litter(b *belief.Belief, seed uint32) {
	for n := range uint32(200) {
		roll := field.Mix(seed<<10 | n)
		x, y := float32(roll&1023)/256-2, float32(roll>>10&1023)/256-2
		if x*x+y*y > 0.1 {
			b.Set(x, y, belief.Floor+int(roll>>20&1), int(roll>>21&255)-128)
		}
	}
}

// digest is the hash of all that a plan leaves.
func digest(p *Planner, plan Plan) uint64 {
	h := fnv.New64a()
	put := func(v float32) {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		h.Write(b[:])
	}
	for _, list := range [][]float32{p.costs, p.weights, p.mean, {plan.X, plan.Y, plan.EndX, plan.EndY, plan.Steering, plan.Speed, plan.Cost, plan.Least, plan.Effective}} {
		for _, v := range list {
			put(v)
		}
	}
	return h.Sum64()
}

// TestEnginesAgree drives all engines through the same plans, in different shares.
func TestEnginesAgree(t *testing.T) {
	for _, size := range [][2]int{{2000, 56}, {16, 2}, {33, 7}, {500, 100}} {
		par := Default()
		par.Trajectories, par.Steps = size[0], size[1]
		var want []uint64
		for e, isa := range append(ISAs(), ISAs()[0]) {
			p := planner(t, isa, par, 7)
			for n := range uint32(3) {
				b := grid(t)
				known(b, func(x, _ float32) bool { return x > 0.6 })
				litter(b, n)
				s := Situation{
					State:  State{X: 0.1 * float32(n), Y: -0.05, Heading: 2.5 * float32(n), Speed: 0.3 - 0.2*float32(n), Steering: 0.2},
					Belief: b, GoalX: 1, GoalY: -3, GoalWeight: 0.5 * float32(n), Elapsed: int(n),
				}
				got := digest(p, think(t, p, &s, 1+13*e))
				if e == 0 {
					want = append(want, got)
				} else if got != want[n] {
					t.Errorf("%v, %s, shares of %d, plan %d: %016x, %s has %016x", size, isa, 1+13*e, n, got, ISAs()[0], want[n])
				}
			}
		}
	}
}

// TestNoise holds the noise against its standard deviation, and neighbours apart.
func TestNoise(t *testing.T) {
	par := Default()
	j := newJob(&par)
	u := make([]float32, 2*par.Steps)
	sum, square, both, held, n := 0.0, 0.0, 0.0, 0.0, 0.0
	for k := 1; k < 4000; k++ {
		a, b := j.begin(k), j.begin(k+1)
		before := a.steer
		for t := range par.Steps {
			j.next(&a, u, t)
			j.next(&b, u, t)
			v := float64(a.steer)
			sum, square, both, held, n = sum+v, square+v*v, both+v*float64(b.steer)+v*float64(a.speed), held+v*float64(before), n+1
			before = a.steer
		}
	}
	sd := math.Sqrt(square / n)
	if math.Abs(sum/n) > 0.01*sd || math.Abs(sd/float64(par.SteerNoise)-1) > 0.02 {
		t.Errorf("mean %v, standard deviation %v, want 0 and %v", sum/n, sd, par.SteerNoise)
	}
	if math.Abs(both/square) > 0.03 {
		t.Errorf("trajectories next to each other, or the two commands, have a correlation of %v", both/square)
	}
	if want := math.Exp(-par.Step.Seconds() / par.Hold.Seconds()); math.Abs(held/square-want) > 0.03 {
		t.Errorf("one step is worth %v of the next, want %v", held/square, want)
	}
}

// TestDrivesAroundToTheGoal follows plan after plan with a car of its own in float64:
// it arrives behind a wall without touching it, and does not where risk costs nothing.
func TestDrivesAroundToTheGoal(t *testing.T) {
	tier.Native(t, "equal bits carry its result over")
	for _, side := range []float32{1, -1} {
		way := func(p Params) (nearest, least float64) {
			b := grid(t)
			known(b, func(float32, float32) bool { return false })
			for y := float32(-0.3); y <= 0.31; y += 0.05 {
				b.Set(0.7, y+0.1*side, belief.Body, belief.Limit)
			}
			q := planner(t, "auto", p, 3)
			x, y, psi, v, d := 0.0, 0.0, 0.0, 0.0, 0.0
			nearest, least = 9, 9
			for range 240 {
				plan := think(t, q, &Situation{
					State:  State{X: float32(x), Y: float32(y), Heading: float32(psi), Speed: float32(v), Steering: float32(d)},
					Belief: b, GoalX: 1.5, GoalY: 0, GoalWeight: 1, Elapsed: 1,
				}, 1000)
				v += (float64(plan.Speed) - v) * (1 - math.Exp(-0.05/0.12))
				d += min(max(float64(plan.Steering)-d, -0.26), 0.26)
				psi += v * math.Tan(d) / 0.094 * 0.05
				x, y = x+v*0.05*math.Cos(psi), y+v*0.05*math.Sin(psi)
				cx, cy := x+0.05*math.Cos(psi), y+0.05*math.Sin(psi)
				nearest = min(nearest, math.Hypot(cx-1.5, cy))
				wall := min(max(cy-0.1*float64(side), -0.3), 0.3) + 0.1*float64(side)
				least = min(least, math.Hypot(cx-0.6875, cy-wall))
			}
			return nearest, least
		}
		p := Default()
		nearest, least := way(p)
		if nearest > 0.1 || least < 0.09 {
			t.Errorf("wall to the side %v: came within %.3f m of the goal and %.3f m of the wall", side, nearest, least)
		}
		p.Risk, p.Crash = 0, 0
		p.Touch = 1
		if _, least := way(p); least >= 0.09 {
			t.Errorf("wall to the side %v: without a cost of risk the car stays %.3f m away: the test tests nothing", side, least)
		}
	}
}

// TestPrefersUnknownGround: the way leads to the side that teaches, and to neither
// where that is worth nothing.
func TestPrefersUnknownGround(t *testing.T) {
	lean := func(side float32, worth bool) float32 {
		p := Default()
		if !worth {
			p.Look, p.Reach = 0, 0
		}
		b := grid(t)
		known(b, func(_, y float32) bool { return y*side > 0.25 })
		return think(t, planner(t, "auto", p, 5), &Situation{State: State{Speed: 0.3}, Belief: b}, 1000).Y
	}
	for _, side := range []float32{1, -1} {
		if y := lean(side, true); y*side < 0.1 {
			t.Errorf("floor unknown on side %v: the way leads to y = %.3f", side, y)
		}
		if y := lean(side, false); y*side > 0.05 {
			t.Errorf("worth nothing on side %v: the way leads to y = %.3f", side, y)
		}
	}
}

// TestCancel: a plan that was dropped leaves the last one, and another can begin.
func TestCancel(t *testing.T) {
	b := grid(t)
	p := planner(t, "auto", Default(), 1)
	s := Situation{Belief: b, GoalY: 2, GoalWeight: 1}
	think(t, p, &s, 50)
	var before, after [56]Command
	p.Commands(before[:])
	for units := 1; units < p.Units(); units += 37 {
		p.Begin(&s)
		if _, done := p.Advance(units); done || !p.Busy() {
			t.Fatalf("done after %d of %d units", units, p.Units())
		}
		p.Cancel()
		if _, done := p.Advance(1000); done || p.Busy() {
			t.Fatal("a cancelled plan goes on")
		}
		if p.Commands(after[:]); after != before {
			t.Fatalf("cancelled after %d units, the last plan is another", units)
		}
	}
	first := digest(p, think(t, p, &s, 10))
	p.Reset()
	think(t, p, &s, 50)
	for units := 1; units < p.Units(); units += 37 { // as many begun
		p.Begin(&s)
		p.Cancel()
	}
	if got := digest(p, think(t, p, &s, 99)); got != first {
		t.Errorf("%016x after plans that were cancelled early, %016x late", got, first)
	}
}

func TestNothingAllocates(t *testing.T) {
	b := grid(t)
	for _, isa := range ISAs() {
		par := Default()
		par.Trajectories = 100
		p := planner(t, isa, par, 1)
		s := Situation{Belief: b, GoalWeight: 1}
		if n := testing.AllocsPerRun(10, func() {
			p.Begin(&s)
			for done := false; !done; {
				_, done = p.Advance(9)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations per plan", isa, n)
		}
	}
}

func TestRefuses(t *testing.T) {
	p := Default()
	p.Trajectories, p.Temperature, p.Look = 3, 0, float32(math.NaN())
	_, err := New("auto", p, 1)
	for _, word := range []string{"trajectories 3", "temperature 0", "looks NaN"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%v does not name %q", err, word)
		}
	}
	if _, err := New("mmx", Default(), 1); err == nil || !strings.Contains(err.Error(), PureGo) {
		t.Errorf("%v does not name what there is", err)
	}
}
