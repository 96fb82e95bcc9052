package car_test

import (
	"context"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
)

// TestRealTimeKills drives the simulated car in real time, by the daemon's own
// loop, while the card's child is killed at random moments, up to 200 times. Every
// tick has an output and a command of that very tick. As long as the machine lets
// no other tick miss more than one release, the car touches nothing that it would
// not touch undisturbed (in virtual time TestDriveThroughKills holds it to that
// always), and in the long run no tick with a kill misses more than the stated release. The test
// prints how many they missed: a loaded machine misses some by itself, and most
// when a new child starts beside the loop.
func TestRealTimeKills(t *testing.T) {
	kills := uint64(tier.Count(t, "kills", 2, 4, 200))
	c, rig, clock := realTimeCar(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := cartest.Watch(t, c.Mind, picarx.Default().Limits)
	var primary atomic.Bool
	var missed releases
	loop, err := loop.New(clock, config.Default().Loop.Params(), loop.Hooks{
		Tick: func(now time.Duration) {
			h.Check(c.Brain.Tick(now))
			if !h.Armed {
				h.Armed = c.Brain.Arm() == nil
			}
		},
		After: func(s loop.Sample) {
			if err := c.GPU.Between(); err != nil {
				t.Error(err)
			}
			f := c.GPU.Failover.State()
			missed.count(s, f.Failovers)
			primary.Store(f.Primary)
			if f.Failovers >= kills {
				cancel()
			}
		},
		Refused: func(loop.Condition) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 2)
	go func() { ended <- c.Work(ctx) }()
	go func() { ended <- c.GPU.Supervisor.Run(ctx) }()
	go huntInRealTime(ctx, c.GPU.Supervisor, &primary)
	if err := loop.Run(ctx); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Log(err) // the driver's last words, when the machine was too slow for it
		}
	}
	f := c.GPU.Failover.State()
	t.Logf("%d ticks, %d fail-overs, %d returns, ends %v", h.Ticks, f.Failovers, f.Returns, c.GPU.Supervisor.State().Ends)
	if h.Errs != 0 || f.Failovers < kills || f.Returns < kills {
		t.Errorf("%d ticks without an output, %d fail-overs, %d returns, want 0 and %d", h.Errs, f.Failovers, f.Returns, kills)
	}
	missed.judge(t, kills >= 200)
	result := rig.Result()
	calm, err := drive.New(config.Default()).Virtual(rig.Scenario, uint64(config.Default().Body.Seed), "brain", testbench.Options{Length: rig.Elapsed()})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d collisions and %.1f m in %.0f s, undisturbed %d and %.1f m",
		result.Collisions, result.Distance, result.Seconds, calm.Collisions, calm.Distance)
	if missed.calm == 0 && result.Collisions > calm.Collisions+cartest.Touches(result.Distance) {
		t.Errorf("%d collisions, undisturbed %d", result.Collisions, calm.Collisions)
	}
}

// releases counts the periods that ticks left out, by whether a card failed in
// the tick.
type releases struct {
	failovers    uint64
	kills, ticks int // ticks with a fail-over and without
	after, calm  int // of them, those that missed more than one release
	most         int // releases missed by one tick with a fail-over
}

func (r *releases) count(s loop.Sample, failovers uint64) {
	failed := failovers != r.failovers
	r.failovers = failovers
	switch {
	case !s.Warm:
	case failed:
		r.kills++
		r.most = max(r.most, s.Skipped)
		if s.Skipped > 1 {
			r.after++
		}
	default:
		r.ticks++
		if s.Skipped > 1 {
			r.calm++
		}
	}
}

// judge holds the ticks with a fail-over against the stated cost, one release at
// most, where the machine let every other tick have its time.
func (r *releases) judge(t *testing.T, long bool) {
	t.Helper()
	t.Logf("more than one release missed by %d of %d ticks with a fail-over (at most %d), by %d of %d without",
		r.after, r.kills, r.most, r.calm, r.ticks)
	if long && r.calm == 0 && r.after > 0 {
		t.Errorf("%d ticks with a fail-over missed more than one release, and no other tick did", r.after)
	}
}

// realTimeCar builds the simulated car with a card whose children are fakes.
func realTimeCar(t *testing.T) (*car.Car, *testbench.Rig, robot.Clock) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	settings, clock := config.Default(), robot.NewMonotonic()
	settings.Engine.Kind, settings.Engine.GPUPath = "cuda", self
	c, err := car.New(settings, clock, func(o *gpu.Options) {
		o.Env = []string{fake.Env + "="}
		o.Deadline, o.Patience, o.ProofLimit, o.StartLimit = time.Minute, time.Minute, time.Minute, time.Minute
		o.Backoff, o.MaxBackoff, o.Starts, o.Probes = time.Millisecond, time.Millisecond, 1e6, 1
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, c.Rig, clock
}

// huntInRealTime kills each child a random moment after it has taken over.
func huntInRealTime(ctx context.Context, s *gpu.Supervisor, primary *atomic.Bool) {
	rng := rand.New(rand.NewPCG(3, 4))
	for ctx.Err() == nil {
		if !primary.Load() {
			time.Sleep(time.Millisecond)
			continue
		}
		time.Sleep(time.Duration(rng.IntN(20000)) * time.Microsecond)
		if pid := s.State().PID; primary.Load() && pid > 0 {
			_ = unix.Kill(pid, unix.SIGKILL) // it may just have died
		}
	}
}

func TestRaiseCard(t *testing.T) {
	for _, c := range []struct {
		why  string
		loop int
		wait gpu.Wait
		want int
	}{
		{"below the driver, which is below the loop", 50, gpu.WaitYield, 48},
		{"no class for the loop, none for the card", 0, gpu.WaitBlock, 0},
		{"no room below the driver", 2, gpu.WaitYield, 0},
		{"a raised thread that spins would own a processor", 50, gpu.WaitSpin, 0},
	} {
		settings, o := config.Default(), gpu.Options{}
		settings.Loop.Priority, o.Setup.Wait = c.loop, c.wait
		if car.RaiseCard(settings, &o); o.Setup.Priority != c.want {
			t.Errorf("%s: priority %d, want %d", c.why, o.Setup.Priority, c.want)
		}
	}
}
