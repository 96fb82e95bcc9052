package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/cmd/fieldbrain/sweepworkers"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// sweepCmd gathers what has to do with sweeps.
type sweepCmd struct {
	Run    sweepRunCmd    `cmd:"" default:"withargs" help:"Drive every job that a file asks for; sweep FILE says the same."`
	Worker sweepWorkerCmd `cmd:"" help:"Drive jobs of the sweeps on a server."`
	Status sweepStatusCmd `cmd:"" help:"List the sweeps of a server: how far they are, who works."`
	Cancel sweepCancelCmd `cmd:"" help:"Make all workers let go of a sweep; what is done stays."`
	Remove sweepRemoveCmd `cmd:"" help:"Remove a sweep from a server, with its results and recordings."`
}

// natsFlags say how to reach a server, as NATS' own programs do.
type natsFlags struct {
	NATS  string `name:"nats" env:"NATS_URL" help:"Address of a NATS server with JetStream; several with commas." placeholder:"URL"`
	Creds string `env:"NATS_CREDS" help:"Credentials of a NATS user, as nsc writes them." placeholder:"FILE"`
	NKey  string `name:"nkey" env:"NATS_NKEY" help:"Seed of a NATS user's key." placeholder:"FILE"`
	CA    string `name:"ca" env:"NATS_CA" help:"Certificates of the authorities that sign the server's." placeholder:"FILE"`
	Cert  string `env:"NATS_CERT" help:"This client's certificate, for servers that ask for one." placeholder:"FILE"`
	Key   string `env:"NATS_KEY" help:"And its key." placeholder:"FILE"`
}

// address returns the flags as package queue takes them.
func (f natsFlags) address() queue.Address {
	return queue.Address{URL: f.NATS, Creds: f.Creds, NKey: f.NKey, CA: f.CA, Cert: f.Cert, Key: f.Key, Name: "fieldbrain sweep"}
}

// args repeats the flags for a worker's process; the address goes by its environment.
func (f natsFlags) args() (list []string) {
	for _, flag := range []struct{ name, value string }{
		{"--creds", f.Creds}, {"--nkey", f.NKey}, {"--ca", f.CA}, {"--cert", f.Cert}, {"--key", f.Key},
	} {
		if flag.value != "" {
			list = append(list, flag.name, flag.value)
		}
	}
	return list
}

type sweepRunCmd struct {
	File         string        `arg:"" help:"The sweep: worlds, seeds, pilots, engines, parameters (docs/sweep.md)." complete:"file" example:"worlds.toml"`
	Out          string        `help:"Folder for results and, without --nats, the server's streams; FILE.sweep when left out." placeholder:"PATH"`
	Workers      int           `help:"Workers on this machine, a process each; -1 takes one per processor, 0 none." default:"-1"`
	Afresh       bool          `help:"Forget the results that there are, and their recordings."`
	Lease        time.Duration `help:"How long a worker may be silent before its job is handed out again." default:"10s"`
	Listen       string        `help:"Without --nats: where the server listens for workers elsewhere." default:"127.0.0.1:0" placeholder:"HOST:PORT"`
	ServerConfig string        `help:"Without --nats: NATS' own configuration file for the server: TLS, users, a cluster." placeholder:"FILE"`
	Replicas     int           `help:"Copies of everything that a cluster keeps." default:"1"`
	JSON         bool          `help:"Print one JSON object." name:"json"`
	natsFlags
}

// Help says what stays where.
func (sweepRunCmd) Help() string {
	return "Results go into the folder FILE.sweep: results.csv, results.jsonl, report.json. An interrupted sweep goes on where it was when the same command is given again."
}

// Run sweeps: 0 when every job has a result and nothing differs, 1 when not.
func (c sweepRunCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	file, base, err := c.read()
	if err != nil {
		return err
	}
	if err := c.engines(file); err != nil {
		return err
	}
	batch, err := file.Batch(func(engine string, settings []sweep.Setting) ([]byte, error) {
		return configure(base, engine, settings)
	})
	if err != nil {
		return asUsage(err)
	}
	if c.Out == "" {
		c.Out = strings.TrimSuffix(c.File, ".toml") + ".sweep"
	}
	if err := c.makeFolder(); err != nil {
		return err
	}
	if err := hasRoom(c.Out, roomBefore(len(batch.Jobs))); err != nil {
		return err
	}
	return c.sweep(e, batch)
}

// makeFolder makes the folder of --out, or says before anything drives why nothing can be
// kept in it.
func (c sweepRunCmd) makeFolder() error {
	err := os.MkdirAll(c.Out, 0o755)
	switch {
	case err == nil:
		return writable("--out", filepath.Join(c.Out, "report.json"))
	case fullDisk(err):
		return fmt.Errorf("--out: %w", err)
	}
	return config.Usagef("--out: %w; name a folder that can be made: --out FOLDER", err)
}

// read reads the sweep and the configuration that it names, and refuses all that is wrong
// with both at once.
func (c sweepRunCmd) read() (*sweep.File, config.Config, error) {
	file, err := sweep.Read(c.File, drive.Known)
	if file == nil {
		return nil, config.Config{}, err
	}
	base, bad := settingsOf(file)
	var ours, theirs config.Complaints
	if !errors.As(err, &ours) || !errors.As(bad, &theirs) {
		return file, base, cmp.Or(err, bad)
	}
	ours = append(ours, theirs...)
	if theirs[0].File == c.File {
		ours = ours.Sorted()
	}
	return file, base, ours
}

// settingsOf returns the configuration that a sweep names.
func settingsOf(file *sweep.File) (config.Config, error) {
	base, _, err := loadConfig(file.Config)
	var inside config.Complaints
	if err != nil && file.Config != "" && !errors.As(err, &inside) {
		err = file.Refuse("config", "name a configuration file, from the folder where the program starts, or leave the key out", errors.New(strings.TrimPrefix(err.Error(), "config: ")))
	}
	return base, err
}

// asUsage makes wrong use of what is no complaint yet.
func asUsage(err error) error {
	var complaints config.Complaints
	if errors.As(err, &complaints) {
		return complaints
	}
	return config.UsageError{Err: err}
}

// check refuses absurd flags.
func (c sweepRunCmd) check() error {
	switch {
	case c.Workers < -1 || c.Workers > 1000:
		return config.Usagef("--workers %d: choose -1 to 1000", c.Workers)
	case c.Lease < queue.LeastLease || c.Lease > time.Hour:
		return config.Usagef("--lease %v: choose %v to 1h", c.Lease, queue.LeastLease)
	case c.Replicas < 1 || c.Replicas > 5:
		return config.Usagef("--replicas %d: choose 1 to 5", c.Replicas)
	case c.Cert == "" != (c.Key == ""):
		return config.Usagef("--cert and --key belong together: %q and %q", c.Cert, c.Key)
	case c.NATS != "" && !c.ours():
		return config.Usagef("--listen and --server-config are for a server of our own: leave out --nats (or the variable NATS_URL)")
	case c.Workers == 0 && c.NATS == "" && c.ours():
		return config.Usagef("--workers 0: nobody could drive; leave it out, or let workers in with --listen HOST:PORT")
	}
	return nil
}

// ours reports whether a server of our own would let in nobody but our own workers.
func (c sweepRunCmd) ours() bool { return c.ServerConfig == "" && c.Listen == "127.0.0.1:0" }

// engines refuses an engine that nobody who can work here has.
func (c sweepRunCmd) engines(f *sweep.File) error {
	for _, name := range f.Engines {
		switch {
		case name == "cuda" && c.Workers != 0:
			if _, err := probeCard(""); err != nil {
				return config.Usagef("%s: engines: cuda: %w", c.File, err)
			}
		case c.NATS == "" && c.Listen == "127.0.0.1:0" && name != "auto" && name != "cuda" && !slices.Contains(cpu.ISAs(), name):
			return config.Usagef("%s: engines: this machine has no %s: there are auto, %s; or let other machines work with --nats or --listen", c.File, name, strings.Join(cpu.ISAs(), ", "))
		}
	}
	return nil
}

// sweep runs the batch with a server and workers, and writes what came of it.
func (c sweepRunCmd) sweep(e *env, batch *sweep.Batch) error {
	ctx, restore := untilSignal()
	defer restore()
	at, err := c.server(e)
	if err != nil {
		return err
	}
	defer at.close()
	conn, js, err := queue.Connect(ctx, at.address)
	if err != nil {
		return c.refused(err)
	}
	defer conn.Close()
	if c.Afresh {
		if err := queue.Remove(ctx, js, batch.ID); err != nil && !errors.Is(err, queue.ErrUnknown) {
			return fmt.Errorf("--afresh: %w", err)
		}
		if err := c.forget(batch); err != nil {
			return fmt.Errorf("--afresh: %w", err)
		}
	}
	tally, err := c.drive(ctx, e, batch, js, at)
	if tally == nil {
		return err
	}
	gone := errors.Is(err, sweepworkers.ErrServer)
	if kept := c.keep(e, js, tally, gone); kept != nil {
		return errors.Join(err, kept)
	}
	switch {
	case gone:
		return fmt.Errorf("%w; %d of %d results are in %s: look at %s and whether this machine has memory left; the same command goes on", err, tally.Done(), tally.Wanted(), c.Out, filepath.Join(c.Out, "nats", "nats.log"))
	case errors.Is(err, queue.ErrLost):
		return fmt.Errorf("%w: %d of %d results are in %s; look at the disk of %s, and drive all of it anew with --afresh", err, tally.Done(), tally.Wanted(), c.Out, c.store())
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted: %d of %d results are in %s; the same command goes on", tally.Done(), tally.Wanted(), c.Out)
	case err != nil:
		return fmt.Errorf("%w (%d of %d results are in %s)", err, tally.Done(), tally.Wanted(), c.Out)
	}
	report := tally.Report()
	return hand(e, report, c.JSON, report.Pass)
}

// store names where the server has its streams.
func (c sweepRunCmd) store() string {
	if c.NATS != "" {
		return "the server of --nats"
	}
	return filepath.Join(c.Out, "nats")
}

// refused names the flag by which the server came that does not let this sweep in.
func (c sweepRunCmd) refused(err error) error {
	switch {
	case c.NATS != "":
		return fmt.Errorf("--nats: %w", err)
	case c.ServerConfig != "":
		return fmt.Errorf("--server-config %s: its server does not take this sweep: %w; give it users with an nkey, credentials or a certificate, and the sweep --nkey, --creds, or --cert and --key; for users with passwords start a NATS server of your own, and name it in the place of --server-config: --nats nats://USER:PASSWORD@HOST", c.ServerConfig, err)
	}
	return fmt.Errorf("the sweep's own server: %w", err)
}

// A post is where a sweep's server is.
type post struct {
	address queue.Address
	failed  <-chan error // of a server of our own; nil: it is another's
	close   func()
}

// again is how many times in a row a server that ends at once is started again.
const again = 5

// server starts a server unless there is one, and returns its address.
func (c sweepRunCmd) server(e *env) (post, error) {
	at := post{address: c.address(), close: func() {}}
	if c.NATS != "" {
		return at, nil
	}
	program, err := natsProgram()
	if err != nil {
		return at, err
	}
	bar := "" // it stands in a line of its own
	if isTerminal(os.Stderr) {
		bar = "\n"
	}
	s, err := sweepworkers.Serve(sweepworkers.Site{
		Program: program, Folder: filepath.Join(c.Out, "nats"), Listen: c.Listen, Config: c.ServerConfig, Again: again,
		Died: func(why error) {
			fmt.Fprintf(e.err, "%sfieldbrain: the server of the sweep has ended (%s); it is started again, and the sweep goes on\n", bar, daemon.Printable(why.Error()))
		},
	})
	if err != nil {
		return at, err
	}
	at.address.URL, at.failed = s.URL(), s.Failed()
	at.close = func() { _ = s.Close() } // everything in it was acknowledged before
	return at, nil
}

// natsProgram finds the server's program: beside this one, or on the PATH.
func natsProgram() (string, error) {
	const name = "fieldbrain-nats"
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(self), name)
	if path, err := exec.LookPath(beside); err == nil {
		return path, nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", config.Usagef("the server's program, %s, is neither beside this one nor on the PATH: make build builds it, or name a NATS server with --nats", name)
	}
	return path, nil
}

// drive lets workers drive while a meter shows how far they are.
func (c sweepRunCmd) drive(ctx context.Context, e *env, batch *sweep.Batch, js queue.Stream, at post) (*sweep.Tally, error) {
	workers, err := c.startWorkers(batch, at.address.URL)
	if err != nil {
		return nil, err
	}
	defer workers.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-workers.Failed():
			cancel(err)
		case err := <-at.failed:
			cancel(err)
		case <-ctx.Done():
		}
	}()
	if c.NATS == "" { // the streams are in the folder
		ticker := time.NewTicker(roomTime)
		defer ticker.Stop()
		go func() {
			cancel(watchRoom(ctx, ticker.C, func() error { return hasRoom(c.Out, roomLeft(len(batch.Jobs))) }))
		}()
	}
	terminal := isTerminal(os.Stderr)
	bar := newMeter(e.err, terminal)
	defer bar.end()
	watch := vigil{to: e.err, bar: terminal, store: c.store()}
	lead := &queue.Lead{Batch: batch, Tally: sweep.NewTally(batch), Lease: c.Lease, Replicas: c.Replicas, Progress: func(p queue.Progress) {
		bar.show(p.Done, p.Wanted, sweeping(p))
		if err := c.stuck(p); err != nil {
			cancel(err)
			return
		}
		watch.see(p)
	}}
	err = lead.Run(ctx, js)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return lead.Tally, err
}

// sweeping is what the meter says.
func sweeping(p queue.Progress) string {
	if p.Away > time.Second {
		return fmt.Sprintf("%d of %d drives, no server for %.0f s", p.Done, p.Wanted, p.Away.Seconds())
	}
	machines := map[string]bool{}
	for _, h := range p.Workers {
		machines[h.Machine] = true
	}
	return fmt.Sprintf("%d of %d drives, %d workers on %d machines", p.Done, p.Wanted, len(p.Workers), len(machines))
}

// startWorkers starts the workers of this machine.
func (c sweepRunCmd) startWorkers(batch *sweep.Batch, url string) (*sweepworkers.Workers, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	n := c.Workers
	if n < 0 {
		n = runtime.NumCPU()
	}
	args := append(sweepworkers.WorkerArgs(batch.ID), c.args()...)
	if slices.ContainsFunc(batch.Jobs, func(j sweep.Job) bool { return j.Engine == "cuda" }) {
		args = append(args, "--cuda")
	}
	return sweepworkers.Start(sweepworkers.Options{Program: program, Args: args, Env: []string{"NATS_URL=" + url}, Count: n}), nil
}
