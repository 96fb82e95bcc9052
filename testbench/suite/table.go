package suite

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Threshold writes a line's limit as a person would: "<= 0.2 mean".
func (l *Line) Threshold() string {
	var parts []string
	if l.Min != nil {
		parts = append(parts, fmt.Sprintf(">= %.4g", *l.Min))
	}
	if l.Max != nil {
		parts = append(parts, fmt.Sprintf("<= %.4g", *l.Max))
	}
	text := strings.Join(parts, ", ")
	switch {
	case l.Over == "mean":
		text += " mean"
	case l.Share > 0:
		text += fmt.Sprintf(" in %.0f %%", 100*l.Share)
	}
	return text
}

// Figure writes a cell for a line: a mean with its interval, or the worst run
// and how many hold the limit.
func (l *Line) Figure(c *Cell, runs int) string {
	switch {
	case c.Value == nil:
		return fmt.Sprintf("never (0/%d)", runs)
	case l.Over == "mean" && runs > 1:
		return fmt.Sprintf("%.3g (%.3g..%.3g)", *c.Value, c.Sample.Low, c.Sample.High)
	case runs > 1:
		return fmt.Sprintf("%.3g (%d/%d)", *c.Value, c.Held, runs)
	}
	return fmt.Sprintf("%.3g", *c.Value)
}

// verdict is the last column: whether the judged driver holds the line.
func (l *Line) verdict() string {
	if l.Waived {
		return "left out"
	}
	if len(l.Cells) > 0 && l.Cells[0].Pass {
		return "ok"
	}
	return "FAIL"
}

// Print writes the report as a table, one line per limit, and a last sentence.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "scenario\tspec\tmetric\tthreshold\t%s\tpass\n", strings.Join(r.Drivers, "\t"))
	for i := range r.Rows {
		row := &r.Rows[i]
		name, spec := row.Scenario, row.Spec
		for j := range row.Lines {
			l := &row.Lines[j]
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t", name, spec, l.Metric, l.Threshold())
			for k := range l.Cells {
				fmt.Fprintf(t, "%s\t", l.Figure(&l.Cells[k], row.Seeds))
			}
			fmt.Fprintf(t, "%s\n", l.verdict())
			name, spec = "", ""
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("suite: print: %w", err)
	}
	passed := 0
	for i := range r.Rows {
		if r.Rows[i].Pass {
			passed++
		}
	}
	_, err := fmt.Fprintf(w, "%s passes %d of %d scenarios, %d runs in all\n", r.Drivers[0], passed, len(r.Rows), r.Runs)
	return err
}
