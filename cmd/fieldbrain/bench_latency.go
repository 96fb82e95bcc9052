package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/verdict"
)

type benchLatencyCmd struct {
	Seconds  float64       `help:"How long to measure; 20 are enough to judge 99.9 % at the default period." default:"20"`
	Period   time.Duration `help:"Period of the loop." default:"5ms"`
	Priority int           `help:"SCHED_FIFO priority, 0 for the ordinary class." default:"50"`
	CPU      int           `help:"Processor to stay on, -1 for any." default:"-1" name:"cpu"`
	Busy     time.Duration `help:"Work of each tick, to see the overruns it causes." default:"0s"`
	Crowd    int           `help:"Measure instead the whole daemon beside cyclictest: the simulated car with library, planner and a save each second, so many clients that ask for the status as fast as it is answered, and --hogs." default:"0" placeholder:"N"`
	Hogs     int           `help:"Processes that compute beside --crowd." default:"4"`
	Without  string        `help:"Remedies that the daemon leaves out with --crowd, separated by commas; see docs/decisions/0026." placeholder:"LIST"`
	Remedies bool          `help:"Run --crowd once without any remedy and once more for each that is added."`
	Loads    string        `help:"Measure instead the daemon beside cyclictest under loads that take turns: all, or some of none, cpu, memory, disk and network, separated by commas. --seconds is for each load; 20 judge the ratio to cyclictest's p99." placeholder:"LIST"`
	Budget   string        `help:"Compare --loads with the figures kept in this file; fails where a release takes more than the file allows." placeholder:"FILE" complete:"file"`
	Keep     string        `help:"Write the figures of --loads to this file, a budget for later releases." placeholder:"FILE" complete:"file"`
	Response bool          `help:"Measure instead how long the car takes from sensor to motor, on the simulated HAT at 100 and 400 kHz, beside the bus's floor; --seconds, --period and --busy are then virtual time, and --busy 0s means 200us."`
	Scenario string        `help:"Where --response drives." default:"room-p0" placeholder:"NAME" complete:"scenario,file"`
	Seed     int64         `help:"Of that drive." default:"7"`
	JSON     bool          `help:"Print one JSON object." name:"json"`
}

// latency is the result of the bench.
type latency struct {
	Seconds    float64          `json:"seconds"`
	Period     time.Duration    `json:"period_ns"`
	Conditions []loop.Condition `json:"conditions"` // what the kernel refused
	Wake       loop.Row         `json:"wake_up"`    // lateness of every release, missed ones too
	Counts     loop.Counts      `json:"counts"`
	Edges      []time.Duration  `json:"edges_ns"` // brackets of Spread
	Spread     []int64          `json:"spread"`   // wake-ups per bracket, the last above every edge
	Band       string           `json:"band"`     // LinuxCNC's word for the maximum
	Verdict    string           `json:"verdict"`  // what it means for this period

	Claims []verdict.Judgement `json:"claims"` // punctual, acceptable; their rounds are releases
}

// edges are LinuxCNC's bands with finer steps between them.
var edges = []time.Duration{
	10 * time.Microsecond, 20 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond,
	200 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond,
	5 * time.Millisecond, 10 * time.Millisecond,
}

// Run measures until the time is over or the user interrupts.
func (c benchLatencyCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Response {
		return c.respond(e)
	}
	if c.Crowd != 0 || c.Remedies {
		return c.crowded(e)
	}
	if c.Loads != "" || c.Budget != "" || c.Keep != "" {
		return c.loaded(e)
	}
	p := loop.Default()
	p.Period, p.Priority, p.CPU = c.Period, c.Priority, c.CPU
	r, err := c.measure(p)
	if err != nil {
		return config.UsageError{Err: err}
	}
	if c.JSON {
		return printJSON(e, r)
	}
	return r.print(e.out)
}

// check refuses numbers that mean nothing, and files that cannot be written or would be
// over another.
func (c benchLatencyCmd) check() error {
	switch { // written so that NaN fails
	case !(c.Seconds >= 0.01 && c.Seconds <= 7*24*3600):
		return config.Usagef("--seconds %v: choose 0.01 to a week", c.Seconds)
	case c.Priority < 0 || c.Priority > 98:
		return config.Usagef("--priority %d: choose 0 to 98", c.Priority)
	case c.CPU < -1 || c.CPU > 1023:
		return config.Usagef("--cpu %d: choose -1 to 1023", c.CPU)
	case c.Busy < 0 || c.Busy > time.Minute:
		return config.Usagef("--busy %v: choose 0s to 1m", c.Busy)
	case c.Seed < 0:
		return config.Usagef("--seed %d: choose 0 or more", c.Seed)
	}
	return errors.Join(writable("--keep", c.Keep), apart([]flagFile{{"--keep", c.Keep}}, flagFile{"--budget", c.Budget}))
}

func (c benchLatencyCmd) measure(p loop.Params) (latency, error) {
	clock := robot.NewMonotonic()
	recorder := loop.NewRecorder()
	conditions := loop.NewConditions(time.Now, nil)
	var none brain.Trace
	paced, err := loop.New(clock, p, loop.Hooks{
		Tick: func(now time.Duration) {
			for clock.Now() < now+c.Busy { // a busy tick computes, it does not sleep
			}
		},
		After:   func(s loop.Sample) { recorder.Record(&none, s) },
		Refused: conditions.Set,
	})
	if err != nil {
		return latency{}, err
	}
	ctx, stop := untilSignal()
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.Seconds*float64(time.Second)))
	defer cancel()
	if err := paced.Run(ctx); err != nil {
		return latency{}, err
	}
	recorder.Finish()
	table := recorder.Table(paced.Counts())
	wake := table.Rows[loop.Wake]
	claims, err := judge(recorder.Spread(loop.Wake, []time.Duration{p.Period / 10, p.Period / 2}))
	if err != nil {
		return latency{}, err
	}
	return latency{
		Seconds: c.Seconds, Period: p.Period, Conditions: conditions.List(), Wake: wake, Counts: table.Counts,
		Edges: edges, Spread: recorder.Spread(loop.Wake, edges),
		Band: band(wake.Max), Verdict: meaning(table, p.Period, claims), Claims: claims,
	}, nil
}

// judge makes the claims about 99.9 % of the releases: within a tenth of the
// period, which is punctual, and within half of it, which will do. counts are the
// releases up to a tenth, up to half, and later. None makes no claim.
func judge(counts []int64) ([]verdict.Judgement, error) {
	const allowed = 0.001
	all := int(counts[0] + counts[1] + counts[2])
	if all == 0 {
		return nil, nil
	}
	tenth, err := verdict.Share("later than a tenth of the period, over one in a thousand", all-int(counts[0]), all, allowed)
	if err != nil {
		return nil, err
	}
	half, err := verdict.Share("later than half the period, over one in a thousand", int(counts[2]), all, allowed)
	return []verdict.Judgement{tenth, half}, err
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

// meaning explains the figures for a car with this period: a servo waits
// up to 20 ms for its next pulse anyway, so a tenth of the period is punctual.
func meaning(t loop.Table, period time.Duration, claims []verdict.Judgement) string {
	wake, c := t.Rows[loop.Wake], t.Counts
	switch {
	case len(claims) == 0:
		return "too short: no tick after the warm-up"
	case c.Overruns > 0 && t.Rows[loop.Busy].P50 < period:
		return fmt.Sprintf("%d periods missed: the machine stood still for up to %s", c.Skipped, loop.Short(wake.Max))
	case c.Overruns > 0:
		return fmt.Sprintf("%d periods missed: the work does not fit into the period", c.Skipped)
	}
	tenth, half := claims[0], claims[1]
	switch {
	case tenth.Verdict == verdict.Held:
		return "punctual: 99.9 % within a tenth of the period"
	case half.Verdict == verdict.Missed:
		return "late: more than 0.1 % later than half the period"
	case half.Verdict == verdict.Void:
		return "not decided" + longer(half.More, period)
	case tenth.Verdict == verdict.Void:
		return "acceptable: 99.9 % within half the period; whether punctual is not decided" + longer(tenth.More, period)
	}
	return "acceptable: 99.9 % within half the period"
}

// longer says how much longer to measure.
func longer(releases int, period time.Duration) string {
	if releases == verdict.Never {
		return ", however long one measures"
	}
	return fmt.Sprintf(": measure about %v longer", (time.Duration(releases) * period).Round(time.Second))
}

func (r latency) print(w io.Writer) error {
	fmt.Fprintf(w, "wake-up lateness, period %v, %d releases\n", r.Period, r.Wake.Count)
	loop.PrintConditions(w, r.Conditions)
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
	fmt.Fprintf(w, "p50 %s  p90 %s  p99 %s  p99.9 %s  max %s\n", loop.Short(r.Wake.P50), loop.Short(r.Wake.P90),
		loop.Short(r.Wake.P99), loop.Short(r.Wake.P999), loop.Short(r.Wake.Max))
	fmt.Fprintf(w, "overruns %d, periods skipped %d\n", r.Counts.Overruns, r.Counts.Skipped)
	fmt.Fprintf(w, "LinuxCNC's band for this maximum: %s\n", r.Band)
	if err := verdict.Print(w, r.Claims); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "verdict: %s\n", r.Verdict)
	return err
}
