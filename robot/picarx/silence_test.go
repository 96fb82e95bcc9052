package picarx_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// watched lets the watch look every 10 ms while d passes and nobody calls Service.
func (r *rig) watched(d time.Duration) {
	for end := r.clock.Now() + d; r.clock.Now() < end; {
		r.clock.SleepUntil(min(r.car.Watch(r.clock.Now()), end))
	}
}

// within lets idle happen during the next transaction.
func (r *rig) within(idle func(r *rig)) {
	once := true
	r.hat.fault = func(_, _ []byte) error {
		if once {
			once = false
			idle(r)
		}
		return nil
	}
	r.run(10 * ms)
}

// A silence is one way in which the bus owner is silent, and the reason that
// the driver gives.
type silence struct {
	name, why string
	happens   func(*rig)
	starved   func() bool
	held      func() bool
	reason    picarx.Reason
	link      robot.Link
	says      []string
	never     []string
}

// silences returns them all.
func silences() []silence {
	between := func(r *rig) { r.watched(80 * ms) }
	within := func(r *rig) { r.within(between) }
	stopped := func(r *rig) { // nobody runs for 80 ms, the watch neither
		r.car.Watch(r.clock.Now())
		r.within(func(r *rig) {
			r.clock.SleepUntil(r.clock.Now() + 80*ms)
			r.car.Watch(r.clock.Now())
		})
	}
	yes, no := func() bool { return true }, func() bool { return false }
	wires := []string{"SDA", "battery", "switch", "header"}
	return []silence{
		{
			"hung", "a transaction does not return although everybody else runs", within, no, nil,
			picarx.Hung, robot.LinkDown,
			[]string{"a transaction is 5", "the watch woke 0s late", "hangs", "SDA or SCL"},
			[]string{"computer"},
		},
		{
			"hung, threads unknown", "what the kernel does not tell clears no wire", within, nil, nil,
			picarx.Hung, robot.LinkDown,
			[]string{"SDA or SCL"},
			[]string{"computer"},
		},
		{
			"late between two transactions", "a sleeping thread waits for nothing but its turn", between, no, nil,
			picarx.Late, robot.LinkLate,
			[]string{"no wire is at fault", "fieldbrain doctor"},
			wires,
		},
		{
			"ready within a transaction", "it waits for a processor, not for the bus", within, yes, nil,
			picarx.Late, robot.LinkLate,
			[]string{"a transaction is 5", "no wire is at fault"},
			wires,
		},
		{
			"machine stopped", "the watch itself was late by as much", stopped, no, nil,
			picarx.Late, robot.LinkLate,
			[]string{"silent for 80", "the watch woke 70", "no wire is at fault"},
			wires,
		},
		{
			"simulated, late", "a model does not hang by itself", within, no, no,
			picarx.Late, robot.LinkLate,
			[]string{"simulated", "the computer gave"},
			wires,
		},
		{
			"simulated, held", "its scenario says so", within, yes, yes,
			picarx.Hung, robot.LinkDown,
			[]string{"hangs", "scenario"},
			wires,
		},
	}
}

// TestSilence: every silence of the bus owner stops the car through the reset
// line. The driver names it by what it sees: a busy computer is no broken wire,
// and a model has no wires.
func TestSilence(t *testing.T) {
	for _, c := range silences() {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil)
			if c.held != nil {
				r.rewire(c.held)
			}
			picarx.Starved(r.car, c.starved)
			r.ready()
			r.obey(forward)
			r.run(400 * ms)
			r.brain = nil
			c.happens(r)
			s := r.car.Stats()
			c.judge(t, s.LastError)
			lates := uint64(0)
			if c.reason == picarx.Late {
				lates = 1
			}
			if left, right := r.duties(); r.reset.high || left != 0 || right != 0 || s.Stalls != 1 || s.Lates != lates {
				t.Errorf("reset line %v, duties %d and %d, %d stalls, %d late", r.reset.high, left, right, s.Stalls, s.Lates)
			}
			r.run(5 * ms) // Service takes note
			if got := r.sense().Link; got != c.link {
				t.Errorf("link %v, want %v", got, c.link)
			}
			if got := picarx.Unheard(r.car, lates); got != c.reason { // the owner is in time again
				t.Errorf("a stop that nobody acknowledged: %v, want %v", got, c.reason)
			}
			r.run(time.Second)
			later := picarx.Hung // the HAT did not answer
			if c.held != nil && !c.held() {
				later = picarx.Late // a model that nobody holds would have
			}
			if got := picarx.Unheard(r.car, lates); got != later {
				t.Errorf("the same a second later: %v, want %v", got, later)
			}
			if got := r.sense().Link; got != robot.LinkUp {
				t.Errorf("link %v a second later, want up: %v", got, r.car.Stats().LastError)
			}
			if left, _ := r.duties(); left != 0 {
				t.Error("resumed by itself")
			}
			r.obey(forward)
			r.run(300 * ms)
			if left, _ := r.duties(); left == 0 {
				t.Error("a fresh command afterwards does not drive")
			}
		})
	}
}

// judge compares what the driver says with what it should say.
func (c *silence) judge(t *testing.T, err error) {
	t.Helper()
	var silent *picarx.SilenceError
	if !errors.As(err, &silent) || silent.Reason != c.reason {
		t.Fatalf("%v, want a %v: %s", err, c.reason, c.why)
	}
	for _, words := range c.says {
		if !strings.Contains(silent.Error(), words) {
			t.Errorf("%q does not say %q", silent, words)
		}
	}
	for _, words := range c.never {
		if strings.Contains(silent.Error(), words) {
			t.Errorf("%q speaks of %q: %s", silent, words, c.why)
		}
	}
}

// rewire makes the rig's car anew, on a model.
func (r *rig) rewire(held func() bool) {
	r.t.Helper()
	w := r.wire()
	w.Held = held
	var err error
	if r.car, err = picarx.New(w, picarx.Default()); err != nil {
		r.t.Fatal(err)
	}
}

// TestOwnResetIsNoNews: a HAT that the watch holds in reset answers nobody, and
// that does not hide why.
func TestOwnResetIsNoNews(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.within(func(r *rig) { r.watched(80 * ms) }) // the line goes low: the controller does not acknowledge
	if s := r.car.Stats(); s.Causes[picarx.NoAck] == 0 || !strings.Contains(s.LastError.Error(), "silent for") {
		t.Errorf("%d without acknowledge, newest error %v", s.Causes[picarx.NoAck], s.LastError)
	}
}

// TestModelsHaveNoWires: the errors of a simulated HAT send nobody to look at one.
func TestModelsHaveNoWires(t *testing.T) {
	r := newRig(t, nil)
	r.rewire(func() bool { return false })
	r.hat.off = true
	r.run(time.Second)
	err := r.car.Stats().LastError
	var bus *picarx.BusError
	if !errors.Is(err, picarx.ErrNoHat) || !errors.As(err, &bus) || !bus.Simulated {
		t.Fatalf("%v, want ErrNoHat around a simulated bus error", err)
	}
	for _, words := range []string{"SDA", "battery", "pins 3 and 5", "bus (7"} {
		if strings.Contains(err.Error(), words) {
			t.Errorf("%q speaks of %q", err, words)
		}
	}
}

// A lateClock wakes the bus owner late when told to, and everybody else in time.
type lateClock struct {
	realClock
	until atomic.Int64 // the owner does not wake before
}

func (c *lateClock) SleepUntil(t time.Duration) {
	if strings.Contains(string(debug.Stack()), "runBus") {
		t = max(t, time.Duration(c.until.Load()))
	}
	c.realClock.SleepUntil(t)
}

// TestStopOfALateThread: the driver makes a stop that nobody ran to acknowledge
// through the reset line and says so; the end of Run is then no failure.
func TestStopOfALateThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &lateClock{realClock: realClock{time.Now()}}
		reset := &line{}
		bus := &slowBus{addr: 0x14, rst: reset}
		car, err := picarx.New(picarx.Wire{Bus: bus, Reset: reset, LeftDir: &line{}, RightDir: &line{}, Clock: clock}, picarx.Default())
		if err != nil {
			t.Fatal(err)
		}
		picarx.Starved(car, func() bool { return false })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- car.Run(ctx) }()
		time.Sleep(400 * ms)
		sleep := func() {
			clock.until.Store(int64(clock.Now() + 40*ms)) // too short for the watch
			time.Sleep(11 * ms)
		}
		sleep()
		var stop *picarx.StopError
		if err := car.Halt(); !errors.As(err, &stop) || !picarx.LateStop(err) || !strings.Contains(err.Error(), "fieldbrain doctor") {
			t.Errorf("Halt: %v, want a late thread", err)
		}
		if picarx.LateStop(&picarx.StopError{Reason: picarx.Late}) || picarx.LateStop(&picarx.StopError{Held: true}) {
			t.Error("a stop is taken for done whose line refused, or that the HAT did not answer")
		}
		if reset.level() {
			t.Error("the reset line is high after a stop that nobody acknowledged")
		}
		time.Sleep(2 * time.Second)
		if got := car.Stats().Phase; got != "ready" {
			t.Fatalf("phase %q two seconds later, want ready", got)
		}
		sleep()
		cancel()
		if err := <-done; err != nil || reset.level() {
			t.Errorf("Run: %v, reset line %v; want nil and low", err, reset.level())
		}
	})
}

// TestStarved: only a thread that is ready twice and did not run between waits
// for a processor.
func TestStarved(t *testing.T) {
	for _, c := range []struct {
		name   string
		ready  [2]bool
		ran    time.Duration // between the looks
		back   bool
		starve bool
	}{
		{"asleep in the kernel", [2]bool{false, false}, 0, false, false},
		{"ready, does not run", [2]bool{true, true}, 0, false, true},
		{"ready, has come back", [2]bool{true, false}, 0, true, true},
		{"computes in the kernel", [2]bool{true, true}, 2 * ms, false, false},
		{"falls asleep", [2]bool{true, false}, 0, false, false},
	} {
		looks := 0
		look := func() (bool, time.Duration) {
			looks++
			return c.ready[looks-1], time.Hour + c.ran*time.Duration(looks)
		}
		if got := picarx.IsStarved(look, func(time.Duration) {}, func() bool { return c.back }); got != c.starve {
			t.Errorf("%s: starved %v", c.name, got)
		}
	}
}

// TestLook reads the kernel's accounts of two threads that cannot be mistaken.
func TestLook(t *testing.T) {
	runtime.LockOSThread() // or another thread may ask, and this one sleep
	defer runtime.UnlockOSThread()
	if ready, _ := picarx.Look(picarx.ThreadID()); !ready {
		t.Error("the thread that asks is not running")
	}
	if ready, ran := picarx.Look(-1); ready || ran != 0 {
		t.Error("there is no thread -1")
	}
}
