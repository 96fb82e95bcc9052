package trials

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A column is one figure of a Sum.
type column struct {
	title string
	of    func(s *Sum) string
}

// columns are those of every table, the profile's and the families'.
func columns() []column {
	number := func(format string, of func(s *Sum) (int, float64)) func(s *Sum) string {
		return func(s *Sum) string {
			n, x := of(s)
			if n == 0 {
				return "-"
			}
			return fmt.Sprintf(format, x)
		}
	}
	part := func(of func(s *Sum) Share) func(s *Sum) string {
		return func(s *Sum) string {
			if p := of(s); p.Of > 0 {
				return fmt.Sprintf("%d/%d", p.Held, p.Of)
			}
			return "-"
		}
	}
	return []column{
		{"contact", part(func(s *Sum) Share { return s.Contact })},
		{"hardest m/s", number("%.2f", func(s *Sum) (int, float64) { return s.Contact.Held, s.Hardest })},
		{"fell", part(func(s *Sum) Share { return s.Fell })},
		{"unwarned", number("%.0f", func(s *Sum) (int, float64) { return s.Fell.Held, float64(s.Unwarned) })},
		{"hidden", number("%.0f", func(s *Sum) (int, float64) { return s.Fell.Held, float64(s.Hidden) })},
		{"arrived", part(func(s *Sum) Share { return s.Arrived })},
		{"time", number("%.2f", func(s *Sum) (int, float64) { return s.Arrived.Held, s.TimeRatio })},
		{"success", part(func(s *Sum) Share { return s.Success })},
		{"metric", number("%.3f", func(s *Sum) (int, float64) { return s.Success.Of, s.BARN })},
		{"progress", number("%.2f", func(s *Sum) (int, float64) { return s.Arrived.Of, s.Progress })},
		{"path", number("%.2f", func(s *Sum) (int, float64) { return s.Arrived.Of, s.PathShare })},
		{"coverage", number("%.3f", func(s *Sum) (int, float64) { return s.Explored, s.Coverage })},
		{"of reachable", number("%.2f", func(s *Sum) (int, float64) { return s.Explored, s.Reach })},
		{"line", number("%.2f", func(s *Sum) (int, float64) { return s.Lines, s.LineShare })},
		{"stood", part(func(s *Sum) Share { return s.Idle })},
		{"stood s", number("%.1f", func(s *Sum) (int, float64) { return s.Drives, s.Standing })},
		{"circled", part(func(s *Sum) Share { return s.Lost })},
		{"circled s", number("%.1f", func(s *Sum) (int, float64) { return s.Drives, s.Circling })},
		{"steering deg/s", number("%.1f", func(s *Sum) (int, float64) { return s.Drives, s.Steering })},
		{"reversals 1/s", number("%.2f", func(s *Sum) (int, float64) { return s.Drives, s.Reversals })},
		{"J/m", number("%.0f", func(s *Sum) (int, float64) { return s.Drives, s.Energy })},
	}
}

// Print writes the report for a person: a table a profile, and the goals.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for i := range r.Profiles {
		p := &r.Profiles[i]
		fmt.Fprintf(t, "%s, %d worlds\t", p.Name, p.Worlds)
		for _, c := range columns() {
			fmt.Fprintf(t, "%s\t", c.title)
		}
		fmt.Fprintln(t)
		for k := range p.Sums {
			fmt.Fprintf(t, "  %s\t", p.Sums[k].Pilot)
			for _, c := range columns() {
				fmt.Fprintf(t, "%s\t", c.of(&p.Sums[k]))
			}
			fmt.Fprintln(t)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("trials: print: %w", err)
	}
	reached := 0
	for _, g := range r.Goals {
		word := "MISS"
		switch {
		case g.Pass:
			word = "ok  "
			reached++
		case !g.Driven:
			word = "-   "
		}
		fmt.Fprintf(t, "%s %s\t%s\twanted %s\t%s\n", word, g.Profile, g.Text, g.Wanted, g.Got)
	}
	fmt.Fprintf(t, "%s reaches %d of %d goals, %d drives in all\n", strings.Join(r.Pilots[:1], ""), reached, len(r.Goals), r.Drives)
	fmt.Fprint(t, r.older(""))
	if err := t.Flush(); err != nil {
		return fmt.Errorf("trials: print: %w", err)
	}
	return nil
}
