package picarx_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"periph.io/x/conn/v3/physic"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// A realClock is the process's clock; in a synctest bubble that is virtual.
type realClock struct{ epoch time.Time }

func (c realClock) Now() time.Duration         { return time.Since(c.epoch) }
func (c realClock) SleepUntil(t time.Duration) { time.Sleep(t - c.Now()) }

// A slowBus acknowledges everything at 100 kHz while its reset line is high; it can
// hang like an ioctl.
type slowBus struct {
	mu   sync.Mutex
	hang time.Duration
	err  error
	addr uint16
	rst  *line
	regs [256]uint16
	low  bool // the next byte read is a value's second
}

func (b *slowBus) String() string                  { return "/dev/i2c-7" }
func (b *slowBus) SetSpeed(physic.Frequency) error { return errors.New("not supported") }
func (b *slowBus) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	hang, err := b.hang, b.err
	if addr != b.addr || !b.rst.level() {
		err = errNack
	}
	if err == nil && len(w) == 3 {
		b.regs[w[0]], b.low = uint16(w[1])<<8|uint16(w[2]), false
	}
	if len(r) > 0 {
		if r[0] = 3; b.low {
			r[0] = 0
		}
		b.low = !b.low
	}
	b.mu.Unlock()
	time.Sleep(300*time.Microsecond + hang)
	return err
}

func (b *slowBus) set(hang time.Duration, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hang, b.err = hang, err
}

func (b *slowBus) duty() uint16 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.regs[0x2d]
}

// A slowEcho hands out one pulse per trigger, guarded for two goroutines.
type slowEcho struct {
	mu sync.Mutex
	echo
}

func (e *slowEcho) Next(out *picarx.Edge) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.echo.Next(out)
}

// live makes a car on a slow bus, for Run inside a synctest bubble.
func live(t *testing.T) (*picarx.Car, *slowBus, *line, realClock) {
	t.Helper()
	clock := realClock{time.Now()}
	reset, e := &line{}, &slowEcho{}
	bus := &slowBus{addr: 0x14, rst: reset}
	trigger := &line{then: func(high bool) {
		if !high {
			e.mu.Lock()
			e.pulse(clock.Now(), 3*ms)
			e.mu.Unlock()
		}
	}}
	car, err := picarx.New(picarx.Wire{
		Bus: bus, Reset: reset, LeftDir: &line{}, RightDir: &line{}, Clock: clock,
		Sonars: []picarx.SonarWire{{Trigger: trigger, Echo: e}},
	}, picarx.Default())
	if err != nil {
		t.Fatal(err)
	}
	picarx.Starved(car, func() bool { return false }) // virtual time says nothing about threads
	return car, bus, reset, clock
}

func TestRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	synctest.Test(t, func(t *testing.T) {
		car, bus, reset, clock := live(t)
		var threads sync.Map
		car.OnThread(func(name string) { threads.Store(name, true) })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- car.Run(ctx) }()
		time.Sleep(400 * ms)
		if err := car.Run(ctx); err != picarx.ErrRunning {
			t.Errorf("second Run: %v, want ErrRunning", err)
		}
		drive(t, car, clock, 400*ms)
		if bus.duty() == 0 {
			t.Error("the motors do not run")
		}
		var s robot.State
		car.Sense(&s)
		if !s.Range[robot.Front].OK || !s.Floor[0].OK || s.Link != robot.LinkUp {
			t.Errorf("state %+v, want readings", s)
		}
		if err := car.Halt(); err != nil || bus.duty() != 0 {
			t.Errorf("Halt while running: %v, duty %d", err, bus.duty())
		}
		drive(t, car, clock, 400*ms)
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		if bus.duty() != 0 || reset.level() {
			t.Errorf("after Run: duty %d, reset line %v, want 0 and low", bus.duty(), reset.level())
		}
		for range 3 {
			if err := car.Halt(); err != nil || reset.level() {
				t.Errorf("Halt after Run: %v, reset line %v", err, reset.level())
			}
		}
		for _, name := range []string{"bus", "sonar"} {
			if _, ok := threads.Load(name); !ok {
				t.Errorf("no thread %q was announced", name)
			}
		}
	})
}

// drive acts every 5 ms for d.
func drive(t *testing.T, car *picarx.Car, clock realClock, d time.Duration) {
	t.Helper()
	for end := clock.Now() + d; clock.Now() < end; time.Sleep(5 * ms) {
		cmd := forward
		cmd.At = clock.Now()
		if err := car.Act(cmd); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWatchdog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		car, bus, reset, clock := live(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- car.Run(ctx) }()
		time.Sleep(400 * ms)
		drive(t, car, clock, 300*ms)
		bus.set(300*ms, errors.New("sysfs-i2c: connection timed out")) // an ioctl that cannot be cancelled
		time.Sleep(80 * ms)
		if reset.level() {
			t.Error("reset line still high 80 ms into a hanging transaction")
		}
		if s := car.Stats(); s.Stalls != 1 || !strings.Contains(s.LastError.Error(), "hangs") {
			t.Errorf("%d stalls, %v", s.Stalls, s.LastError)
		}
		start := clock.Now()
		if err := car.Halt(); err == nil || clock.Now()-start > 25*ms {
			t.Errorf("Halt beside a hanging transaction: %v after %v", err, clock.Now()-start)
		}
		bus.set(0, nil)
		time.Sleep(3 * time.Second)
		if got := car.Stats().Phase; got != "ready" {
			t.Errorf("phase %q after the bus came back, want ready", got)
		}
		if bus.duty() != 0 {
			t.Error("moving without a command")
		}
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestWatchdogMakesNoResetStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		car, bus, reset, _ := live(t)
		pulses := 0
		reset.then = func(high bool) {
			if high {
				pulses++
			}
		}
		bus.set(100*ms, errors.New("sysfs-i2c: connection timed out"))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := car.Run(ctx); err == nil {
			t.Error("Run ended without saying that the stop was not acknowledged")
		}
		if pulses > 12 || reset.level() {
			t.Errorf("%d resets in 10 s of a stuck bus, line %v; want one a second, then low", pulses, reset.level())
		}
	})
}

func TestRunRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		car, bus, _, _ := live(t)
		bus.addr = 0x17
		var refused *picarx.BoardError
		if err := car.Run(t.Context()); !errors.As(err, &refused) {
			t.Errorf("Run with a board at 0x17: %v, want a BoardError", err)
		}
	})
}
