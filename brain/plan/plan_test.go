package plan

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"testing"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/ground"
	"fieldbrain/field"
)

// TestPropagate holds the float32 paths against the bicycle model of the
// simulator, in float64 with steps of a millisecond.
func TestPropagate(t *testing.T) {
	p := Default()
	m := NewModel(&p)
	for _, from := range []State{
		{Speed: 0.35}, {X: 1, Y: -2, Heading: 2.5, Speed: 0.2, Steering: -0.4}, {Heading: -1, Speed: -0.2, Steering: 0.5}, {Steering: 0.1},
	} {
		var paths Paths
		m.Propagate(&from, &paths)
		for i, a := range m.actions {
			want := fine(&p, from, a)
			got := paths.End[i]
			if d := math.Hypot(float64(got.X)-want[0], float64(got.Y)-want[1]); d > 0.012 {
				t.Errorf("from %+v by %+v: %.4f m off", from, a, d)
			}
			if d := math.Abs(float64(got.Heading) - want[2]); d > 0.06 {
				t.Errorf("from %+v by %+v: heading %.4f rad off", from, a, d)
			}
			if d := math.Abs(float64(got.Speed) - want[3]); d > 1e-4 {
				t.Errorf("from %+v by %+v: speed %.5f m/s off", from, a, d)
			}
			x, y := want[0]+0.05*math.Cos(want[2]), want[1]+0.05*math.Sin(want[2])
			if d := math.Hypot(float64(paths.X[Marks-1][i])-x, float64(paths.Y[Marks-1][i])-y); d > 0.012 {
				t.Errorf("from %+v by %+v: the reference point is %.4f m off", from, a, d)
			}
		}
	}
}

// fine is the bicycle of testbench/plant for a second.
func fine(p *Params, s State, a Action) [4]float64 {
	const dt = 0.001
	x, y, psi, v, d := float64(s.X), float64(s.Y), float64(s.Heading), float64(s.Speed), float64(s.Steering)
	grip := 1 - math.Exp(-dt/p.Lag.Seconds())
	for range 1000 {
		v += (float64(a.Speed*p.Cruise) - v) * grip
		most := float64(p.ServoRate) * dt
		d += min(max(float64(a.Steering)-d, -most), most)
		turn := v * math.Tan(d) / float64(p.Wheelbase) * dt
		x += v * dt * math.Cos(psi+turn/2)
		y += v * dt * math.Sin(psi+turn/2)
		psi += turn
	}
	return [4]float64{x, y, psi, v}
}

func create(t testing.TB, isa string) *belief.Belief {
	t.Helper()
	b, err := belief.New(isa)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// think runs a plan to its end and returns it and the ticks it took.
func think(t testing.TB, p Params, b *belief.Belief, s Situation, e Effort) (Plan, int) {
	t.Helper()
	q, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	q.Begin(&s, e)
	for n := 1; n < 10_000; n++ {
		if found, done := q.Advance(b); done {
			return found, n
		}
	}
	t.Fatal("the plan never ends")
	return Plan{}, 0
}

// known makes everything known and free within some metres, except the floor
// where open says so.
func known(b *belief.Belief, open func(x, y float32) bool) {
	for x := float32(-1.95); x < 2; x += belief.Cell {
		for y := float32(-1.95); y < 2; y += belief.Cell {
			for z := 1; z <= belief.Side; z++ {
				if v := -belief.Limit; z != belief.Floor || !open(x, y) {
					b.Set(x, y, z, v)
				}
			}
		}
	}
}

func TestTurnsToTheUnknown(t *testing.T) {
	for _, side := range []float32{1, -1} {
		b := create(t, "auto")
		known(b, func(_, y float32) bool { return y*side > 0.5 })
		got, _ := think(t, Default(), b, Situation{State: State{Speed: 0.35}}, Full())
		if got.Action.Steering*side <= 0 {
			t.Errorf("floor unknown on side %v: steering %.2f", side, got.Action.Steering)
		}
		if got.Gaze*side <= 0 {
			t.Errorf("floor unknown on side %v: gaze %.2f rad", side, got.Gaze)
		}
	}
}

// TestShunsWhatStandsThere puts walls into the way at random: the path that is
// chosen meets none while another does not.
func TestShunsWhatStandsThere(t *testing.T) {
	p := Default()
	m := NewModel(&p)
	from := State{Speed: 0.35}
	blocked := 0
	for seed := range uint32(40) {
		b := create(t, "auto")
		known(b, func(float32, float32) bool { return seed%2 == 0 })
		for n := range uint32(4) {
			roll := field.Mix(seed<<8 | n)
			x, y := 0.19+float32(roll&255)*0.001, (float32(roll>>8&255)-128)*0.0025
			b.Set(x, y, belief.Body, belief.Limit)
		}
		got, _ := think(t, p, b, Situation{State: from}, Full())
		var paths Paths
		m.Propagate(&from, &paths)
		least, chosen := float32(1), float32(0)
		for i, a := range m.actions {
			worst := float32(0)
			for n := range Marks {
				worst = max(worst, b.Risk(paths.X[n][i], paths.Y[n][i]))
			}
			least = min(least, worst)
			if a == got.Action {
				chosen = worst
			}
			if worst > 0.5 {
				blocked++
			}
		}
		if chosen > 0.5 && least < 0.5 {
			t.Errorf("seed %d: %+v has risk %v, the safest action %v", seed, got.Action, chosen, least)
		}
	}
	if blocked < 80 {
		t.Errorf("only %d paths were blocked: the test tests nothing", blocked)
	}
}

// TestDoor: on the ground a door of the car's width and 10 cm is open, and one 4 cm
// narrower than the car is a risk, wherever on its cells they stand.
func TestDoor(t *testing.T) {
	b := create(t, "auto")
	for n := range 16 {
		for _, c := range []struct {
			width     float32
			low, high float32 // risk
		}{{0.28, 0, 0.3}, {0.14, 0.9, 1}} {
			g, err := ground.New(ground.Default())
			if err != nil {
				t.Fatal(err)
			}
			middle := float32(n) * ground.Cell / 16
			for y := float32(-1); y < 1; y += 0.005 {
				if y < middle-c.width/2 || y > middle+c.width/2 {
					g.Edge(ground.Pose{X: 0.25, Y: y}, 0, 0) // as good as a wall to the body
				}
			}
			q, err := New(Default())
			if err != nil {
				t.Fatal(err)
			}
			q.Begin(&Situation{State: State{Y: middle, Speed: 0.35}, Ground: g}, Full())
			if _, risk := q.sweep(b, 0); risk < c.low || risk > c.high {
				t.Errorf("straight through a door of %v m around %.4f: risk %v", c.width, middle, risk)
			}
		}
	}
}

func TestGoal(t *testing.T) {
	b := create(t, "auto")
	known(b, func(float32, float32) bool { return false })
	for _, bearing := range []float32{1, -1} {
		got, _ := think(t, Default(), b, Situation{State: State{Speed: 0.3}, Goal: bearing, GoalWeight: 1}, Full())
		if got.Action.Steering*bearing <= 0 {
			t.Errorf("goal at %v rad: steering %v", bearing, got.Action.Steering)
		}
	}
}

// TestWork holds the work per tick to the effort, and the plan to be the same
// whatever the work per tick and the instruction set.
func TestWork(t *testing.T) {
	var want Plan
	for i, isa := range belief.ISAs() {
		for _, perTick := range []int{128, 512, 4096} {
			b := create(t, isa)
			known(b, func(x, y float32) bool { return x+y > 0.3 })
			e := Full()
			e.RaysPerTick = perTick
			got, ticks := think(t, Default(), b, Situation{State: State{Speed: 0.2}}, e)
			if i == 0 && perTick == 128 {
				want = got
			}
			if got != want {
				t.Errorf("%s, %d rays per tick: %+v, want %+v", isa, perTick, got, want)
			}
			most := e.Beam*belief.MaxRays/(seeStride*seeStride)*(e.Depth-1) + ticks*perTick
			if got.Rays > most || got.Rays == 0 {
				t.Errorf("%s: %d rays in %d ticks of %d", isa, got.Rays, ticks, perTick)
			}
		}
	}
}

// TestBits holds every machine to the same bits of a plan and of its paths.
func TestBits(t *testing.T) {
	const want = uint64(0x6427b6eb8b8940cb)
	b := create(t, "auto")
	known(b, func(x, y float32) bool { return x > y })
	h := fnv.New64a()
	for n := range 5 {
		s := Situation{State: State{X: 0.1 * float32(n), Heading: float32(n), Speed: 0.3, Steering: 0.1}}
		s.Goal, s.GoalWeight = 0.3, float32(n&1)
		got, _ := think(t, Default(), b, s, Full())
		var paths Paths
		p := Default()
		m := NewModel(&p)
		m.Propagate(&s.State, &paths)
		_ = binary.Write(h, binary.LittleEndian, []float32{got.X, got.Y, got.Gaze, got.Value, got.Action.Steering, got.Action.Speed})
		_ = binary.Write(h, binary.LittleEndian, got.Sequence)
		_ = binary.Write(h, binary.LittleEndian, paths)
	}
	if got := h.Sum64(); got != want {
		t.Errorf("hash %#x, want %#x", got, want)
	}
}

// TestOverlay: what the first action shows teaches nothing again, so that a
// sequence is worth less than its looks one by one.
func TestOverlay(t *testing.T) {
	b := create(t, "auto")
	s := Situation{State: State{Speed: 0.3}}
	p := Default()
	p.Discount = 1
	one, _ := think(t, p, b, s, Effort{RaysPerTick: 512, Rays: 1024, Depth: 1, Beam: 1})
	two, _ := think(t, p, b, s, Effort{RaysPerTick: 512, Rays: 1024, Depth: 2, Beam: 1})
	if two.Value >= 2*one.Value {
		t.Errorf("two looks are worth %v, one %v", two.Value, one.Value)
	}
	if two.Depth != 2 || one.Depth != 1 {
		t.Errorf("depths %d and %d", two.Depth, one.Depth)
	}
}

func TestEffort(t *testing.T) {
	q, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	q.Begin(&Situation{}, Effort{})
	if q.Busy() {
		t.Error("no effort, but a plan")
	}
	q.Begin(&Situation{}, Effort{RaysPerTick: 1, Rays: 1 << 30, Depth: 99, Beam: 99})
	if !q.Busy() || q.effort.Depth != maxDepth || q.effort.Beam != maxBeam || q.effort.Rays != 4096 {
		t.Errorf("effort %+v", q.effort)
	}
	q.Cancel()
	if _, done := q.Advance(create(t, "auto")); done || q.Busy() {
		t.Error("a cancelled plan goes on")
	}
}

func TestValidate(t *testing.T) {
	if p := Default(); p.Validate() != nil {
		t.Error(p.Validate())
	}
	for _, spoil := range []func(*Params){
		func(p *Params) { p.Look = float32(math.NaN()) },
		func(p *Params) { p.Wheelbase = 0 },
		func(p *Params) { p.Lag = time.Minute },
		func(p *Params) { p.Discount = 2 },
	} {
		p := Default()
		spoil(&p)
		if _, err := New(p); err == nil {
			t.Errorf("taken: %+v", p)
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	b := create(t, "auto")
	q, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	s := Situation{}
	if n := testing.AllocsPerRun(10, func() {
		q.Begin(&s, Full())
		for done := false; !done; _, done = q.Advance(b) {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPropagate(bench *testing.B) {
	p := Default()
	m := NewModel(&p)
	var paths Paths
	s := State{Speed: 0.3}
	for bench.Loop() {
		m.Propagate(&s, &paths)
	}
}

func Example() {
	b, err := belief.New("auto")
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 8 { // a wall half a metre ahead
		b.Sonar(new(belief.Scan), belief.Pose{}, belief.Beam{Range: 0.3, HalfWidth: 0.5, Height: 0.08})
	}
	p, err := New(Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Begin(&Situation{State: State{Speed: 0.3}}, Full())
	for {
		if found, done := p.Advance(b); done {
			fmt.Println(found.Action.Steering != 0, found.Depth)
			return
		}
	}
	// Output: true 2
}

// TestLock: no action turns the wheels further than they go; 30 degrees are the most.
func TestLock(t *testing.T) {
	for _, lock := range []float32{0.3, 0.6} {
		p := Default()
		p.Lock = lock
		widest := float32(0)
		for _, a := range NewModel(&p).actions {
			widest = max(widest, a.Steering, -a.Steering)
		}
		if want := min(lock, 30*deg); widest != want {
			t.Errorf("lock %v: an action of %v rad, want %v", lock, widest, want)
		}
	}
}
