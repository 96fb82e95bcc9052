package picarx

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/robot"
)

// ErrRunning is what a second Run on the same car returns.
var ErrRunning = errors.New("picarx: the car is already being run")

// nap bounds every wait of Run's threads, so that they notice the end in
// time.
const nap = 10 * time.Millisecond

// OnThread sets a function that each of Run's locked threads calls once with
// its name, "bus" or "sonar": the place to raise its priority or pin it. Call
// it before Run.
func (c *Car) OnThread(f func(name string)) { c.onThread = f }

// Cede makes Run's threads give their processor of Go's back now and then (robot.Ceder;
// loop.Loop.Cede says when to). Call it before Run.
func (c *Car) Cede() { c.cedes = true }

// Run steps the car in real time until ctx ends or the driver refuses the HAT:
// Service and Ping on locked OS threads, Watch on a goroutine of its own. On
// return the motors are inert and the reset line is low; the error is the
// refusal or what kept the stop from being acknowledged. The end of ctx is no
// error, nor is a bus thread that came too late to acknowledge: the line has
// stopped the motors.
func (c *Car) Run(ctx context.Context) error {
	if !c.running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	defer c.running.Store(false)
	c.parked.Store(false)
	c.due.Store(int64(c.clock.Now()))
	c.watchAt = 0
	if c.starved == nil {
		c.starved = c.ownerStarved
	}
	var quit atomic.Bool
	var threads sync.WaitGroup
	refused := make(chan error, 1)
	threads.Go(func() { c.shield("bus", refused, func() { c.runBus(&quit, refused) }) })
	threads.Go(func() { c.shield("sonar", refused, func() { c.runSonar(&quit) }) })
	threads.Go(func() { c.shield("watch", refused, func() { c.watch(&quit) }) })

	var err error
	select {
	case <-ctx.Done():
		err = c.Halt()
	case err = <-refused:
	}
	quit.Store(true)
	c.parked.Store(true)
	low := c.trip(nil, c.p.ResetLow) // the process may end only with the line low
	threads.Wait()
	if low && LateStop(err) { // every thread has come back, so nothing hangs and the line holds
		return nil
	}
	return err
}

// shield runs one of Run's threads. When it panics the reset line goes low at
// once and Run ends with the panic as its error.
func (c *Car) shield(name string, ended chan<- error, f func()) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		c.parked.Store(true)
		err := fmt.Errorf("picarx: %s thread panicked: %v\n%s", name, r, debug.Stack())
		c.trip(err, c.p.ResetLow)
		select {
		case ended <- err:
		default:
		}
	}()
	f()
}

// thread locks the goroutine to its thread and lets the daemon set it up. The
// lock is never released: with the goroutine the thread ends too, and its
// real-time class does not go back to the runtime's pool.
func (c *Car) thread(name string) {
	runtime.LockOSThread()
	if c.onThread != nil {
		c.onThread(name)
	}
}

// ownerStarved reports whether the bus owner's thread is ready without running.
func (c *Car) ownerStarved() bool {
	due := c.due.Load()
	wait := func(d time.Duration) { c.clock.SleepUntil(c.clock.Now() + d) }
	return starved(thread{int(c.owner.Load())}.look, wait, func() bool { return c.due.Load() != due })
}

// runBus steps Service.
func (c *Car) runBus(quit *atomic.Bool, refused chan<- error) {
	c.thread("bus")
	c.owner.Store(int64(thisThread().tid))
	turn := robot.Ceder{Off: !c.cedes}
	for !quit.Load() {
		now := c.clock.Now()
		next := c.Service(now)
		if e := c.refused.Load(); e != nil {
			select {
			case refused <- e:
			default:
			}
		}
		if next > now {
			turn.Cede(now, next)
			c.clock.SleepUntil(min(next, now+nap))
		}
	}
}

// runSonar steps Ping, waiting on the echo line while a sound is under way.
func (c *Car) runSonar(quit *atomic.Bool) {
	c.thread("sonar")
	turn := robot.Ceder{Off: !c.cedes}
	for !quit.Load() {
		now := c.clock.Now()
		next := min(c.Ping(now), now+nap)
		turn.Cede(now, next)
		if len(c.sonars) > 0 && c.sonars[c.active].listening {
			c.sonars[c.active].wire.Echo.Wait(next - now)
		} else if next > now {
			c.clock.SleepUntil(next)
		}
	}
}

// watch steps Watch.
func (c *Car) watch(quit *atomic.Bool) {
	turn := robot.Ceder{Off: !c.cedes}
	for !quit.Load() {
		now := c.clock.Now()
		next := c.Watch(now)
		turn.Cede(now, next)
		c.clock.SleepUntil(next)
	}
}
