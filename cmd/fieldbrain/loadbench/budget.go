package loadbench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/files"
	"fieldbrain/strict"
	"fieldbrain/verdict"
)

// ErrMachine says that a budget was kept on another machine, whose microseconds mean
// nothing here.
var ErrMachine = errors.New("the budget was kept on another machine")

// A Budget is what a release may take: the figures of an earlier one, and how much
// above them is allowed.
type Budget struct {
	Machine  string       `toml:"machine" comment:"on which it was kept; elsewhere its figures mean nothing"`
	Date     string       `toml:"date"`
	Version  string       `toml:"version" comment:"of the program"`
	Period   float64      `toml:"period_us"`
	Priority int          `toml:"priority"`
	Slack    float64      `toml:"slack" comment:"times a figure that another release may take, 1 .. 10"`
	Load     []BudgetLoad `toml:"load" comment:"medians of the p99 of rounds of 500 wake-ups"`
}

// A BudgetLoad is the part of one load.
type BudgetLoad struct {
	Name string `toml:"name"`
	Figures
}

// Slack is what a kept budget allows: the tails of a busy machine differ by as much
// from run to run.
const Slack = 1.5

// Machine names this machine.
func Machine() string {
	model := "unknown processor"
	text, err := os.ReadFile("/proc/cpuinfo")
	for _, line := range strings.Split(string(text), "\n") {
		key, value, _ := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); err == nil && (key == "model name" || key == "Model" || key == "Hardware") {
			model = strings.TrimSpace(value)
			break
		}
	}
	kernel := "unknown"
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		release := string(bytes.TrimRight(name.Release[:], "\x00"))
		if parts := strings.SplitN(release, ".", 3); len(parts) > 1 {
			kernel = parts[0] + "." + strings.TrimRight(parts[1], "-+abcdefghijklmnopqrstuvwxyz")
		}
	}
	return fmt.Sprintf("%s, %d processors, Linux %s %s", model, runtime.NumCPU(), kernel, runtime.GOARCH)
}

// NewBudget makes the budget of what was measured.
func NewBudget(o Options, version string, rows []LoadRow, now time.Time) Budget {
	b := Budget{
		Machine: Machine(), Date: now.UTC().Format(time.DateOnly), Version: version,
		Period: us(o.Period), Priority: o.Priority, Slack: Slack,
	}
	for _, r := range rows {
		b.Load = append(b.Load, BudgetLoad{Name: r.Load, Figures: r.Figures})
	}
	return b
}

// Keep writes a budget.
func (b Budget) Keep(path string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "# What a release of fieldbrain may take beside other programs:\n# fieldbrain bench latency --budget FILE, kept by --keep FILE.\n")
	fmt.Fprintf(&text, "machine = %s # elsewhere the figures mean nothing\n", strconv.Quote(b.Machine))
	fmt.Fprintf(&text, "date = %s\nversion = %s\nperiod_us = %.0f\npriority = %d\n", strconv.Quote(b.Date), strconv.Quote(b.Version), b.Period, b.Priority)
	fmt.Fprintf(&text, "slack = %v # times a figure that a release may take\n", b.Slack)
	for _, l := range b.Load {
		fmt.Fprintf(&text, "\n[[load]] # medians of the p99 of rounds of %d wake-ups\nname = %s\nwake_p99_us = %.1f\nwake_p99_ratio = %.3f # over cyclictest's\ntick_p99_us = %.1f\nresponse_p99_us = %.1f\n",
			chunk, strconv.Quote(l.Name), l.WakeP99, l.RatioP99, l.TickP99, l.ResponseP99)
	}
	return files.Write(path, []byte(text.String()))
}

// ReadBudget reads a budget; its mistakes are strict.Complaints.
func ReadBudget(path string) (b Budget, err error) {
	text, err := files.Reader{Max: 1 << 20}.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, fmt.Errorf("%w: make it with --keep %s", err, path)
	}
	if err != nil {
		return b, err
	}
	example := Budget{Machine: "x", Date: "x", Version: "x", Period: 1.5, Priority: 1, Slack: 1.5, Load: []BudgetLoad{{
		Name: "x", Figures: Figures{WakeP99: 1.5, RatioP99: 1.5, TickP99: 1.5, ResponseP99: 1.5},
	}}}
	lines, found := strict.NewForm(example).Decode(text, &b)
	wrong := func(key, remedy, format string, args ...any) {
		found = append(found, strict.Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	if len(found) == 0 {
		if !(b.Slack >= 1 && b.Slack <= 10) { // written so that NaN fails
			wrong("slack", "choose 1 .. 10", "%v is out of range", b.Slack)
		}
		if !(b.Period >= 1000 && b.Period <= 1e6) {
			wrong("period_us", "choose that of the run that was kept", "%v is out of range", b.Period)
		}
		if len(b.Load) == 0 {
			wrong("load", "keep one with bench latency --keep FILE", "there is none")
		}
		for i, l := range b.Load {
			for _, figure := range []float64{l.WakeP99, l.RatioP99, l.TickP99, l.ResponseP99} {
				if !(figure > 0 && figure < 1e9) {
					wrong(fmt.Sprintf("load[%d]", i), "keep it anew with bench latency --keep FILE", "load %.200q has no figure for everything, or one that is none: %v", l.Name, figure)
					break
				}
			}
		}
	}
	if len(found) > 0 {
		return b, found.Place(path, lines)
	}
	return b, nil
}

// Here returns an error that says why a budget does not hold on this machine.
func (b Budget) Here(path string, o Options) error {
	switch here := Machine(); {
	case b.Machine != here:
		return fmt.Errorf("%s: %w: kept on %q, this is %q; keep one here with bench latency --keep FILE", path, ErrMachine, b.Machine, here)
	case b.Period != us(o.Period) || b.Priority != o.Priority:
		return fmt.Errorf("%s was kept with a period of %v us and priority %d, this run has %v us and %d: measure with the same, or keep another", path, b.Period, b.Priority, us(o.Period), o.Priority)
	}
	return nil
}

// Names returns the loads of a budget.
func (b Budget) Names() (list []string) {
	for _, l := range b.Load {
		list = append(list, l.Name)
	}
	return list
}

// Compare judges every figure of the budget by the rounds of the run.
func (b Budget) Compare(rows []LoadRow) (all []verdict.Judgement, err error) {
	for _, l := range b.Load {
		var row *LoadRow
		for i := range rows {
			if rows[i].Load == l.Name {
				row = &rows[i]
			}
		}
		if row == nil {
			return nil, fmt.Errorf("loadbench: the run lacks load %s of the budget", l.Name)
		}
		for _, f := range []struct {
			name   string
			rounds []float64
			kept   float64
		}{
			{"wake-up p99", row.rounds.wake, l.WakeP99},
			{"wake-up p99 over cyclictest's", row.rounds.ratios(), l.RatioP99},
			{"tick p99", row.rounds.tick, l.TickP99},
			{"response p99", row.rounds.response, l.ResponseP99},
		} {
			interval, err := verdict.Scaled(f.rounds, f.kept)
			if err != nil {
				return nil, fmt.Errorf("loadbench: load %s, %s: %w", l.Name, f.name, err)
			}
			claim := verdict.Claim{Name: l.Name + ": " + f.name + " over the kept one", Direction: verdict.AtMost, Limit: b.Slack}
			all = append(all, claim.Judge(interval))
		}
	}
	return all, nil
}

// ratios returns the loop's p99 over cyclictest's.
func (r *rounds) ratios() (list []float64) {
	for i := range r.wake {
		list = append(list, r.wake[i]/r.yard[i])
	}
	return list
}
