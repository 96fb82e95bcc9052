package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"fieldbrain/cmd/fieldbrain/loadbench"
	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/field"
)

// checkCrowd refuses what makes no sense with --crowd.
func (c benchLatencyCmd) checkCrowd() error {
	switch {
	case c.Crowd < 1 || c.Crowd > 200:
		return config.Usagef("--crowd %d: choose 1 to 200 clients", c.Crowd)
	case c.Hogs < 0 || c.Hogs > 1000:
		return config.Usagef("--hogs %d: choose 0 to 1000", c.Hogs)
	case !(c.Seconds >= 1): // NaN fails
		return config.Usagef("--seconds %v: a crowd needs at least 1", c.Seconds)
	case c.CPU >= 0 || c.Busy > 0:
		return config.Usagef("--cpu and --busy are not for --crowd, which measures the daemon as it is")
	}
	if c.Period < field.MinPeriod || c.Period > field.MaxPeriod {
		return config.Usagef("--period %v: choose %v to %v", c.Period, field.MinPeriod, field.MaxPeriod)
	}
	_, err := service.ParseRemedies(c.Without)
	if err != nil {
		return config.UsageError{Err: err}
	}
	_, err = loadbench.Yardstick()
	return err
}

// crowded measures the whole daemon among others instead of a loop alone.
func (c benchLatencyCmd) crowded(e *env) error {
	if err := c.checkCrowd(); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "fieldbrain-crowd-")
	if err != nil {
		return fmt.Errorf("bench latency: %w", err)
	}
	rows, err := c.crowdRows(e, folder)
	if err != nil {
		return fmt.Errorf("bench latency: %w (logs stay in %s)", err, folder)
	}
	err = os.RemoveAll(folder)
	switch {
	case !c.JSON:
		return errors.Join(err, loadbench.Print(e.out, rows))
	case !c.Remedies:
		return errors.Join(err, printJSON(e, rows[0]))
	}
	return errors.Join(err, printJSON(e, rows))
}

// crowdRows measures once, or once for each step of the remedies.
func (c benchLatencyCmd) crowdRows(e *env, folder string) (rows []loadbench.Row, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	steps := []string{c.Without}
	if c.Remedies {
		steps = service.Steps()
	}
	meter := newMeter(e.err, isTerminal(os.Stderr))
	defer meter.end()
	for i, without := range steps {
		row, err := loadbench.Run(ctx, loadbench.Options{
			Program: program, Folder: filepath.Join(folder, strconv.Itoa(i)), Clients: c.Crowd, Hogs: c.Hogs, Without: without,
			Length: time.Duration(c.Seconds * float64(time.Second)), Period: c.Period, Priority: c.Priority,
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
		meter.runs(i+1, len(steps))
	}
	return rows, nil
}

type crowdVictimCmd struct {
	Config  string `help:"Its configuration." required:""`
	Tape    string `help:"File for the loop's wake-ups." required:""`
	Ticks   int    `help:"Room on it." required:""`
	Without string `help:"Remedies to leave out."`
}

// Run drives the simulated car as fieldbrain run --arm does, and keeps the instants of every tick.
func (c crowdVictimCmd) Run(e *env) error {
	settings, _, err := loadConfig(c.Config)
	if err != nil {
		return err
	}
	without, err := service.ParseRemedies(c.Without)
	if err != nil {
		return config.UsageError{Err: err}
	}
	tape, err := loadbench.NewTape(c.Tape, c.Ticks)
	if err != nil {
		return err
	}
	log, err := daemon.NewLog(e.err, settings.Log.Level, true, false)
	if err != nil {
		return err
	}
	s, err := openService(service.Options{Settings: settings, Log: log, Sampled: tape.Take, Without: without},
		func(s *service.Service) error { return s.Restore(e.getenv) })
	if err != nil {
		return errors.Join(err, log.Close())
	}
	return errors.Join(s.Serve(service.Session{Arm: true}), log.Close())
}

type crowdClientCmd struct {
	Socket string `help:"The daemon's." required:""`
}

// Run asks until it is told to end.
func (c crowdClientCmd) Run(e *env) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	text, err := json.Marshal(loadbench.Ask(ctx, c.Socket))
	if err != nil {
		return err
	}
	_, err = e.out.Write(text)
	return err
}

type crowdHogCmd struct{}

// Run computes until it is killed.
func (crowdHogCmd) Run() error {
	loadbench.Compute()
	return nil
}
