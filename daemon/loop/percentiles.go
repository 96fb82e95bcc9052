package loop

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// A Row is one stream's percentiles. Averages are not latency and are not here.
type Row struct {
	Name  string        `json:"name"`    // stage, busy, wake-up or response
	Count int64         `json:"count"`   // values recorded; see Recorder for what each stream leaves out
	P50   time.Duration `json:"p50_ns"`  // half are at most this
	P90   time.Duration `json:"p90_ns"`  //
	P99   time.Duration `json:"p99_ns"`  //
	P999  time.Duration `json:"p999_ns"` // 99.9 %
	Max   time.Duration `json:"max_ns"`  // exact
}

// A Table is every stream's percentiles and the loop's counters.
type Table struct {
	Rows   []Row  `json:"rows"`
	Counts Counts `json:"counts"`
}

// Print writes the table for people.
func (t Table) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "stage\tcount\tp50\tp90\tp99\tp99.9\tmax\t")
	for _, r := range t.Rows {
		if r.Count == 0 {
			fmt.Fprintf(tw, "%s\t0\t-\t-\t-\t-\t-\t\n", r.Name)
			continue
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", r.Name, r.Count,
			Short(r.P50), Short(r.P90), Short(r.P99), Short(r.P999), Short(r.Max))
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("loop: print table: %w", err)
	}
	c := t.Counts
	_, err := fmt.Fprintf(w, "ticks %d, overruns %d, periods skipped %d\n", c.Ticks, c.Overruns, c.Skipped)
	return err
}

// Short writes a duration with three digits or so and the unit that suits it.
func Short(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f us", float64(d)/float64(time.Microsecond))
	case d < time.Second:
		return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
