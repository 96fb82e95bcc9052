package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"fieldbrain/cmd/fieldbrain/loadbench"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
)

type benchObserversCmd struct {
	Monitors int     `help:"Terminals with fieldbrain top." default:"50"`
	Scrapes  int     `help:"Scrapes of fieldbrain serve's metrics, a second." default:"20"`
	Pages    int     `help:"Open pages of fieldbrain serve." default:"20"`
	Seconds  float64 `help:"How long to measure; half of it with the observers, in turns of 5 s." default:"120"`
	JSON     bool    `help:"Print one JSON object." name:"json"`
}

// Run measures what the loop's ticks take while others watch, beside what they take
// alone. It fails unless the claim holds.
func (c benchObserversCmd) Run(e *env) error {
	for _, n := range []struct {
		flag        string
		value, most int
	}{{"monitors", c.Monitors, 200}, {"scrapes", c.Scrapes, 1000}, {"pages", c.Pages, 60}} {
		if n.value < 0 || n.value > n.most {
			return config.Usagef("--%s %d: choose 0 to %d", n.flag, n.value, n.most)
		}
	}
	switch {
	case c.Monitors+c.Scrapes+c.Pages == 0:
		return config.Usagef("nobody watches: give --monitors, --scrapes or --pages")
	case !(c.Seconds >= 20 && c.Seconds <= 24*3600): // NaN fails
		return config.Usagef("--seconds %v: choose 20 to 86400", c.Seconds)
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "fieldbrain-observers-")
	if err != nil {
		return fmt.Errorf("bench observers: %w", err)
	}
	ctx, stop := untilSignal()
	defer stop()
	meter := newMeter(e.err, isTerminal(os.Stderr))
	o := loop.Default()
	w, err := loadbench.Watch(ctx, loadbench.Options{
		Program: program, Folder: folder, Period: o.Period, Priority: o.Priority,
		Length: time.Duration(c.Seconds * float64(time.Second)),
	}, loadbench.Audience{Monitors: c.Monitors, Scrapes: c.Scrapes, Pages: c.Pages}, meter.rounds)
	meter.end()
	if err != nil {
		return fmt.Errorf("bench observers: %w (logs stay in %s)", err, folder)
	}
	return errors.Join(os.RemoveAll(folder), hand(e, w, c.JSON, w.Kept))
}

type crowdBrowserCmd struct {
	URL     string `help:"Of fieldbrain serve." required:"" name:"url"`
	Scrapes int    `help:"A second."`
	Pages   int    `help:"Kept open."`
}

// Run watches until it is told to end.
func (c crowdBrowserCmd) Run(e *env) error {
	ctx, stop := untilSignal()
	defer stop()
	return json.NewEncoder(e.out).Encode(loadbench.Browse(ctx, c.URL, c.Scrapes, c.Pages))
}
