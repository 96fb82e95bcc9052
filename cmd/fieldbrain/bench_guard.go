package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/guardbench"
	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

type benchGuardCmd struct {
	Deaths int    `help:"Deaths of each kind." default:"20"`
	Kinds  string `help:"Ways to die, separated by commas: kill, segv, stop, spin, deadlock, freeze, or all." default:"all"`
	Seed   uint64 `help:"Decides the instants." default:"1"`
	Guard  string `help:"The guard's program; fieldbrain-guard beside this one when left out." placeholder:"FILE"`
	JSON   bool   `help:"Print one JSON object." name:"json"`
}

// Run kills daemons until there are enough dead, or the user interrupts.
func (c benchGuardCmd) Run(e *env) error {
	kinds, err := guardbench.ParseKinds(c.Kinds)
	if err != nil {
		return config.UsageError{Err: err}
	}
	kinds, cannot := guardbench.Possible(kinds)
	for _, why := range cannot {
		fmt.Fprintf(e.err, "left out: %v\n", why)
	}
	if len(kinds) == 0 {
		return config.Usagef("--kinds %s: this machine can carry out none of them", c.Kinds)
	}
	if c.Deaths < 1 || c.Deaths > 100_000 {
		return config.Usagef("--deaths %d: choose 1 to 100000", c.Deaths)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bench guard: %w", err)
	}
	if c.Guard == "" {
		c.Guard = filepath.Join(filepath.Dir(program), "fieldbrain-guard")
	}
	if _, err := exec.LookPath(c.Guard); err != nil {
		return config.Usagef("the guard's program: %v; make guard builds bin/fieldbrain-guard, --guard names another", err)
	}
	folder, err := os.MkdirTemp("", "fieldbrain-guard-")
	if err != nil {
		return fmt.Errorf("bench guard: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	meter := newMeter(e.err, isTerminal(os.Stderr))
	defer meter.end()
	list, err := guardbench.Run(ctx, guardbench.Options{
		Program: program, Guard: c.Guard, Folder: folder, Kinds: kinds, Count: c.Deaths, Seed: c.Seed, Told: meter.runs,
	})
	if err != nil {
		err = fmt.Errorf("bench guard: %w (logs stay in %s)", err, folder)
	} else {
		err = os.RemoveAll(folder)
	}
	if len(list) == 0 {
		return err
	}
	report := guardbench.Judge(list)
	if c.JSON {
		return errors.Join(err, printJSON(e, report))
	}
	return errors.Join(err, report.Print(e.out))
}

type guardStandCmd struct {
	Folder string `arg:"" help:"For its sockets h.sock, for the driver, and l.sock, for the guard." placeholder:"FOLDER"`
}

// Run lends out the simulated car of bench guard until it is told to end.
func (c guardStandCmd) Run(e *env) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return guardbench.Lend(ctx, c.Folder, func(t guardbench.Turn) { fmt.Fprintln(e.out, t) })
}

type guardVictimCmd struct {
	Config string `help:"Its configuration." required:""`
	Began  string `help:"File for the instant at which its loop was held up." required:""`
}

// Run runs a daemon whose loop can be held up by a signal.
func (c guardVictimCmd) Run(e *env) error {
	settings, from, err := loadConfig(c.Config)
	if err == nil {
		err = car.Preflight(from, settings, settings.Body.Kind)
	}
	if err != nil {
		return err
	}
	victim, err := guardbench.NewVictim(c.Began)
	if err != nil {
		return err
	}
	log, err := daemon.NewLog(e.err, settings.Log.Level, true, false)
	if err != nil {
		return err
	}
	s, err := openService(service.Options{Settings: settings, Log: log, Sabotage: victim.Sabotage}, nil)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	return errors.Join(s.Serve(service.Session{}), log.Close())
}
