package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"fieldbrain/cmd/fieldbrain/monitor"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
)

type topCmd struct {
	socketFlag
	Page    string `help:"Watch this page of a run, dead or alive; found by itself when left out (docs/telemetry.md)." placeholder:"FILE"`
	Once    bool   `help:"Print the state once, with all percentiles, and end."`
	JSON    bool   `help:"With --once: print one JSON object." name:"json"`
	Picture string `help:"With --once: draw instead what a terminal of 80x24 shows, a file that ends in .svg." placeholder:"FILE" complete:"file"`

	Film int `help:"With --picture: a moving picture of so many seconds, as it goes on." default:"0" placeholder:"SECONDS"`

	Beside bool `hidden:"" help:"The view of fieldbrain run, which starts this: the log comes on descriptor 3."`
}

// Run watches a run through its page: on a terminal with the monitor, elsewhere by a
// line a second until the run or the watching ends. It asks the daemon nothing, but
// passes on the orders of the monitor's keys.
func (c topCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Beside {
		return c.beside(e)
	}
	page, err := c.find(e)
	switch {
	case err != nil:
		return fmt.Errorf("top: %w", err)
	case c.Picture != "":
		return c.draw(e, page)
	case c.Once:
		return c.once(e, page)
	}
	if e.terminal && !monitor.Dumb(e.getenv) {
		screen, err := monitor.Terminal()
		if err == nil {
			return c.watch(e, page, screen)
		}
		fmt.Fprintf(e.err, "fieldbrain: %v; a line a second instead\n", err)
	} else {
		fmt.Fprintln(e.err, "fieldbrain: top: the monitor needs a terminal that can move its cursor; a line a second instead")
	}
	return c.follow(e, page)
}

// check refuses flags that do not belong together.
func (c topCmd) check() error {
	switch {
	case (c.JSON || c.Picture != "") && !c.Once:
		return config.Usagef("--json and --picture belong to --once")
	case c.Film != 0 && (c.Picture == "" || c.Film < 1 || c.Film > 60):
		return config.Usagef("--film belongs to --picture: choose 1 .. 60 seconds")
	case c.Picture != "" && filepath.Ext(c.Picture) != ".svg":
		return config.Usagef("--picture: %s: the file's name ends in .svg", c.Picture)
	}
	return writable("--picture", c.Picture)
}

// once prints what a page says now.
func (c topCmd) once(e *env, page string) error {
	status, err := daemon.ReadPage(page)
	switch {
	case err != nil:
		return fmt.Errorf("top: %w", leftElsewhere(e, page, err))
	case c.JSON:
		return printJSON(e, newGlance(&status))
	}
	return statusCmd{}.print(e, &status)
}

// find returns the page to watch.
func (c topCmd) find(e *env) (string, error) {
	if c.Page != "" {
		return c.Page, nil
	}
	sockets := []string{c.Socket}
	if c.Socket == "" {
		sockets = daemon.Sockets(e.getenv, e.uid)
	}
	page, err := daemon.FindPage(sockets)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("no daemon has left a page beside %s: start one with fieldbrain run, or name its --socket or --page", strings.Join(sockets, " or "))
	}
	return page, err
}

// follow prints a line a second until the run has ended or somebody interrupts.
func (c topCmd) follow(e *env, page string) error {
	ctx, restore := untilSignal()
	defer restore()
	for {
		status, err := daemon.ReadPage(page)
		if err != nil {
			return fmt.Errorf("top: %w", leftElsewhere(e, page, err))
		}
		if !status.Page.Alive {
			fmt.Fprintln(e.out, daemon.Printable(status.Page.Line(time.Now())))
			return errSilent
		}
		if _, err := fmt.Fprintln(e.out, daemon.Printable(topLine(&status))); err != nil {
			return err
		}
		if !rest(ctx, time.Second) {
			return nil
		}
	}
}

// rest waits, and reports whether nobody ended the wait.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// topLine is the state in one line.
func topLine(s *daemon.Status) string {
	var b strings.Builder
	armed := "disarmed"
	if s.Armed {
		armed = "ARMED"
	}
	fmt.Fprintf(&b, "%s %s  mode %s  %+.2f m/s  %s  quality %s  ticks %d  overruns %d",
		armed, s.Failsafe, s.Mode, s.Speed, s.Engine, s.Rung, s.Table.Counts.Ticks, s.Table.Counts.Overruns)
	for _, r := range s.Table.Rows {
		if r.Name == loop.Busy.String() || r.Name == loop.Wake.String() {
			fmt.Fprintf(&b, "  %s p99 %s", r.Name, loop.Short(r.P99))
		}
	}
	if s.GPU != nil {
		b.WriteString("  " + s.GPU.Short())
	}
	if len(s.Causes) > 0 {
		fmt.Fprintf(&b, "  (%s)", strings.Join(s.Causes, ", "))
	}
	return b.String()
}

// A glance is a page as other programs want it.
type glance struct {
	Alive    bool              `json:"alive"`
	Last     time.Time         `json:"last_tick"`
	Ticks    uint64            `json:"ticks"`
	Overruns uint64            `json:"overruns"`
	Engine   string            `json:"engine"`
	Rung     string            `json:"rung"`
	Armed    bool              `json:"armed"`
	Failsafe string            `json:"failsafe"` // NORMAL .. LATCHED
	Causes   []string          `json:"causes"`
	Stages   map[string]stage  `json:"stages"`        // those that were measured, by name
	GPU      *daemon.GPUStatus `json:"gpu,omitempty"` // nil without a card
	Missing  []string          `json:"missing,omitempty"`
}

// A stage is one histogram's percentiles in microseconds.
type stage struct {
	P50   float64 `json:"p50_us"`
	P99   float64 `json:"p99_us"`
	P999  float64 `json:"p999_us"`
	Max   float64 `json:"max_us"`
	Count int64   `json:"count"`
}

// newGlance takes what it needs of a status that was read from a page.
func newGlance(s *daemon.Status) glance {
	g := glance{
		Alive: s.Page.Alive, Last: s.Page.Last, Missing: s.Page.Missing,
		Ticks: s.Table.Counts.Ticks, Overruns: s.Table.Counts.Overruns,
		Engine: s.Engine, Rung: s.Rung, Armed: s.Armed, Failsafe: s.Failsafe, Causes: append([]string{}, s.Causes...),
		Stages: map[string]stage{}, GPU: s.GPU,
	}
	us := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
	for _, r := range s.Table.Rows {
		g.Stages[r.Name] = stage{us(r.P50), us(r.P99), us(r.P999), us(r.Max), r.Count}
	}
	return g
}
