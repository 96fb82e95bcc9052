package brain_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/failover"
	"fieldbrain/field/fieldtest"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

func newEngine(t testing.TB) field.Engine {
	t.Helper()
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// driveRoom runs the room with an engine and returns the commands of every tick.
func driveRoom(t *testing.T, e field.Engine, ticks int, each func(tick int, b *brain.Brain, tr *brain.Trace)) []robot.Command {
	t.Helper()
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	rig, err := testbench.NewRig(sc, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := brain.Default()
	p.Wheelbase = float32(rig.Params.Cal.Body.Wheelbase)
	b, err := brain.New(rig.Body(), e, rig.Clock(), p)
	if err != nil {
		t.Fatal(err)
	}
	var commands []robot.Command
	armed := false
	rig.Drive(p.Period, func(now time.Duration) {
		tr := b.Tick(now)
		if f, is := e.(*failover.Engine); is {
			f.Mirror()
		}
		commands = append(commands, tr.Command)
		if each != nil {
			each(len(commands), b, tr)
		}
		armed = armed || b.Arm() == nil
	})
	rig.AdvanceTo(rig.Clock().Now() + time.Duration(ticks)*p.Period)
	if !armed {
		t.Fatal("the car was never armed")
	}
	return commands
}

// jump is the largest change of a motor from one command to the next, as a
// share of its range: S4's discontinuity.
func jump(a, b robot.Command) float64 {
	speed := math.Abs(float64(a.Speed-b.Speed)) / 0.35
	steer := math.Abs(float64(a.Steering-b.Steering)) / (math.Pi / 6)
	return max(speed, steer)
}

// TestS4EngineLost: the primary fails while the car drives. The same tick has
// an output of the standby, no motor jumps, and the decision goes on.
func TestS4EngineLost(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	steps := []int{401, 1000, 2222, 3003}
	for _, at := range steps[:tier.Count(t, "steps", 2, len(steps), len(steps))] {
		t.Run(fmt.Sprint("step ", at), func(t *testing.T) {
			primary := &fieldtest.Flaky{Engine: newEngine(t), FailAt: at}
			f := failover.New(primary, newEngine(t), 5*time.Millisecond)
			commands := driveRoom(t, f, at+400, func(tick int, _ *brain.Brain, tr *brain.Trace) {
				if tr.Err != nil {
					t.Errorf("tick %d: %v; a stand-in must leave no tick without an output", tick, tr.Err)
				}
				if got := f.State().Standby; got != (tick >= at) {
					t.Errorf("tick %d: on the standby: %v", tick, got)
				}
			})
			for i := at - 3; i < at+40; i++ {
				if d := jump(commands[i-1], commands[i]); d > 0.1 {
					t.Errorf("tick %d: a motor jumps by %.3f of its range, want at most 0.1", i+1, d)
				}
			}
			if primary.Touched != 0 {
				t.Errorf("the failed engine was used %d more times", primary.Touched)
			}
			s := f.State()
			if s.Failovers != 1 || s.Returns != 0 || !errors.Is(s.Err, fieldtest.ErrLost) || s.At != uint64(at-1) || !strings.HasSuffix(s.Engine, "(standby)") {
				t.Errorf("state %+v", s)
			}
			var moved float64
			for _, c := range commands[at:] {
				moved += math.Abs(float64(c.Speed)) * 0.005 // an escape drives too
			}
			if moved < 0.2 {
				t.Errorf("drove %.2f m in the 2 s after, want the drive to go on", moved)
			}
		})
	}
}

// The standby's field is the primary's of at most a second ago: after a takeover it
// differs from an undisturbed run by little. How much depends on what the car does in that
// second, so that it is the mean over some takeovers that is judged.
func TestFailoverKeepsTheField(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	sections := []field.Section{field.ObstMap, field.Heading, field.VisitedMap, field.FirstTrace}
	moments := []int{1000, 1500, 2000, 2500, 3000}
	sum := make([]float64, len(sections))
	for _, at := range moments {
		whole := newEngine(t)
		driveRoom(t, whole, at, nil)
		f := failover.New(&fieldtest.Flaky{Engine: newEngine(t), FailAt: at}, newEngine(t), 5*time.Millisecond)
		driveRoom(t, f, at, nil)
		for i, c := range sections {
			share := difference(whole, f, c)
			t.Logf("channel %d: relative difference %.3f in tick %d, that of the takeover", c, share, at)
			sum[i] += share
		}
	}
	for i, c := range sections {
		if mean := sum[i] / float64(len(moments)); mean > 0.2 {
			t.Errorf("channel %d: relative difference %.3f in the ticks of the takeovers, on average", c, mean)
		}
	}
}

// difference is how much b's section differs from a's, relative to a's norm.
func difference(a, b field.Engine, c field.Section) float64 {
	u, v := make([]float32, field.Cells), make([]float32, field.Cells)
	a.Read(c, u)
	b.Read(c, v)
	diff, norm := 0.0, 0.0
	for i := range u {
		d := float64(u[i] - v[i])
		diff += d * d
		norm += float64(u[i]) * float64(u[i])
	}
	return math.Sqrt(diff / max(norm, 1e-12))
}

// TestFailoverReturns: it goes back to a primary when told, not before, without
// a jump, and would fail over again.
func TestFailoverReturns(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	const failAt, tellAt = 1500, 1700
	first := &fieldtest.Flaky{Engine: newEngine(t), FailAt: failAt}
	second := &fieldtest.Flaky{Engine: newEngine(t)}
	f := failover.New(first, newEngine(t), 5*time.Millisecond)
	if err := f.Return(second); err == nil {
		t.Error("a working primary was replaced")
	}
	back := 0
	commands := driveRoom(t, f, 3000, func(tick int, _ *brain.Brain, _ *brain.Trace) {
		s := f.State()
		switch {
		case tick == tellAt:
			if err := f.Return(second); err != nil {
				t.Error(err)
			}
		case back == 0 && s.Returns == 1:
			back = tick
			second.FailAt = second.Steps + 500
		case s.Returns == 1 && tick < tellAt:
			t.Fatal("returned untold")
		}
	})
	if wait := time.Duration(back-tellAt) * 5 * time.Millisecond; back == 0 || wait > time.Second {
		t.Fatalf("back after %v, want within a second", wait)
	}
	for i := failAt - 2; i < len(commands); i++ {
		if d := jump(commands[i-1], commands[i]); d > 0.1 && (i < failAt+40 || i > back-2 && i < back+40) {
			t.Errorf("tick %d: a motor jumps by %.3f", i+1, d)
		}
	}
	s := f.State()
	if s.Failovers != 2 || s.Returns != 1 || !s.Standby {
		t.Errorf("after the second failure: %+v", s)
	}
	if first.Closed != 1 {
		t.Errorf("the replaced primary was closed %d times, want once", first.Closed)
	}
}

// TestFailoverBeginsAlone: without a primary the standby steps and is no
// stand-in; the first primary takes over within a second and without a jump.
func TestFailoverBeginsAlone(t *testing.T) {
	const tellAt = 500
	standby := newEngine(t)
	f := failover.New(nil, standby, 5*time.Millisecond)
	if s := f.State(); s.Standby || s.Engine != standby.Name() || s.Err != nil || s.Failovers != 0 {
		t.Fatalf("at the start: %+v", s)
	}
	primary := &fieldtest.Flaky{Engine: newEngine(t)}
	back := 0
	commands := driveRoom(t, f, 1500, func(tick int, _ *brain.Brain, tr *brain.Trace) {
		if tr.Err != nil {
			t.Errorf("tick %d: %v", tick, tr.Err)
		}
		if tick == tellAt {
			if err := f.Return(primary); err != nil {
				t.Error(err)
			}
		}
		if back == 0 && f.State().Returns == 1 {
			back = tick
			primary.FailAt = primary.Steps + 300
		}
	})
	if wait := time.Duration(back-tellAt) * 5 * time.Millisecond; back == 0 || wait > time.Second {
		t.Fatalf("the primary steps after %v, want within a second", wait)
	}
	for i := back - 2; i < len(commands); i++ {
		if d := jump(commands[i-1], commands[i]); d > 0.1 && i < back+40 {
			t.Errorf("tick %d: a motor jumps by %.3f of its range", i+1, d)
		}
	}
	if s := f.State(); !s.Standby || s.Failovers != 1 || !strings.HasSuffix(s.Engine, "(standby)") {
		t.Errorf("after the primary's failure: %+v", s)
	}
	if err := f.Close(); err != nil || primary.Closed != 1 {
		t.Errorf("closed %d times, %v", primary.Closed, err)
	}
}
