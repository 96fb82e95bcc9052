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

// Goals judges the run against the targets of one core. What the machine has
// not is not judged.
func (r *Report) Goals() []Goal {
	var goals []Goal
	most := func(name string, value, limit float64) {
		goals = append(goals, Goal{name, limit, value, value <= limit})
	}
	for _, row := range r.Rows {
		if row.Fill != fills[0].name {
			continue
		}
		if limit, known := map[string]float64{"avx512": 1.2, "avx2": 3}[row.ISA]; known {
			most(fmt.Sprintf("13 x 4096 rays, %s, %s, ms", row.ISA, row.Fill), row.Median, limit)
		}
	}
	if len(r.Insert) > 0 && r.Insert[0].ISA != "purego" {
		rate := r.Insert[0].Rate / 1e6
		goals = append(goals, Goal{"insertion, " + r.Insert[0].ISA + ", million rays/s", 20, rate, rate >= 20})
	}
	most("13 actions over 20 steps, us", r.Propagate, 2)
	return goals
}

// Print writes the report as tables for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "yardstick: copy of 8 MiB %.3f ms, moved %.1f %% within the run\n\nrays, 13 poses x 4096, one thread:\n", r.Copy, 100*r.Moved)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "isa\tmap\tcells/ray\tbits/ray\tms\tbest\tM rays/s\tx copy\t")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%.3f\t%.3f\t%.3f\t%.1f\t%.2f\t\n",
			row.ISA, row.Fill, row.Cells, row.Bits, row.Median, row.Best, row.Rate/1e6, row.OverCopy)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\ninsertion of 4096 rays, and a whole plan:")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "isa\tM rays/s\tbest\tplan ms\trays\tticks\tlongest tick ms\t")
	for i, row := range r.Insert {
		s := r.Search[i]
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.3f\t%d\t%d\t%.3f\t\n", row.ISA, row.Rate/1e6, row.Best/1e6, s.Ms, s.Rays, s.Ticks, s.Most)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n13 actions over 20 steps: %.2f us, best %.2f us\n\n", r.Propagate, r.Quickest)
	if err := r.OctoMap.print(w); err != nil {
		return err
	}
	for _, g := range r.Goals() {
		verdict := "missed"
		if g.Met {
			verdict = "met"
		}
		fmt.Fprintf(w, "goal %s: %.2f (limit %.2f): %s\n", g.Name, g.Value, g.Limit, verdict)
	}
	if r.Void {
		fmt.Fprintf(w, "VOID: the yardstick moved %.1f %%; run again on a quieter machine\n", 100*r.Moved)
	}
	return nil
}

// print writes the comparison, or why there is none.
func (o *OctoMap) print(w io.Writer) error {
	if o.Missing != "" {
		_, err := fmt.Fprintf(w, "OctoMap not measured: %s\n", o.Missing)
		return err
	}
	fmt.Fprintln(w, "OctoMap, same map and number of rays, one thread, the best of its rounds; times is our best instruction set's median rate over it:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "map\tbits/ray\tM rays/s\ttimes\tinsertion M rays/s\ttimes\t")
	for _, row := range o.Rows {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.0f\t%.3f\t%.0f\t\n", row.Fill, row.Bits, row.Rate/1e6, row.Times, row.InsertRate/1e6, row.InsertTimes)
	}
	return t.Flush()
}
