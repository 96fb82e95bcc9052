package bench

import (
	"fmt"
	"io"
	"text/tabwriter"

	"fieldbrain/verdict"
)

// Print writes the report as a table for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "yardsticks, 8 MiB: copy %.3f ms, scale in place %.3f ms; the worse moved %.1f %% within the run; ratios are of one round, with their 95 %% interval\n\n",
		r.Copy, r.Scale, 100*r.Moved)
	for _, g := range r.Gains {
		arithmetic := "no yardstick of arithmetic"
		if g.Arithmetic > 0 {
			arithmetic = fmt.Sprintf("%.2f times one's arithmetic", g.Arithmetic)
		}
		fmt.Fprintf(w, "%s, %d threads side by side: %s, %.2f times its memory\n", g.ISA, g.Threads, arithmetic, g.Memory)
	}
	if len(r.Gains) > 0 {
		fmt.Fprintln(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "engine\tms/tick\tbest\tfloor\tx floor\tgreater part\tx part\tbound by\tx copy\tthreads gain\t")
	for _, row := range r.Rows {
		floor, part := "-", "-"
		if row.Floor > 0 {
			floor, part = fmt.Sprintf("%.3f", row.Floor), fmt.Sprintf("%.3f", row.Part)
		}
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", row.Engine, row.Median, row.Best,
			floor, row.OverFloor.Short(), part, row.OverPart.Short(), row.Bound, row.OverCopy.Short(), row.SpeedUp.Short())
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
	return verdict.Print(w, r.Claims)
}
