package fieldbrain_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// A faulty cart may sense nothing, and may not take commands.
type faulty struct {
	cart
	blind bool
	deaf  error
}

func (f *faulty) Sense(s *fieldbrain.State) {
	f.cart.Sense(s)
	if f.blind {
		s.Range, s.Battery = fieldbrain.State{}.Range, fieldbrain.Reading{}
	}
}

func (f *faulty) Act(c fieldbrain.Command) error {
	if f.deaf != nil {
		return f.deaf
	}
	return f.cart.Act(c)
}

// newFaulty returns such a cart and its brain, which arms as soon as it may.
func newFaulty(t *testing.T, spoil func(*faulty, *fieldbrain.Options)) (*faulty, *fieldbrain.Brain) {
	t.Helper()
	clock := &testbench.Virtual{}
	body := &faulty{cart: cart{clock: clock}}
	o := fieldbrain.Default()
	o.Clock, o.Arm = clock, true
	spoil(body, &o)
	b, err := fieldbrain.New(body, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return body, b
}

// advance ticks for a length of time.
func advance(t *testing.T, b *fieldbrain.Brain, length time.Duration) {
	t.Helper()
	if err := b.Advance(length); err != nil {
		t.Fatal(err)
	}
}

// ticking ticks until another goroutine has had its answer.
func ticking(t *testing.T, b *fieldbrain.Brain, ask func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- ask() }()
	for {
		select {
		case err := <-done:
			return err
		default:
			advance(t, b, 5*time.Millisecond)
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// TestLastWord: a brain that is to arm as soon as it may arms no more once a person has disarmed
// or stopped it, before its first tick or while sensors are missing, until a person arms.
func TestLastWord(t *testing.T) {
	for name, say := range map[string]func(b *fieldbrain.Brain) error{
		"nothing":       nil,
		"disarm":        func(b *fieldbrain.Brain) error { b.Disarm(); return nil },
		"remote disarm": func(b *fieldbrain.Brain) error { return ticking(t, b, b.Remote().Disarm) },
		"stop and reset": func(b *fieldbrain.Brain) error {
			b.Remote().Stop()
			advance(t, b, 5*time.Millisecond)
			return ticking(t, b, b.Remote().Reset)
		},
		"e-stop and reset": func(b *fieldbrain.Brain) error {
			if err := ticking(t, b, b.Remote().EStop); err != nil {
				return err
			}
			return ticking(t, b, b.Remote().Reset)
		},
	} {
		for _, before := range []time.Duration{0, time.Second} {
			body, b := newFaulty(t, func(f *faulty, _ *fieldbrain.Options) { f.blind = true })
			advance(t, b, before)
			if say != nil {
				if err := say(b); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			advance(t, b, time.Second)
			body.blind = false
			advance(t, b, time.Second)
			if armed := b.Remote().Status().Safety.Armed; armed != (say == nil) || body.command.Enable != armed {
				t.Errorf("%s after %v, then sensors: armed %v, told %+v", name, before, armed, body.command)
			}
			if err := b.Arm(); err != nil {
				t.Errorf("%s: a person arms: %v", name, err)
			}
			if advance(t, b, time.Second); !body.command.Enable {
				t.Errorf("%s: armed by a person it is told %+v", name, body.command)
			}
		}
	}
}

// TestWaitsWithoutWords: a brain that may not arm yet does not allocate in a tick.
func TestWaitsWithoutWords(t *testing.T) {
	body, b := newFaulty(t, func(f *faulty, _ *fieldbrain.Options) { f.blind = true })
	advance(t, b, time.Second)
	if n := testing.AllocsPerRun(200, func() {
		body.clock.SleepUntil(body.clock.Now() + 5*time.Millisecond)
		b.Tick(body.clock.Now())
	}); n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
}

// keeping is a body whose Sense writes what it knows, and leaves the rest of State alone.
type keeping struct{ *faulty }

func (k keeping) Sense(s *fieldbrain.State) {
	link := s.Link
	k.faulty.Sense(s)
	s.Link = link
}

// TestDeafBody: a body that does not take a command is told to brake in the next tick, and is disarmed
// by a cause that people see; when it takes commands again a person may arm it.
func TestDeafBody(t *testing.T) {
	body, _ := newFaulty(t, func(*faulty, *fieldbrain.Options) {})
	o := fieldbrain.Default()
	o.Clock, o.Arm = body.clock, true
	b, err := fieldbrain.New(keeping{body}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if advance(t, b, time.Second); !body.command.Enable || body.command.Speed <= 0 {
		t.Fatalf("it does not drive: %+v", body.command)
	}
	tick := func() *fieldbrain.Trace {
		body.clock.SleepUntil(body.clock.Now() + o.Period)
		return b.Tick(body.clock.Now())
	}
	body.deaf = errors.New("the bus is gone")
	if got := tick(); got.Err != body.deaf {
		t.Errorf("the trace says %v", got.Err)
	}
	for range 10 {
		if got := tick(); got.Command.Speed != 0 || !got.Command.Brake || got.Command.Enable || !got.Causes.Has(safety.LinkDown|safety.Disarmed) {
			t.Fatalf("it goes on: %+v, %v", got.Command, got.Causes)
		}
	}
	if err := b.Arm(); err == nil || b.Remote().Status().Safety.Tripped != safety.LinkDown {
		t.Errorf("a deaf body is armed: %v, %+v", err, b.Remote().Status().Safety)
	}
	body.deaf = nil
	advance(t, b, 10*time.Millisecond)
	if got := tick(); got.Command.Enable || got.Causes.Has(safety.LinkDown) {
		t.Errorf("it hears again, and nobody armed it: %+v, %v", got.Command, got.Causes)
	}
	if err := b.Arm(); err != nil {
		t.Errorf("a person arms it: %v", err)
	}
	if advance(t, b, time.Second); body.command.Speed <= 0 {
		t.Errorf("armed again it is told %+v", body.command)
	}
}

// TestRunIsOnce: a second Run, and one after Close, say so and do not tick.
func TestRunIsOnce(t *testing.T) {
	body := &parked{}
	b, err := fieldbrain.New(body, fieldbrain.Default())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := b.Run(ctx); err != nil {
		t.Fatal(err)
	}
	ticks := body.ticks.Load()
	if err := b.Run(ctx); err == nil || !strings.Contains(err.Error(), "a second Run") {
		t.Errorf("twice: %v", err)
	}
	if err := errors.Join(b.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(ctx); err == nil || !strings.Contains(err.Error(), "Run after Close") || body.ticks.Load() != ticks {
		t.Errorf("closed: %v", err)
	}
}

// TestArmBeforeTheFirstTick says what is missing: a tick, not a sensor.
func TestArmBeforeTheFirstTick(t *testing.T) {
	body, b := newFaulty(t, func(f *faulty, o *fieldbrain.Options) { f.blind, o.Arm = true, false })
	if err := b.Arm(); err == nil || !strings.Contains(err.Error(), "no tick has asked the sensors yet") {
		t.Errorf("before the first tick: %v", err)
	}
	body.blind = false
	advance(t, b, 10*time.Millisecond)
	if err := b.Arm(); err != nil {
		t.Errorf("behind it: %v", err)
	}
}
