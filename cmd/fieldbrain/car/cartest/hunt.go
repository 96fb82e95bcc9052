package cartest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/testbench"
)

// A Hunt is a drive in virtual time that attacks the card's child again and
// again. Virtual time waits for every new child, so that as many attacks take
// place on a slow machine as on a fast one.
type Hunt struct {
	Mind    *car.Mind
	Rng     *rand.Rand
	Attack  func(pid int) // runs on the loop's thread, before a tick or beside one
	Attacks int           // carried out
	Quiet   int           // ticks until the next one
	Noticed func()        // runs once the standby has taken over, may be nil
	Ticked  func()        // runs after every tick, may be nil
	Patient bool          // virtual time waits for every new child
	Armed   bool          // the car has been armed
	Ticks   uint64        // so far
	Errs    int           // ticks without an output
	Limits  robot.Limits  // that no command may exceed

	t    testing.TB
	away int // ticks since the standby stepped
}

// NewHunt builds the room with a card in it, whose program is the given one, and
// runs its supervisor until the test ends. tune adds to the card's settings.
func NewHunt(t testing.TB, program string, tune func(*gpu.Options)) (*Hunt, *testbench.Rig) {
	t.Helper()
	sc := Scenario(t, "room")
	rig, err := testbench.NewRig(sc, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Default()
	settings.Engine.Kind, settings.Engine.GPUPath, settings.Engine.GPUWait = "cuda", program, "block"
	s := rig.Vehicle(testbench.DefaultPeriod)
	m, err := car.NewMind(settings, car.Seat{
		Body: s.Body, Clock: s.Clock, Seed: 7, Driver: s.Params, Task: car.Task(settings, sc),
		Tune: func(o *gpu.Options) {
			o.Deadline, o.Patience, o.ProofLimit, o.StartLimit = time.Minute, time.Minute, time.Minute, time.Minute
			o.Backoff, o.MaxBackoff, o.Starts, o.Probes = time.Millisecond, time.Millisecond, 1e6, 1
			tune(o)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	h := Watch(t, m, s.Params.Limits)
	h.Rng, h.Quiet, h.Patient = rand.New(rand.NewPCG(1, 2)), 5, true
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.GPU.Supervisor.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	rig.Drive(testbench.DefaultPeriod, h.tick)
	return h, rig
}

// Watch returns a Hunt that only holds ticks against limits, for a test that
// ticks and attacks by itself.
func Watch(t testing.TB, m *car.Mind, limits robot.Limits) *Hunt {
	return &Hunt{t: t, Mind: m, Limits: limits}
}

// tick runs one tick as the daemon does and attacks when the time has come.
func (h *Hunt) tick(now time.Duration) {
	f := h.Mind.GPU.Failover.State()
	if f.Late {
		h.away = 0 // the child catches up: there is no other one to wait for
	} else if f.Primary {
		h.away = 0
		if h.Quiet--; h.Quiet == 0 {
			h.Attacks++
			h.Quiet = 20 + h.Rng.IntN(50) // by then this one has been noticed
			h.Attack(h.Mind.GPU.Supervisor.State().PID)
		}
	} else if h.away++; h.Patient && h.away == 20 {
		h.waitForCard()
	} else if h.away == 1 && f.Failovers > 0 && h.Noticed != nil {
		h.Noticed()
	}
	h.Check(h.Mind.Brain.Tick(now))
	if err := h.Mind.GPU.Between(); err != nil {
		h.t.Error(err)
	}
	if h.Ticked != nil {
		h.Ticked()
	}
	if !h.Armed {
		h.Armed = h.Mind.Brain.Arm() == nil
	}
}

// waitForCard stops virtual time until the next child is proven.
func (h *Hunt) waitForCard() {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if h.Mind.GPU.Waiting() || h.Mind.GPU.Supervisor.State().Phase == gpu.Proven {
			return
		}
	}
	h.t.Fatalf("no other child: %+v", h.Mind.GPU.Supervisor.State())
}

// Check holds one tick against what holds for every tick.
func (h *Hunt) Check(tr *brain.Trace) {
	h.Ticks++
	if tr.Err != nil {
		h.Errs++
		h.t.Errorf("tick %d has no output: %v", tr.Tick, tr.Err)
	}
	c := tr.Command
	const rounding = 1e-5
	if speed, steer := math.Abs(float64(c.Speed)), math.Abs(float64(c.Steering)); !(speed <= float64(h.Limits.Speed)+rounding) ||
		!(steer <= float64(h.Limits.Steering)+rounding) {
		h.t.Errorf("tick %d commands %v m/s, %v rad", tr.Tick, c.Speed, c.Steering)
	}
	if c.At != tr.Now {
		h.t.Errorf("tick %d: the command is of %v, want %v", tr.Tick, c.At, tr.Now)
	}
}

// Touches is how many contacts the law may have of its own in a drive of so many
// metres: the field of a standby is a second old, so that a disturbed drive goes
// other ways than an undisturbed one, and the law touches something once in some
// hundred metres of them (docs/driving.md).
func Touches(metres float64) int { return int(metres / 50) }

// Judge compares the drive with an undisturbed one, and demands as many attacks.
func (h *Hunt) Judge(rig *testbench.Rig, attacks int) {
	h.t.Helper()
	f, s := h.Mind.GPU.Failover.State(), h.Mind.GPU.Supervisor.State()
	h.t.Logf("%d attacks, %d fail-overs, %d returns, %d starts, ends %v", h.Attacks, f.Failovers, f.Returns, s.Starts, s.Ends)
	result := rig.Result()
	calm, err := drive.New(config.Default()).Virtual(rig.Scenario, 7, "brain", testbench.Options{Length: rig.Elapsed()})
	if err != nil {
		h.t.Fatal(err)
	}
	if result.Collisions > calm.Collisions+Touches(result.Distance) || result.Distance < calm.Distance/2 {
		h.t.Errorf("%d collisions and %.2f m, undisturbed %d and %.2f m", result.Collisions, result.Distance, calm.Collisions, calm.Distance)
	}
	if result.Ticks != h.Ticks || h.Errs != 0 {
		h.t.Errorf("%d of %d ticks ran, %d without an output", h.Ticks, result.Ticks, h.Errs)
	}
	if h.Attacks < attacks {
		h.t.Errorf("%d attacks, want %d at least", h.Attacks, attacks)
	}
	// The last attack may not have been noticed, nor its successor taken.
	if missing := h.Attacks - int(f.Failovers); missing < 0 || missing > 1 || f.Returns < f.Failovers {
		h.t.Errorf("%d fail-overs and %d returns of %d attacks, want one each", f.Failovers, f.Returns, h.Attacks)
	}
}
