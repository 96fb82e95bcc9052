package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

type sweepWorkerCmd struct {
	Sweep  string `arg:"" optional:"" help:"Work for this sweep only, until it ends; for every sweep of the server, until a signal, when left out."`
	AtOnce int    `help:"Drives at once; 0 takes one per processor." default:"0"`
	Cuda   bool   `help:"Also take drives for the graphics card (fieldbrain-gpu must be installed)."`
	Name   string `help:"What results call this machine; its host name when left out." placeholder:"TEXT"`
	Leash  bool   `hidden:"" help:"End with standard input."`
	natsFlags
}

// Help says where to find the address.
func (sweepWorkerCmd) Help() string {
	return "The address of a sweep's own server, with its token, is in FILE.sweep/nats/url; it must listen to other machines (sweep --listen). A worker that loses its server waits for it."
}

// Run works until a signal, or until its sweep ends.
func (c sweepWorkerCmd) Run(e *env) error {
	if c.NATS == "" {
		return config.Usagef("--nats: name the server, or set NATS_URL")
	}
	if c.AtOnce < 0 || c.AtOnce > 1000 {
		return config.Usagef("--at-once %d: choose 0 to 1000", c.AtOnce)
	}
	if c.AtOnce == 0 {
		c.AtOnce = runtime.NumCPU()
	}
	heart, err := c.heart()
	if err != nil {
		return err
	}
	ctx, restore := untilSignal()
	defer restore()
	if c.Leash {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		defer end()
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // it ends with whoever holds the other end
			end()
		}()
	}
	conn, js, err := queue.Connect(ctx, c.address())
	if err != nil {
		return fmt.Errorf("--nats: %w", err)
	}
	defer conn.Close()
	r := newRider()
	defer r.spools.close()
	w := &queue.Worker{
		Heart: heart, Only: c.Sweep, AtOnce: c.AtOnce, Drive: r.drive, Ends: c.Sweep != "" && !c.Leash,
		Failing: func(err error) { fmt.Fprintf(e.err, "fieldbrain: %s\n", daemon.Printable(err.Error())) },
	}
	return w.Run(ctx, js)
}

// heart says who works.
func (c sweepWorkerCmd) heart() (queue.Heart, error) {
	machine := c.Name
	if machine == "" {
		var err error
		if machine, err = os.Hostname(); err != nil {
			return queue.Heart{}, fmt.Errorf("%w: give the machine a name with --name", err)
		}
	}
	version, err := exactVersion()
	if err != nil {
		return queue.Heart{}, err
	}
	engines := append([]string{"auto"}, cpu.ISAs()...)
	if c.Cuda {
		if _, err := probeCard(""); err != nil {
			return queue.Heart{}, config.Usagef("--cuda: %w", err)
		}
		engines = append(engines, "cuda")
	}
	return queue.Heart{
		Worker:  queue.Token(fmt.Sprintf("%s-%d-%x", machine, os.Getpid(), time.Now().UnixNano())),
		Machine: machine, Platform: runtime.GOOS + "/" + runtime.GOARCH, Version: version, Engines: engines,
	}, nil
}

// exactVersion names this program, to the byte.
func exactVersion() (string, error) {
	sum, err := ownSum()
	if err != nil {
		return "", err
	}
	b := thisBuild()
	return fmt.Sprintf("%s (%s) %x", b.Version, b.Revision, sum.Sum(nil)[:6]), nil
}

// remote connects to the server that the flags name.
func (f natsFlags) remote(ask func(ctx context.Context, js queue.Stream) error) error {
	if f.NATS == "" {
		return config.Usagef("--nats: name the server, or set NATS_URL; that of a running sweep is in FILE.sweep/nats/url")
	}
	ctx, restore := untilSignal()
	defer restore()
	conn, js, err := queue.Connect(ctx, f.address())
	if err != nil {
		return fmt.Errorf("--nats: %w", err)
	}
	defer conn.Close()
	if err := ask(ctx, js); errors.Is(err, queue.ErrUnknown) {
		return config.UsageError{Err: err}
	} else if err != nil {
		return err
	}
	return nil
}

type sweepStatusCmd struct {
	JSON bool `help:"Print one JSON list." name:"json"`
	natsFlags
}

// Run lists sweeps.
func (c sweepStatusCmd) Run(e *env) error {
	return c.remote(func(ctx context.Context, js queue.Stream) error {
		list, err := queue.Overview(ctx, js)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(e, list)
		}
		for _, o := range list {
			fmt.Fprintf(e.out, "%s  %s  %d of %d results, %d jobs wait or are driven  %s\n", o.ID, o.State.State, o.Results, o.Wanted, o.Waiting, daemon.Printable(o.Title))
			for _, h := range o.Workers {
				fmt.Fprintf(e.out, "  %s (%s): %d done, %d under way, %s\n", daemon.Printable(h.Machine), h.Platform, h.Done, h.Busy, h.Version)
				if h.Stuck != "" {
					fmt.Fprintf(e.out, "    the server answers and does not store: %s\n", daemon.Printable(h.Stuck))
				}
			}
		}
		return nil
	})
}

type sweepCancelCmd struct {
	Sweep string `arg:"" help:"The sweep, as sweep status calls it." example:"worlds"`
	natsFlags
}

// Run cancels.
func (c sweepCancelCmd) Run() error {
	return c.remote(func(ctx context.Context, js queue.Stream) error { return queue.Cancel(ctx, js, c.Sweep) })
}

type sweepRemoveCmd struct {
	Sweep string `arg:"" help:"The sweep, as sweep status calls it." example:"worlds"`
	natsFlags
}

// Run removes.
func (c sweepRemoveCmd) Run() error {
	return c.remote(func(ctx context.Context, js queue.Stream) error { return queue.Remove(ctx, js, c.Sweep) })
}

// configure makes the text of a configuration for drives: the parts of a base that a
// drive in virtual time depends on, with settings put into it.
func configure(base config.Config, engine string, settings []sweep.Setting) ([]byte, error) {
	base = moving(base)
	base.Engine.Kind = engine
	text, err := base.Encode()
	if err == nil {
		text, err = sweep.Override(text, settings)
	}
	if err != nil {
		return nil, err
	}
	c, err := config.Parse("", text) // complaints are about a sweep's values, not about a file
	if err != nil {
		return nil, err
	}
	return moving(c).Encode()
}

// moving returns the defaults with those settings that a job may bring: none of them
// names a program, a file or a device.
func moving(c config.Config) config.Config {
	out := config.Default()
	out.Brain, out.Law, out.Loop.Period = c.Brain, c.Law, c.Loop.Period
	out.Engine.Kind, out.Engine.Threads, out.Engine.Step = c.Engine.Kind, c.Engine.Threads, c.Engine.Step
	out.Engine.Planes, out.Engine.Quality = c.Engine.Planes, c.Engine.Quality
	return out
}
