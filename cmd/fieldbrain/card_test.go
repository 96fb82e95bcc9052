package main

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// A hunt is a drive in virtual time during which the card's child is attacked
// again and again. Virtual time waits for every new child, so that as many
// attacks take place on a slow machine as on a fast one.
type hunt struct {
	t       *testing.T
	rng     *rand.Rand
	mind    *mind
	attack  func(pid int) // runs on the loop's thread, before a tick or beside one
	attacks int           // carried out
	quiet   int           // ticks until the next one
	noticed func()        // runs once the standby has taken over, may be nil
	away    int           // ticks since the standby stepped
	patient bool          // virtual time waits for every new child

	armed  bool
	ticks  uint64
	errs   int
	limits robot.Limits
}

// newHunt builds the room with a card in it and runs its supervisor.
func newHunt(t *testing.T, program string, tune func(*gpu.Options)) (*hunt, *testbench.Rig) {
	t.Helper()
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	rig, err := testbench.NewRig(sc, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	config := daemon.DefaultConfig()
	config.Engine.Kind, config.Engine.GPUPath, config.Engine.GPUWait = "cuda", program, "block"
	s := rig.Seat(testbench.DefaultPeriod)
	m, err := newMind(config, seat{
		body: s.Body, clock: s.Clock, seed: 7, driver: s.Params, task: taskOf(config, sc),
		tune: func(o *gpu.Options) {
			o.Deadline, o.Patience, o.ProofLimit, o.StartLimit = time.Minute, time.Minute, time.Minute, time.Minute
			o.Backoff, o.MaxBackoff, o.Starts, o.Probes = time.Millisecond, time.Millisecond, 1e6, 1
			tune(o)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	h := &hunt{t: t, rng: rand.New(rand.NewPCG(1, 2)), mind: m, limits: s.Params.Limits, quiet: 5, patient: true}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.card.supervisor.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := m.close(); err != nil {
			t.Error(err)
		}
	})
	rig.Drive(testbench.DefaultPeriod, h.tick)
	return h, rig
}

// tick runs one tick as the daemon does and attacks when the time has come.
func (h *hunt) tick(now time.Duration) {
	f := h.mind.card.failover.State()
	if f.Primary {
		h.away = 0
		if h.quiet--; h.quiet == 0 {
			h.attacks++
			h.quiet = 20 + h.rng.IntN(50) // by then this one has been noticed
			h.attack(h.mind.card.supervisor.State().PID)
		}
	} else if h.away++; h.patient && h.away == 20 {
		h.waitForCard()
	} else if h.away == 1 && f.Failovers > 0 && h.noticed != nil {
		h.noticed()
	}
	h.check(h.mind.brain.Tick(now))
	if err := h.mind.card.between(); err != nil {
		h.t.Error(err)
	}
	if !h.armed {
		h.armed = h.mind.brain.Arm() == nil
	}
}

// waitForCard stops virtual time until the next child is proven.
func (h *hunt) waitForCard() {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if h.mind.card.next != nil || h.mind.card.supervisor.State().Phase == gpu.Proven {
			return
		}
	}
	h.t.Fatalf("no other child: %+v", h.mind.card.supervisor.State())
}

// check holds one tick against what holds for every tick.
func (h *hunt) check(tr *brain.Trace) {
	h.ticks++
	if tr.Err != nil {
		h.errs++
		h.t.Errorf("tick %d has no output: %v", tr.Tick, tr.Err)
	}
	c := tr.Command
	const rounding = 1e-5
	if speed, steer := math.Abs(float64(c.Speed)), math.Abs(float64(c.Steering)); !(speed <= float64(h.limits.Speed)+rounding) ||
		!(steer <= float64(h.limits.Steering)+rounding) {
		h.t.Errorf("tick %d commands %v m/s, %v rad", tr.Tick, c.Speed, c.Steering)
	}
	if c.At != tr.Now {
		h.t.Errorf("tick %d: the command is of %v, want %v", tr.Tick, c.At, tr.Now)
	}
}

// judge compares the drive with one that nobody disturbed.
func (h *hunt) judge(rig *testbench.Rig, attacks int) {
	h.t.Helper()
	f, s := h.mind.card.failover.State(), h.mind.card.supervisor.State()
	h.t.Logf("%d attacks, %d fail-overs, %d returns, %d starts, ends %v", h.attacks, f.Failovers, f.Returns, s.Starts, s.Ends)
	result := rig.Result()
	calm, err := newSimulated(daemon.DefaultConfig()).virtual(rig.Scenario, 7, "brain", testbench.Options{Length: rig.Elapsed()})
	if err != nil {
		h.t.Fatal(err)
	}
	if result.Collisions > calm.Collisions || result.Distance < calm.Distance/2 {
		h.t.Errorf("%d collisions and %.2f m, undisturbed %d and %.2f m", result.Collisions, result.Distance, calm.Collisions, calm.Distance)
	}
	if result.Ticks != h.ticks || h.errs != 0 {
		h.t.Errorf("%d of %d ticks ran, %d without an output", h.ticks, result.Ticks, h.errs)
	}
	if h.attacks < attacks {
		h.t.Errorf("%d attacks, want %d at least", h.attacks, attacks)
	}
	// The last attack may not have been noticed, nor its successor taken.
	if missing := h.attacks - int(f.Failovers); missing < 0 || missing > 1 || f.Returns < f.Failovers {
		h.t.Errorf("%d fail-overs and %d returns of %d attacks, want one each", f.Failovers, f.Returns, h.attacks)
	}
}

// TestDriveThroughKills kills the child before a tick and beside one.
func TestDriveThroughKills(t *testing.T) {
	seconds, kills := 290*time.Second, 200
	if testing.Short() {
		seconds, kills = 15*time.Second, 6
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := newHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "="} })
	h.attack = func(pid int) {
		wait := time.Duration(h.rng.IntN(800)) * time.Microsecond
		if h.attacks%2 == 0 {
			wait = 0
		}
		h.quiet = 1 << 30 // until this one has been noticed: its timer may be late
		kill := func() { _ = unix.Kill(pid, unix.SIGKILL) }
		if wait == 0 {
			kill()
			return
		}
		time.AfterFunc(wait, kill)
	}
	h.noticed = func() { h.quiet = 20 + h.rng.IntN(50) }
	rig.AdvanceTo(rig.Clock().Now() + seconds)
	h.judge(rig, kills)
}

// TestDriveThroughFaults lets every child fail by itself, each at another tick.
func TestDriveThroughFaults(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	orders := "fail served 40, hangread served 60" // the second is never reached
	h, rig := newHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "=" + orders} })
	h.attack = func(int) { h.attacks-- } // they do it themselves
	rig.AdvanceTo(rig.Clock().Now() + 10*time.Second)
	f, s := h.mind.card.failover.State(), h.mind.card.supervisor.State()
	if h.errs != 0 || f.Failovers < 5 || s.Ends["failed"] < f.Failovers-1 || len(s.Ends) != 1 {
		t.Errorf("%d ticks without output, %d fail-overs, ends %v", h.errs, f.Failovers, s.Ends)
	}
}

// A child that stops answering, but lives, costs one deadline.
func TestDriveThroughStops(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := newHunt(t, self, func(o *gpu.Options) {
		o.Env, o.Deadline, o.Patience = []string{fake.Env + "="}, 2*time.Second, 2*time.Second
	})
	h.attack = func(pid int) {
		if h.attacks > 2 {
			h.attacks--
			return
		}
		_ = unix.Kill(pid, unix.SIGSTOP)
	}
	rig.AdvanceTo(rig.Clock().Now() + 4*time.Second)
	if s := h.mind.card.supervisor.State(); h.errs != 0 || h.attacks != 2 || s.Ends["late"] != 2 || len(s.Ends) != 1 {
		t.Errorf("%d attacks, %d ticks without output, ends %v", h.attacks, h.errs, s.Ends)
	}
}

// A tick in which the card steps, and the look for another card after it, take
// no memory.
func TestTickWithACardDoesNotAllocate(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := newHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "="} })
	h.attack, h.quiet = nil, math.MaxInt // nobody attacks
	rig.AdvanceTo(rig.Clock().Now() + 3*time.Second)
	if f := h.mind.card.failover.State(); !f.Primary || f.Failovers != 0 {
		t.Fatalf("%+v, want the card to step", f)
	}
	now := rig.Clock().Now()
	if n := testing.AllocsPerRun(100, func() {
		now += testbench.DefaultPeriod
		h.mind.brain.Tick(now)
		if err := h.mind.card.between(); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per tick, want 0", n)
	}
}
