package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/robot/picarx"
)

// armFlagFile allows run --arm on the real car: a robot that starts to drive
// when its computer boots must be somebody's deliberate choice.
const armFlagFile = "/etc/fieldbrain/allow-arm-at-start"

type runCmd struct {
	Body     string  `help:"Body: sim or picarx; the configuration's when left out." enum:",sim,picarx" default:"" placeholder:"KIND"`
	Config   string  `help:"Configuration file; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE"`
	Arm      bool    `help:"Arm as soon as the car is ready. On the real car only where /etc/fieldbrain/allow-arm-at-start exists."`
	Seconds  float64 `help:"End after this many seconds; 0 runs until stopped." default:"0"`
	View     string  `help:"Live view: on, off or auto (on a terminal)." enum:"auto,on,off" default:"auto"`
	Scenario string  `help:"Simulated world." placeholder:"NAME" default:""`
	Seed     int64   `help:"Simulated world: decides obstacles and noise; -1 takes the configuration's." default:"-1"`
	engineFlags
	socketFlag
}

// settings returns the configuration with the flags put over it.
func (c runCmd) settings(e *env) (daemon.Config, error) {
	config, from, err := loadConfig(c.Config)
	if err != nil {
		return config, err
	}
	c.apply(&config)
	if c.Body != "" {
		config.Body.Kind = c.Body
	}
	if c.Scenario != "" {
		config.Body.Scenario, from = c.Scenario, "flags"
	}
	if c.Seed >= 0 {
		config.Body.Seed = c.Seed
	}
	if c.Socket != "" {
		config.Control.Socket = c.Socket
	}
	if err := checkFlags(config); err != nil {
		return config, err
	}
	if err := preflight(from, config, config.Body.Kind); err != nil {
		return config, err
	}
	if !(c.Seconds >= 0 && c.Seconds <= 365*24*3600) {
		return config, usageError{fmt.Errorf("--seconds %v: choose 0 to a year", c.Seconds)}
	}
	if c.Arm && config.Body.Kind == "picarx" {
		if _, err := os.Stat(armFlagFile); err != nil {
			return config, usageError{fmt.Errorf("--arm with the real car needs the file %s; "+
				"make it if the car may drive off when the program starts, or use fieldbrain arm", armFlagFile)}
		}
	}
	if config.Control.Socket == "" {
		config.Control.Socket, err = daemon.PlaceSocket(daemon.Sockets(e.getenv, e.uid))
	}
	return config, err
}

// checkFlags validates a configuration that flags have changed.
func checkFlags(config daemon.Config) error {
	var complaints daemon.Complaints
	if !errors.As(config.Validate(), &complaints) {
		return nil
	}
	for i := range complaints {
		complaints[i].File = "flags"
	}
	return complaints
}

// Run is the daemon from start to clean stop.
func (c runCmd) Run(e *env) error {
	var left error
	if c.Body == "picarx" { // before anything that can fail: a crash may have left the motors on
		left = picarx.Inert(picarx.Site{})
	}
	config, err := c.settings(e)
	if err == nil && config.Body.Kind == "picarx" && (c.Body == "" || left != nil) {
		left = picarx.Inert(picarx.Site{Header: config.Body.Header})
	}
	if left != nil {
		fmt.Fprintf(e.err, "fieldbrain: the HAT was not reset: %v\n", left)
	}
	if err != nil {
		return err
	}
	live := c.View == "on" || c.View == "auto" && e.terminal
	scroll := &scrollback{}
	var logTo io.Writer = e.err
	if live {
		logTo = scroll // lines go below the picture and are printed again at the end
	}
	text := live || config.Log.Format == "text" || config.Log.Format == "auto" && isTerminal(os.Stderr)
	log, err := daemon.NewLog(logTo, config.Log.Level, text, live || isTerminal(os.Stderr))
	if err != nil {
		return err
	}
	control, err := daemon.Listen(config.Control.Socket)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	s, err := newService(config, log, control)
	if err != nil {
		return errors.Join(err, control.Close(), log.Close())
	}
	if err := s.remember(e.getenv); err != nil {
		return errors.Join(err, s.car.close(), control.Close(), log.Close())
	}
	err = c.serve(e, s, live, scroll)
	err = errors.Join(err, log.Close())
	if live {
		scroll.print(e.err)
	}
	return errors.Join(err, s.recorder.Table(s.loop.Counts()).Print(e.out))
}

// spareThreads is how many goroutines may run beside one per processor. The
// locked threads (loop, bus, sonar) must never wait for one of Go's execution
// slots while slow goroutines hold them all: the kernel's priorities decide who
// runs, and they can only do so among threads that are allowed to.
const spareThreads = 6

// serve runs the loop and everything around it until a signal, the end of the
// wanted time or a fault, then stops the motors before anything else stops.
func (c runCmd) serve(e *env, s *service, live bool, scroll *scrollback) error {
	runtime.GOMAXPROCS(runtime.NumCPU() + spareThreads)
	ctx, restore := untilSignal(context.Background())
	defer restore()
	if c.Seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(c.Seconds*float64(time.Second)))
		defer cancel()
	}
	ctx, fault := context.WithCancelCause(ctx)
	defer fault(nil)
	around, endAround := context.WithCancel(context.Background())
	defer endAround()
	var group sync.WaitGroup
	var failures failures
	failed := func(err error) {
		failures.add(err)
		fault(err)
	}
	spawn := func(what string, ctx context.Context, f func(context.Context) error) {
		group.Go(func() {
			if err := shielded(what, func() error { return f(ctx) }); err != nil {
				failed(err)
			}
		})
	}
	var halted atomic.Bool // or the driver would say once more why not
	spawn("driver", around, func(ctx context.Context) error { return notAgain(ctx, &halted, s.car.work(ctx)) })
	for _, p := range s.besides(failed) {
		spawn(p.what, around, p.run)
	}
	if c.Arm {
		spawn("arming", ctx, s.armWhenReady) // over as soon as the loop ends
	}
	if live {
		spawn("view", around, func(ctx context.Context) error { return showView(ctx, e.out, s, scroll) })
	} else {
		spawn("report", around, s.report)
	}
	s.log.Info().Str("body", s.config.Body.Kind).Str("engine", s.car.engine.Name()).
		Str("socket", s.control.Path()).Stringer("period", time.Duration(s.config.Loop.Period)).Msg("started, disarmed")
	failures.add(daemon.Notify(daemon.Ready))
	ended := s.loop.Run(ctx)
	err := s.halt() // the bus owner still runs: it carries the stop
	failures.add(errors.Join(ended, err))
	halted.Store(err == nil)
	restore() // from here on a second interrupt ends the process the hard way
	failures.add(daemon.Notify(daemon.Stopping))
	last := s.lastMind(ended) // while a graphics card can still be asked
	endAround()
	group.Wait()
	s.noteCard() // what changed since the watch looked last
	failures.add(s.endMemory(last))
	failures.add(s.car.close())
	s.recorder.Finish()
	if err == nil {
		s.log.Info().Msg("stopped, motors inert")
	}
	return failures.join()
}

// notAgain leaves out what a driver says at the orderly end when the halt just
// before has failed already: it is the same refusal.
func notAgain(ctx context.Context, halted *atomic.Bool, err error) error {
	if ctx.Err() != nil && !halted.Load() {
		return nil
	}
	return err
}
