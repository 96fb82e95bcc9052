package loadbench

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/verdict"
)

// GoalP99 is what the loop's p99 may take beside any load, in times of cyclictest's.
const GoalP99 = 1.5

// chunk is how many wake-ups make a round: its p99 is the fifth from the end.
const chunk = 500

// A LoadRow is what one load did to the daemon and to cyclictest, over all turns.
type LoadRow struct {
	Load       string   `json:"load"`
	Seconds    float64  `json:"seconds"`
	Loop       Lateness `json:"loop"`       // of the wake-up
	Cyclictest Lateness `json:"cyclictest"` // in the same seconds
	Tick       Lateness `json:"tick"`       // from a release to the command of its tick
	Response   Lateness `json:"response"`   // from data ready to command written, on the simulated bus
	P99Ratio   float64  `json:"p99_ratio"`  // loop over cyclictest
	P999Ratio  float64  `json:"p999_ratio"`
	Skipped    int      `json:"skipped"` // periods without a tick
	Disarms    int      `json:"disarms"`
	Band       string   `json:"band"`            // of the loop's maximum
	YardBand   string   `json:"cyclictest_band"` // of cyclictest's

	Claims []verdict.Judgement `json:"claims"` // by rounds of 500 wake-ups
	Figures
}

// Figures are the medians over rounds, which a budget keeps.
type Figures struct {
	WakeP99     float64 `json:"wake_p99_us" toml:"wake_p99_us"`
	RatioP99    float64 `json:"wake_p99_ratio" toml:"wake_p99_ratio"`
	TickP99     float64 `json:"tick_p99_us" toml:"tick_p99_us"`
	ResponseP99 float64 `json:"response_p99_us" toml:"response_p99_us"`

	rounds rounds
}

// rounds are the p99 of each round, us.
type rounds struct{ wake, yard, tick, response []float64 }

// A segment is one turn of a load.
type segment struct {
	from, to       time.Duration
	yard           yard
	tick, response []time.Duration
}

// Course measures the daemon beside cyclictest under loads that take turns within one
// run: so many rounds, in each of which every load lasts o.Length. o.Hogs and
// o.Clients do not count. tell hears how many turns are done.
func Course(ctx context.Context, o Options, loads []string, turns int, tell func(done, of int)) ([]LoadRow, error) {
	path, err := Yardstick()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("loadbench: %w", err)
	}
	whole := o
	whole.Length = time.Duration(turns*len(loads)) * (o.Length + 2*warmUp)
	s := &scene{o: whole}
	defer s.end()
	if err := s.drive(ctx); err != nil {
		return nil, err
	}
	segments := map[string][]segment{}
	for turn := range turns {
		for i := range loads {
			load := loads[(i+turn)%len(loads)] // none always follows the same one
			one, err := s.turn(ctx, path, o, load)
			if err != nil {
				return nil, err
			}
			segments[load] = append(segments[load], one)
			tell(turn*len(loads)+i+1, turns*len(loads))
		}
	}
	if err := s.stop(); err != nil {
		return nil, err
	}
	wakes, err := ReadTape(s.path("tape"))
	if err != nil {
		return nil, err
	}
	var rows []LoadRow
	for _, load := range loads {
		row, err := newLoadRow(load, o.Period, wakes, segments[load])
		if err != nil {
			return nil, fmt.Errorf("loadbench: load %s: %w", load, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// turn measures under one load.
func (s *scene) turn(ctx context.Context, path string, o Options, load string) (one segment, err error) {
	defer func() {
		kill(s.hogs)
		s.hogs = nil
	}()
	for i := range Processes(load) {
		p, err := s.start(load+strconv.Itoa(i), "crowd-load", load, "--folder", s.o.Folder)
		if err != nil {
			return one, err
		}
		s.hogs = append(s.hogs, p)
	}
	select {
	case <-ctx.Done():
		return one, ctx.Err()
	case <-time.After(warmUp / 2):
	}
	clock := robot.NewMonotonic()
	one.from = clock.Now()
	if one.yard, err = cyclictest(ctx, path, o, s.path("tape")); err != nil {
		return one, err
	}
	one.to = clock.Now()
	if err := alive(s.hogs); err != nil {
		return one, fmt.Errorf("loadbench: load %s: %w, see the logs", load, err)
	}
	one.tick, one.response, err = lengths(filepath.Join(s.o.Folder, "c.sock"), one.from, one.to)
	return one, err
}

// alive says that a process has ended that should run, though nobody has waited for it
// yet: a signal would still reach what is left of it.
func alive(list []*exec.Cmd) error {
	for _, cmd := range list {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if err != nil || info.Signo != 0 {
			return fmt.Errorf("a process has ended: %.200q", cmd.Args)
		}
	}
	return nil
}

// lengths reads from the flight ring how long the loop took between two instants.
func lengths(socket string, from, to time.Duration) (tick, response []time.Duration, err error) {
	ring, err := telemetry.OpenRing(telemetry.RingPath(socket))
	if err != nil {
		return nil, nil, err
	}
	defer ring.Close()
	flight, err := ring.Flight(0)
	if err != nil {
		return nil, nil, err
	}
	for t := range flight.Ticks() {
		at := time.Duration(t.Release)
		if at < from || at >= to || !t.Is(telemetry.TickWarm) {
			continue
		}
		tick = append(tick, time.Duration(t.End-t.Release))
		if d, measured := t.Length(telemetry.Response); measured {
			response = append(response, d)
		}
	}
	return tick, response, flight.Err()
}

// newLoadRow puts the turns of a load together.
func newLoadRow(load string, period time.Duration, wakes []Wake, turns []segment) (r LoadRow, err error) {
	r.Load = load
	var late, yard, tick, response []time.Duration
	for _, one := range turns {
		some := between(wakes, one.from, one.to)
		own, skipped := lateness(some, period)
		r.Skipped += skipped
		r.Disarms += disarms(some)
		r.Seconds += (one.to - one.from).Seconds()
		late, yard = append(late, own...), append(yard, one.yard.beside(some)...)
		tick, response = append(tick, one.tick...), append(response, one.response...)
	}
	if len(late) == 0 || len(yard) == 0 || len(tick) == 0 || len(response) == 0 {
		return r, fmt.Errorf("%d wake-ups of the loop, %d of cyclictest, %d ticks, %d responses", len(late), len(yard), len(tick), len(response))
	}
	r.Loop, r.Cyclictest, r.Tick, r.Response = latenessOf(late), latenessOf(yard), latenessOf(tick), latenessOf(response)
	r.P99Ratio, r.P999Ratio = r.Loop.P99/r.Cyclictest.P99, r.Loop.P999/r.Cyclictest.P999
	n := max(1, min(len(late), len(yard))/chunk)
	r.rounds = rounds{p99s(late, n), p99s(yard, n), p99s(tick, n), p99s(response, max(1, min(n, len(response)/100)))}
	r.WakeP99, r.RatioP99 = verdict.Median(r.rounds.wake), verdict.Median(r.rounds.ratios())
	r.TickP99, r.ResponseP99 = verdict.Median(r.rounds.tick), verdict.Median(r.rounds.response)
	interval, err := verdict.Pairs(r.rounds.wake, r.rounds.yard)
	if err != nil {
		return r, err
	}
	claim := verdict.Claim{Name: load + ": wake-up p99 of a round over cyclictest's", Direction: verdict.AtMost, Limit: GoalP99}
	r.Claims = []verdict.Judgement{claim.Judge(interval)}
	return r, nil
}

// p99s returns the p99 of each of n parts of equal length, in their order, us.
func p99s(all []time.Duration, n int) (list []float64) {
	for i := range n {
		list = append(list, latenessOf(all[len(all)*i/n:len(all)*(i+1)/n]).P99)
	}
	return list
}

// PrintLoads writes the table of loads as docs have it, and the claims.
func PrintLoads(w io.Writer, rows []LoadRow) error {
	fmt.Fprintln(w, "| load | of | p50 us | p99 us | p99.9 us | max us | p99 / cyclictest's | p99.9 / cyclictest's | skipped | disarms | band |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|")
	line := func(load, of string, l Lateness) {
		fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %.0f | %.0f |", load, of, l.P50, l.P99, l.P999, l.Max)
	}
	for _, r := range rows {
		line(r.Load, "wake-up of the loop", r.Loop)
		fmt.Fprintf(w, " %.2f | %.2f | %d | %d | %s |\n", r.P99Ratio, r.P999Ratio, r.Skipped, r.Disarms, r.Band)
		line("", "cyclictest", r.Cyclictest)
		fmt.Fprintf(w, " | | | | %s |\n", r.YardBand)
		line("", "release to command", r.Tick)
		fmt.Fprintln(w, " | | | | |")
		line("", "sensor to motor", r.Response)
		fmt.Fprintln(w, " | | | | |")
	}
	for _, r := range rows {
		if err := verdict.Print(w, r.Claims); err != nil {
			return err
		}
	}
	return nil
}
