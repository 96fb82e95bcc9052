package behave

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print writes the report as a table for a terminal: one line per check, what
// fails, what the field does not buy, and a last sentence.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "id\tbehaviour\tmetric\twanted\tbrain\treactive\tvendor\trandom\tpass")
	for i := range r.Behaviours {
		row := &r.Behaviours[i]
		id, name := row.ID, row.Name
		for j := range row.Checks {
			c := &row.Checks[j]
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t", id, name, c.title(), c.threshold(), c.reading())
			for _, rival := range rivals() {
				text := "-"
				if k, has := c.Baselines[rival]; has {
					text = k.reading(c)
				}
				fmt.Fprintf(t, "%s\t", text)
			}
			fmt.Fprintln(t, c.verdict())
			id, name = "", ""
		}
		if row.Same != nil && len(row.Same.Differ) > 0 {
			fmt.Fprintf(t, "\t\tengines\tequal\tdiffer: %s\t-\t-\t-\tFAIL\n", join(row.Same.Differ))
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("behave: print: %w", err)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "finding %s: %s\n", f.Behaviour, f.Text)
	}
	_, err := fmt.Fprintf(w, "%d of %d behaviours pass, %d runs in all\n", r.passing(), len(r.Behaviours), r.Runs)
	return err
}
