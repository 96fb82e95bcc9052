package response

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Print writes the table for people.
func (r Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "data ready to command written: %s, seed %d, %v of virtual time, a tick of %v\n", r.Scenario, r.Seed, r.Length, r.Tick)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "bus\tschedule\tof\tcount\tfloor\tp50\tp90\tp99\tp99.9\tmax\tp99/floor\tgoal\t")
	for _, row := range r.Rows {
		verdict := "-"
		if row.Schedule == Paced {
			verdict = map[bool]string{true: "met", false: "missed"}[row.Met]
		}
		line(tw, row, "all", row.Floor, row.Whole)
		fmt.Fprintf(tw, "%s\t\n", verdict)
		for _, a := range row.Actuators {
			line(tw, row, a.Actuator, a.Floor, a.Quantiles)
			fmt.Fprint(tw, "\t\n")
		}
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("response: print table: %w", err)
	}
	_, err := fmt.Fprintf(w, "floor: two conversions, the tick, and the writes up to the actuator's own, when nothing waits\n"+
		"goal: p99 at most %v times the floor, and at most %v at %d kHz\n", goal, limit, limitClock/1000)
	return err
}

// line writes one row without its end.
func line(w io.Writer, row Row, of string, floor time.Duration, q Quantiles) {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }
	fmt.Fprintf(w, "%d kHz\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t", row.Clock/1000, row.Schedule, of, q.Count,
		ms(floor), ms(q.P50), ms(q.P90), ms(q.P99), ms(q.P999), ms(q.Max), q.P99.Seconds()/floor.Seconds())
}
