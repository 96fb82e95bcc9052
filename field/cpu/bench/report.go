package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A Goal is one target and whether this run met it.
type Goal struct {
	Name  string  `json:"name"`
	Limit float64 `json:"limit"`
	Value float64 `json:"value"`
	Met   bool    `json:"met"`
}

// Goals judges the run against the targets of one AVX-512 core. On a machine
// without it there is nothing to judge.
func (r *Report) Goals() []Goal {
	var goals []Goal
	add := func(name string, value, limit float64, met bool) {
		goals = append(goals, Goal{Name: name, Value: value, Limit: limit, Met: met})
	}
	for _, row := range r.Rows {
		if row.ISA != "avx512" {
			continue
		}
		switch {
		case row.Threads == 1 && row.Step == "dense":
			add("dense step over its floor, 1 thread", row.OverFloor, 1.5, row.OverFloor <= 1.5)
		case row.Threads == 1:
			add("collapsed step, 1 thread, ms", row.Median, 0.25, row.Median < 0.25)
		case row.Threads == 2 && row.Step == "dense":
			add("dense step, 2 threads over 1", row.SpeedUp, 1.8, row.SpeedUp >= 1.8)
		}
	}
	return goals
}

// Print writes the report as a table for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "yardsticks, 8 MiB: copy %.3f ms, scale in place %.3f ms; the worst yardstick moved %.1f %% within the run\n\n",
		r.Copy, r.Scale, 100*r.Moved)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "engine\tms/tick\tbest\tfloor\tx floor\tbound by\tx copy\tthreads gain\t")
	for _, row := range r.Rows {
		floor, over := "-", "-"
		if row.Floor > 0 {
			floor, over = fmt.Sprintf("%.3f", row.Floor), fmt.Sprintf("%.2f", row.OverFloor)
		}
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%s\t%s\t%s\t%.2f\t%.2f\t\n",
			row.Engine, row.Median, row.Best, floor, over, row.Bound, row.OverCopy, row.SpeedUp)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nstages of one thread, ms per tick:")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "engine\tprepare\tdisplace\tlateral\tevolve\ttraces\t")
	for _, row := range r.Rows {
		if row.Threads == 1 {
			s := row.Stages
			fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", row.Engine, s.Prepare, s.Displace, s.Lateral, s.Evolve, s.Traces)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, g := range r.Goals() {
		verdict := "missed"
		if g.Met {
			verdict = "met"
		}
		fmt.Fprintf(w, "goal %s: %.2f (limit %.2f): %s\n", g.Name, g.Value, g.Limit, verdict)
	}
	if r.Void {
		fmt.Fprintf(w, "VOID: the yardstick moved %.1f %%, more than %.0f %%; run again on a quieter machine\n",
			100*r.Moved, 100*Tolerance)
	}
	return nil
}
