package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/robot"
)

type benchCmd struct {
	Behave  benchBehaveCmd  `cmd:"" help:"Drive and show every behaviour of the specification, beside drivers without a field."`
	Field   benchFieldCmd   `cmd:"" help:"Time the field's engines against their computed floor."`
	GPU     benchGPUCmd     `cmd:"" name:"gpu" help:"Time the graphics card: every stage, every choice, and from sensors to motors."`
	Ladder  benchLadderCmd  `cmd:"" help:"Measure every rung of the quality ladder: time saved, quality lost."`
	Plan    benchPlanCmd    `cmd:"" help:"Time the planner: rays, insertion, propagation, a whole plan, and OctoMap where it is installed."`
	Latency benchLatencyCmd `cmd:"" help:"Measure how late the loop wakes up, with a verdict."`
}

type benchLatencyCmd struct {
	Seconds  float64       `help:"How long to measure." default:"10"`
	Period   time.Duration `help:"Period of the loop." default:"5ms"`
	Priority int           `help:"SCHED_FIFO priority, 0 for the ordinary class." default:"50"`
	CPU      int           `help:"Processor to stay on, -1 for any." default:"-1" name:"cpu"`
	Busy     time.Duration `help:"Work of each tick, to see the overruns it causes." default:"0s"`
	JSON     bool          `help:"Print one JSON object." name:"json"`
}

// latency is the result of the bench.
type latency struct {
	Seconds    float64            `json:"seconds"`
	Period     time.Duration      `json:"period_ns"`
	Conditions []daemon.Condition `json:"conditions"` // what the kernel refused
	Wake       daemon.Row         `json:"wake_up"`    // lateness of every release, missed ones too
	Counts     daemon.Counts      `json:"counts"`
	Edges      []time.Duration    `json:"edges_ns"` // brackets of Spread
	Spread     []int64            `json:"spread"`   // wake-ups per bracket, the last above every edge
	Band       string             `json:"band"`     // LinuxCNC's word for the maximum
	Verdict    string             `json:"verdict"`  // what it means for this period
}

// edges are LinuxCNC's bands with finer steps between them.
var edges = []time.Duration{
	10 * time.Microsecond, 20 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond,
	200 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond,
	5 * time.Millisecond, 10 * time.Millisecond,
}

// Run measures until the time is over or the user interrupts.
func (c benchLatencyCmd) Run(e *env) error {
	if !(c.Seconds > 0 && c.Seconds <= 7*24*3600) {
		return usageError{fmt.Errorf("--seconds %v: choose more than 0, at most a week", c.Seconds)}
	}
	p := daemon.DefaultLoop()
	p.Period, p.Priority, p.CPU = c.Period, c.Priority, c.CPU
	r, err := c.measure(p)
	if err != nil {
		return usageError{err}
	}
	if c.JSON {
		return printJSON(e, r)
	}
	return r.print(e.out)
}

func (c benchLatencyCmd) measure(p daemon.LoopParams) (latency, error) {
	clock := robot.NewMonotonic()
	recorder := daemon.NewRecorder()
	conditions := daemon.NewConditions(time.Now, nil)
	var none brain.Trace
	loop, err := daemon.NewLoop(clock, p, daemon.Hooks{
		Tick: func(now time.Duration) {
			for clock.Now() < now+c.Busy { // a busy tick computes, it does not sleep
			}
		},
		After:   func(s daemon.Sample) { recorder.Record(&none, s) },
		Refused: conditions.Set,
	})
	if err != nil {
		return latency{}, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.Seconds*float64(time.Second)))
	defer cancel()
	if err := loop.Run(ctx); err != nil {
		return latency{}, err
	}
	recorder.Finish()
	table := recorder.Table(loop.Counts())
	wake := table.Rows[daemon.Wake]
	return latency{
		Seconds: c.Seconds, Period: p.Period, Conditions: conditions.List(), Wake: wake, Counts: table.Counts,
		Edges: edges, Spread: recorder.Spread(daemon.Wake, edges),
		Band: band(wake.Max), Verdict: verdict(table, p.Period),
	}, nil
}

// band is LinuxCNC's judgement of a computer by its largest latency
// (docs/src/install/latency-test.adoc).
func band(largest time.Duration) string {
	switch {
	case largest < 20*time.Microsecond:
		return "very good"
	case largest < 50*time.Microsecond:
		return "good"
	case largest <= 500*time.Microsecond:
		return "usable with hardware help"
	}
	return "unusable for software step generation"
}

// verdict says what the figures mean for a car with this period: a servo waits
// up to 20 ms for its next pulse anyway, so a tenth of the period is punctual.
func verdict(t daemon.Table, period time.Duration) string {
	wake, c := t.Rows[daemon.Wake], t.Counts
	switch {
	case wake.Count == 0:
		return "too short: no tick after the warm-up"
	case c.Overruns > 0 && t.Rows[daemon.Busy].P50 < period:
		return fmt.Sprintf("%d periods missed: the machine stood still for up to %s", c.Skipped, daemon.Short(wake.Max))
	case c.Overruns > 0:
		return fmt.Sprintf("%d periods missed: the work does not fit into the period", c.Skipped)
	case wake.P999 <= period/10:
		return "punctual: 99.9 % within a tenth of the period"
	case wake.P999 <= period/2:
		return "acceptable: 99.9 % within half the period"
	}
	return "late: more than 0.1 % later than half the period"
}

func (r latency) print(w io.Writer) error {
	fmt.Fprintf(w, "wake-up lateness, period %v, %d releases\n", r.Period, r.Wake.Count)
	daemon.PrintConditions(w, r.Conditions)
	most := int64(1)
	for _, n := range r.Spread {
		most = max(most, n)
	}
	for i, n := range r.Spread {
		label := "more"
		if i < len(r.Edges) {
			label = "<= " + r.Edges[i].String()
		}
		fmt.Fprintf(w, "%8s %9d %s\n", label, n, strings.Repeat("#", int(n*50/most)))
	}
	fmt.Fprintf(w, "p50 %s  p90 %s  p99 %s  p99.9 %s  max %s\n", daemon.Short(r.Wake.P50), daemon.Short(r.Wake.P90),
		daemon.Short(r.Wake.P99), daemon.Short(r.Wake.P999), daemon.Short(r.Wake.Max))
	fmt.Fprintf(w, "overruns %d, periods skipped %d\n", r.Counts.Overruns, r.Counts.Skipped)
	fmt.Fprintf(w, "LinuxCNC's band for this maximum: %s\n", r.Band)
	_, err := fmt.Fprintf(w, "verdict: %s\n", r.Verdict)
	return err
}
