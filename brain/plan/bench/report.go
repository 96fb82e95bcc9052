package bench

import (
	"fmt"
	"io"
	"text/tabwriter"

	"fieldbrain/verdict"
)

// Print writes the report as tables for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "yardstick: copy of 8 MiB %.3f ms, moved %.1f %% within the run; ratios are of one round, with their 95 %% interval\n\nrays, 13 poses x 4096, one thread:\n", r.Copy, 100*r.Moved)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "isa\tmap\tcells/ray\tbits/ray\tms\tbest\tM rays/s\tx copy\t")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%.3f\t%.3f\t%.3f\t%.1f\t%s\t\n",
			row.ISA, row.Fill, row.Cells, row.Bits, row.Median, row.Best, row.Rate/1e6, row.OverCopy.Short())
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
	if err := r.printFloor(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := r.OctoMap.print(w); err != nil {
		return err
	}
	return verdict.Print(w, r.Claims)
}

// print writes the comparison, or why there is none.
func (o *OctoMap) print(w io.Writer) error {
	if o.Missing != "" {
		_, err := fmt.Fprintf(w, "OctoMap not measured: %s\n", o.Missing)
		return err
	}
	fmt.Fprintln(w, "OctoMap, same map and number of rays, one thread; times is how much longer it takes than our best instruction set in the same round:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "map\tbits/ray\tM rays/s\ttimes\tinsertion M rays/s\ttimes\t")
	for _, row := range o.Rows {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%s\t%.3f\t%s\t\n", row.Fill, row.Bits, row.Rate/1e6, row.Times.Short(), row.InsertRate/1e6, row.InsertTimes.Short())
	}
	return t.Flush()
}
