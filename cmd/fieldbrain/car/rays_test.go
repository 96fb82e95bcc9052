package car_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
)

// A way is where a car was at every tick, and its field in the end.
type way struct {
	poses []plant.Pose
	field uint64
}

// explores lets a car explore a scenario for so many ticks, from the first on, and
// returns its way.
func explores(t *testing.T, m *car.Mind, rig *testbench.Rig, ticks int) (w way) {
	t.Helper()
	if err := m.Brain.Go(brain.Order{Do: brain.DoExplore}); err != nil {
		t.Fatal(err)
	}
	for range ticks {
		rig.AdvanceTo(rig.Clock().Now() + testbench.DefaultPeriod)
		rig.Truth(func(c *plant.Car, _ *world.World) { w.poses = append(w.poses, c.Pose) })
	}
	w.field = field.Hash(m.Engine)
	return w
}

// same compares two ways bit for bit.
func same(t *testing.T, got, want way) {
	t.Helper()
	if i := slices.IndexFunc(want.poses, func(p plant.Pose) bool { return p != want.poses[0] }); i < 0 {
		t.Error("the car never moved: the test tests nothing")
	}
	for i, p := range want.poses {
		if got.poses[i] != p {
			t.Fatalf("tick %d: at %+v, want %+v", i, got.poses[i], p)
		}
	}
	if got.field != want.field {
		t.Errorf("the field is %016x, want %016x", got.field, want.field)
	}
}

// A beside is a card that steps a field of its own beside a car's brain and casts the
// brain's rays, so that what happens to it can show in nothing but these.
type beside struct {
	rays  *car.Rays
	super *gpu.Supervisor
	now   *gpu.Engine
	drill *exercise.Sequence
	more  bool // another child follows a dead one
}

// newBeside starts a child with orders.
func newBeside(t testing.TB, orders string) *beside {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := config.Default().Engine
	c.GPUPath, c.GPUWait = self, "block"
	o := car.GPUOptions(c, car.FieldParams(testbench.DefaultPeriod, 1, false))
	o.Env, o.Probes, o.Pace = []string{fake.Env + "=" + orders}, 1, 1
	o.Deadline, o.Patience, o.ProofLimit, o.StartLimit = time.Minute, time.Minute, time.Minute, time.Minute
	o.Backoff, o.MaxBackoff, o.Starts = time.Millisecond, time.Millisecond, 1e6
	b := &beside{drill: exercise.New(3)}
	if b.super, err = gpu.NewSupervisor(o); err != nil {
		t.Fatal(err)
	}
	b.rays = car.NewRays(func() *gpu.Engine { return b.now })
	done := make(chan error, 1)
	go func() { done <- b.super.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
		if b.now != nil {
			_ = b.now.Close()
		}
	})
	b.await(t)
	return b
}

// await waits for a proven child.
func (b *beside) await(t testing.TB) {
	t.Helper()
	e, err := b.super.Await(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if b.now != nil {
		_ = b.now.Close()
	}
	b.now = e
}

// step is the card's own tick, behind the brain's.
func (b *beside) step(t testing.TB) {
	if b.now.Err() == nil {
		_, _ = b.now.Step(b.drill.Next()) // its death is what a test is about
		b.now.CatchUp()
	} else if b.more {
		b.await(t)
	}
}

// TestRays: a drive whose rays a card casts is the drive without one, bit for bit,
// whatever becomes of the card's answers in the middle of a plan.
func TestRays(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	const ticks = 250
	alone, rig := cartest.NewMind(t, config.Default(), "room", 7, nil)
	cartest.RideOf(alone, rig)
	want := explores(t, alone, rig, ticks)
	cases := []struct {
		orders string
		more   bool
		holds  func(s car.RaysState) bool
		why    string
	}{
		{"lateplan served 100, lateplan served 150", false, func(s car.RaysState) bool {
			return s.Card && s.Late == 2 && s.Busy == 4 && s.Answered > 150 && s.Row < 120
		}, ""},
		{"crash served 70", true, func(s car.RaysState) bool { return s.Gone >= 2 && s.Answered > 150 }, ""},
		{"wrongplan", false, func(s car.RaysState) bool { return s.Wrong > 150 && s.Answered+s.Gone == 0 }, "differ"},
		{"badplan", false, func(s car.RaysState) bool { return s.Gone == 1 && s.Answered == 0 }, "no card"},
		{"crash served 90", false, func(s car.RaysState) bool { return s.Gone == 1 && s.Absent > 100 && s.Answered > 15 }, "no card"},
		{"slowplan served 120", false, func(s car.RaysState) bool { return s.Late == 2 && s.Busy > 100 && s.Answered == 0 }, "not done"},
		{"", false, func(s car.RaysState) bool { return s.Card && s.Answered == uint64(s.Row) && s.Answered > 150 }, ""},
	}
	for _, c := range cases[:tier.Count(t, "fates", 3, len(cases), len(cases))] {
		t.Run(c.orders, func(t *testing.T) {
			b := newBeside(t, c.orders)
			b.more = c.more
			m, rig := cartest.NewMind(t, config.Default(), "room", 7, nil)
			m.Brain.Lend(b.rays)
			cartest.RideOf(m, rig).After = func(time.Duration, *brain.Trace) { b.step(t) }
			same(t, explores(t, m, rig, ticks), want)
			if s := b.rays.State(); !c.holds(s) || !s.Asked || !strings.Contains(s.Why, c.why) || s.Card != (s.Why == "") {
				t.Errorf("%+v", s)
			}
		})
	}
}

// solo lets a car whose field a card steps, and whose rays it casts, explore, and compares
// with the processor alone.
func solo(t *testing.T, program string, env []string, ticks int) car.RaysState {
	t.Helper()
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	settings := config.Default()
	alone, rig := cartest.NewMind(t, settings, "room", 7, nil)
	cartest.RideOf(alone, rig)
	want := explores(t, alone, rig, ticks)
	settings.Engine.Kind, settings.Engine.GPUPath, settings.Engine.GPUWait = "cuda", program, "block"
	m, other := cartest.NewMind(t, settings, "room", 7, nil)
	cartest.RideOf(m, other)
	same(t, explores(t, m, other, ticks), want)
	return m.Rays.State()
}

// TestDriveWithRays: the card steps the field and casts the rays, and the drive is the
// processor's.
func TestDriveWithRays(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if s := solo(t, self, []string{fake.Env + "="}, 300); !s.Card || s.Answered < 150 || s.Answered != uint64(s.Row) {
		t.Errorf("%+v", s)
	}
}

// TestSoftwareRays is the same with the kernels, on the software driver.
func TestSoftwareRays(t *testing.T) {
	card := cartest.BuildCard(t)
	if s := solo(t, card.Program, card.Env, 250); !s.Card || s.Answered < 100 || s.Answered != uint64(s.Row) {
		t.Errorf("%+v", s)
	}
}

// TestDaemonLendsRays: in a daemon the card casts rays as soon as it has joined, no answer
// is lost on the way, and a tick that plans with it takes no memory.
func TestDaemonLendsRays(t *testing.T) {
	tier.Alone(t, "TestDriveThroughKills has the same goroutines")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := cartest.NewHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "="} })
	h.Attack, h.Quiet = nil, math.MaxInt // nobody attacks
	explores(t, h.Mind, rig, 600)
	before := h.Mind.Rays.State()
	if f := h.Mind.GPU.Failover.State(); h.Errs > 0 || !f.Primary || !before.Card || before.Answered < 100 || before.Gone+before.Wrong > 0 {
		t.Fatalf("%+v, %+v", f, before)
	}
	now := rig.Clock().Now()
	if n := testing.AllocsPerRun(100, func() {
		now += testbench.DefaultPeriod
		h.Mind.Brain.Tick(now)
		if err := h.Mind.GPU.Between(); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per tick, want 0", n)
	}
	if s := h.Mind.Rays.State(); s.Answered == before.Answered {
		t.Errorf("%+v, of them before %d", s, before.Answered)
	}
}

// TestRaysHaveRoom: a question fits into a job.
func TestRaysHaveRoom(t *testing.T) {
	if rows := len(plan.Question{}.Rows); rows > gpu.PlanPoses {
		t.Errorf("%d rows, a job has room for %d fans", rows, gpu.PlanPoses)
	}
}

// BenchmarkRays is what a tick's share of plans costs the loop, alone and with a card that
// answers at once.
func BenchmarkRays(b *testing.B) {
	for _, isa := range belief.ISAs() {
		for _, lent := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/lent %v", isa, lent), func(b *testing.B) { shareOfPlans(b, isa, lent) })
		}
	}
}

func shareOfPlans(b *testing.B, isa string, lent bool) {
	card := newBeside(b, "")
	around, err := belief.New(isa)
	if err != nil {
		b.Fatal(err)
	}
	tree, err := plan.New(plan.Default())
	if err != nil {
		b.Fatal(err)
	}
	if lent {
		tree.Lend(card.rays)
	}
	took, n := time.Duration(0), 0
	for ; b.Loop(); n++ {
		if n%4 == 0 {
			around.Forget()
		}
		began := time.Now()
		tree.Reclaim(around)
		if !tree.Busy() {
			tree.Begin(&plan.Situation{State: plan.State{Speed: 0.3}}, plan.Full())
		}
		tree.Advance(around)
		took += time.Since(began)
		card.step(b) // which waits until the job has been begun
	}
	b.ReportMetric(float64(took.Nanoseconds())/float64(n), "ns/share")
}

// A card that casts no rays because nobody plans says nothing about it.
func ExampleNewRays() {
	r := car.NewRays(func() *gpu.Engine { return nil })
	fmt.Println(r.State().Asked, r.State().Card)
	// Output: false false
}
