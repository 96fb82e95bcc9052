package car_test

import (
	"math"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
)

// TestMain lets tests start this program in place of a graphics card's.
func TestMain(m *testing.M) {
	if code, is := fake.Main(); is {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// TestDriveThroughKills kills the child before a tick and beside one.
func TestDriveThroughKills(t *testing.T) {
	kills := tier.Count(t, "kills", 6, 20, 200)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := cartest.NewHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "="} })
	h.Attack = func(pid int) {
		wait := time.Duration(h.Rng.IntN(800)) * time.Microsecond
		if h.Attacks%2 == 0 {
			wait = 0
		}
		h.Quiet = 1 << 30 // until this one has been noticed: its timer may be late
		kill := func() { _ = unix.Kill(pid, unix.SIGKILL) }
		if wait == 0 {
			kill()
			return
		}
		time.AfterFunc(wait, kill)
	}
	h.Noticed = func() { h.Quiet = 20 + h.Rng.IntN(50) }
	for h.Attacks < kills {
		rig.AdvanceTo(rig.Clock().Now() + 100*time.Millisecond)
	}
	h.Judge(rig, kills)
}

// TestDriveThroughFaults lets every child fail by itself, each at another tick.
func TestDriveThroughFaults(t *testing.T) {
	tier.Alone(t, "TestDriveThroughKills has the same goroutines")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	orders := "fail served 40, hangread served 60" // the second is never reached
	h, rig := cartest.NewHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "=" + orders} })
	h.Attack = func(int) { h.Attacks-- } // they do it themselves
	rig.AdvanceTo(rig.Clock().Now() + 10*time.Second)
	f, s := h.Mind.GPU.Failover.State(), h.Mind.GPU.Supervisor.State()
	if h.Errs != 0 || f.Failovers < 5 || s.Ends["failed"] < f.Failovers-1 || len(s.Ends) != 1 {
		t.Errorf("%d ticks without output, %d fail-overs, ends %v", h.Errs, f.Failovers, s.Ends)
	}
}

// A child that stops answering, but lives, costs one deadline.
func TestDriveThroughStops(t *testing.T) {
	tier.Alone(t, "TestDriveThroughKills has the same goroutines")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := cartest.NewHunt(t, self, func(o *gpu.Options) {
		o.Env, o.Deadline, o.Patience = []string{fake.Env + "="}, 2*time.Second, 2*time.Second
	})
	h.Attack = func(pid int) {
		if h.Attacks > 2 {
			h.Attacks--
			return
		}
		_ = unix.Kill(pid, unix.SIGSTOP)
	}
	rig.AdvanceTo(rig.Clock().Now() + 4*time.Second)
	if s := h.Mind.GPU.Supervisor.State(); h.Errs != 0 || h.Attacks != 2 || s.Ends["late"] != 2 || len(s.Ends) != 1 {
		t.Errorf("%d attacks, %d ticks without output, ends %v", h.Attacks, h.Errs, s.Ends)
	}
}

// A tick in which the card steps, and the look for another card after it, take
// no memory.
func TestTickWithACardDoesNotAllocate(t *testing.T) {
	tier.Alone(t, "TestDriveThroughKills has the same goroutines")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := cartest.NewHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "="} })
	h.Attack, h.Quiet = nil, math.MaxInt // nobody attacks
	rig.AdvanceTo(rig.Clock().Now() + 3*time.Second)
	if f := h.Mind.GPU.Failover.State(); !f.Primary || f.Failovers != 0 {
		t.Fatalf("%+v, want the card to step", f)
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
}

// A child that stands still for a tick or a few answers late: the processor steps these
// ticks, and the card, which has caught up, the next ones. Nobody is killed for it.
func TestDriveThroughLateAnswers(t *testing.T) {
	tier.Alone(t, "TestDriveThroughKills has the same goroutines")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := cartest.NewHunt(t, self, func(o *gpu.Options) {
		o.Env, o.Deadline, o.Patience = []string{fake.Env + "="}, time.Second, time.Second
		o.Late = gpu.Tolerance{Late: gpu.LateWindow, Behind: 500} // on a starved machine the child gains slowly
	})
	stopped, left := 0, 0
	h.Attack = func(pid int) {
		if h.Attacks > 4 {
			h.Attacks--
			return
		}
		_ = unix.Kill(pid, unix.SIGSTOP)
		stopped, left = pid, h.Attacks // ticks until it goes on
	}
	h.Ticked = func() {
		if !h.Mind.GPU.Failover.State().Late {
			return
		}
		if left--; stopped != 0 && left <= 0 {
			_ = unix.Kill(stopped, unix.SIGCONT)
			stopped = 0
		}
		if stopped == 0 {
			time.Sleep(50 * time.Millisecond) // virtual time runs ahead of a child that computes
		}
	}
	rig.AdvanceTo(rig.Clock().Now() + 6*time.Second)
	f, s := h.Mind.GPU.Failover.State(), h.Mind.GPU.Supervisor.State()
	t.Logf("%d stops, %d ticks of the processor", h.Attacks, f.Lates)
	if h.Errs != 0 || h.Attacks != 4 || f.Failovers != 0 || f.Returns != 1 || len(s.Ends) != 0 || !f.Primary || f.Lates < 4 {
		t.Errorf("%d attacks, %d ticks without output, %+v, ends %v", h.Attacks, h.Errs, f, s.Ends)
	}
	if late := h.Mind.GPU.Newest().Lateness(); late.Total < 4 || late.Behind != 0 {
		t.Errorf("%+v", late)
	}
}
