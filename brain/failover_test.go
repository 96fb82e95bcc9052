package brain_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

var errLost = errors.New("device lost")

// A flaky engine fails from its n-th step on, until it is mended.
type flaky struct {
	field.Engine
	steps, failAt int
	touched       int // calls after the failure
	closed        int
}

func (f *flaky) Step(in *field.Input) (*field.Output, error) {
	f.steps++
	if f.failAt != 0 && f.steps >= f.failAt {
		return nil, errLost
	}
	return f.Engine.Step(in)
}

func (f *flaky) Read(c int, dst []float32) {
	if f.failAt != 0 && f.steps >= f.failAt {
		f.touched++
	}
	f.Engine.Read(c, dst)
}

func (f *flaky) Close() error {
	f.closed++
	return f.Engine.Close()
}

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
		if f, is := e.(*brain.Failover); is {
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
	for _, at := range []int{401, 1000, 2222, 3003} {
		t.Run(fmt.Sprint("step ", at), func(t *testing.T) {
			primary := &flaky{Engine: newEngine(t), failAt: at}
			f := brain.NewFailover(primary, newEngine(t), 5*time.Millisecond)
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
			if primary.touched != 0 {
				t.Errorf("the failed engine was used %d more times", primary.touched)
			}
			s := f.State()
			if s.Failovers != 1 || s.Returns != 0 || !errors.Is(s.Err, errLost) || s.At != uint64(at-1) || !strings.HasSuffix(s.Engine, "(standby)") {
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

// The standby's field is the primary's of at most a second ago: after a
// takeover it differs from an undisturbed run by little and not for long.
func TestFailoverKeepsTheField(t *testing.T) {
	const at = 2000
	whole := newEngine(t)
	driveRoom(t, whole, at, nil)
	f := brain.NewFailover(&flaky{Engine: newEngine(t), failAt: at}, newEngine(t), 5*time.Millisecond)
	driveRoom(t, f, at, nil)
	a, b := make([]float32, field.Cells), make([]float32, field.Cells)
	for _, c := range []int{field.ObstMap, field.Heading, field.VisitedMap, field.FirstTrace} {
		whole.Read(c, a)
		f.Read(c, b)
		diff, norm := 0.0, 0.0
		for i := range a {
			d := float64(a[i] - b[i])
			diff += d * d
			norm += float64(a[i]) * float64(a[i])
		}
		if share := math.Sqrt(diff / max(norm, 1e-12)); share > 0.25 {
			t.Errorf("channel %d: relative difference %.3f in the tick of the takeover", c, share)
		}
	}
}

// TestFailoverReturns: it goes back to a primary when told, not before, without
// a jump, and would fail over again.
func TestFailoverReturns(t *testing.T) {
	const failAt, tellAt = 1500, 1700
	first := &flaky{Engine: newEngine(t), failAt: failAt}
	second := &flaky{Engine: newEngine(t)}
	f := brain.NewFailover(first, newEngine(t), 5*time.Millisecond)
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
			second.failAt = second.steps + 500
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
	if first.closed != 1 {
		t.Errorf("the replaced primary was closed %d times, want once", first.closed)
	}
}

func TestFailoverWhenBothFail(t *testing.T) {
	f := brain.NewFailover(&flaky{Engine: newEngine(t), failAt: 1}, &flaky{Engine: newEngine(t), failAt: 1}, 5*time.Millisecond)
	if _, err := f.Step(&field.Input{Quality: field.Full()}); !errors.Is(err, errLost) {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Error(err)
	}
}

func TestFailoverDoesNotAllocate(t *testing.T) {
	f := brain.NewFailover(newEngine(t), newEngine(t), 5*time.Millisecond)
	in := field.Input{Quality: field.Full()}
	n := testing.AllocsPerRun(200, func() {
		if _, err := f.Step(&in); err != nil {
			t.Fatal(err)
		}
		f.Mirror()
		in.Tick++
	})
	if n != 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// TestFailoverReturnsWithTheNewestDecision: what moves the motors is copied once
// more when the primary takes over, however long ago its turn was.
func TestFailoverReturnsWithTheNewestDecision(t *testing.T) {
	primary, standby := newEngine(t), newEngine(t)
	f := brain.NewFailover(nil, standby, 5*time.Millisecond)
	if err := f.Return(primary); err != nil {
		t.Fatal(err)
	}
	in := field.Input{Quality: field.Full()}
	in.Add(field.At(field.Heading, 6, 20, 2))
	for !f.State().Primary {
		if _, err := f.Step(&in); err != nil {
			t.Fatal(err)
		}
		f.Mirror()
		if in.Tick++; in.Tick > 1000 {
			t.Fatal("it never returns")
		}
	}
	want, got := make([]float32, field.Cells), make([]float32, field.Cells)
	for _, c := range []int{field.Heading, field.ObstMap, field.Speed, field.Gaze, field.Learned, field.Recalled} {
		standby.Read(c, want)
		primary.Read(c, got)
		if !slices.Equal(got, want) {
			t.Errorf("channel %d is older than the step before", c)
		}
	}
}

// A caller's mistake is not the primary's failure.
func TestFailoverKeepsThePrimaryAfterABadInput(t *testing.T) {
	f := brain.NewFailover(newEngine(t), newEngine(t), 5*time.Millisecond)
	if _, err := f.Step(&field.Input{}); err == nil {
		t.Error("a quality that does not exist was accepted")
	}
	if s := f.State(); !s.Primary || s.Failovers != 0 {
		t.Errorf("%+v, want the primary to step", s)
	}
}

// A scribe counts how often each of its channels, what was learned and the library
// were written.
type scribe struct {
	field.Engine
	written [field.FirstPattern]int
}

func (s *scribe) Write(c int, src []float32) {
	s.written[c]++
	s.Engine.Write(c, src)
}

// A whole round of copies takes at most a second at every legal period and
// copies every channel; the decision is copied far more often.
func TestFailoverCopiesEverything(t *testing.T) {
	for _, period := range []time.Duration{2500 * time.Microsecond, 5 * time.Millisecond, 40 * time.Millisecond} {
		standby := &scribe{Engine: newEngine(t)}
		f := brain.NewFailover(newEngine(t), standby, period)
		in := field.Input{Quality: field.Full()}
		for range time.Second / period {
			if _, err := f.Step(&in); err != nil {
				t.Fatal(err)
			}
			f.Mirror()
			in.Tick++
		}
		for c, n := range standby.written {
			if n == 0 {
				t.Errorf("period %v: channel %d was not copied within a second", period, c)
			}
		}
		if n := standby.written[field.Heading]; n < 10 {
			t.Errorf("period %v: the heading was copied %d times in a second", period, n)
		}
	}
}

func BenchmarkFailover(b *testing.B) {
	for _, kind := range []string{"alone", "with standby"} {
		b.Run(kind, func(b *testing.B) {
			e, mirror := newEngine(b), func() {}
			if kind != "alone" {
				f := brain.NewFailover(e, newEngine(b), 5*time.Millisecond)
				e, mirror = f, f.Mirror
			}
			in := field.Input{Quality: field.Full()}
			for b.Loop() {
				if _, err := e.Step(&in); err != nil {
					b.Fatal(err)
				}
				mirror()
				in.Tick++
			}
		})
	}
}
