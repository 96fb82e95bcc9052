package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"fieldbrain/verdict"
)

// JSON writes the report as one object.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	r.head(w)
	for _, part := range []func(io.Writer) error{r.stages, r.ablations, r.latencies} {
		if err := part(w); err != nil {
			return err
		}
	}
	return r.verdicts(w)
}

func (r *Report) head(w io.Writer) {
	told := func(value int, unit string, by int) string {
		if value == 0 {
			return "not told"
		}
		return fmt.Sprintf("%d %s", value/by, unit)
	}
	fmt.Fprintf(w, "card: %s, compute capability %s, %d multiprocessors, %d MiB, L2 %s, clock %s, memory %s, driver %s\n",
		r.Device, r.Compute, r.Processors, r.Memory>>20, told(r.Cache, "KiB", 1<<10),
		told(r.Clock, "MHz", 1000), told(r.MemClock, "MHz", 1000), r.Driver)
	page := "registered: the kernels see it themselves"
	if !r.Registered {
		page = "copied: the driver refuses to register it"
	}
	fmt.Fprintf(w, "run:  %s, %s step, wait %s, page %s; %d rounds, bursts of %d\n", r.Date, r.Step, r.Wait, page, r.Rounds, r.Burst)
	if r.IsSoftware {
		fmt.Fprintln(w, "software driver: times mean nothing")
	}
	fmt.Fprintf(w, "the worse yardstick moved %.1f %% within the run; ratios are of one round, with their 95 %% interval\n", 100*r.Yardsticks.Moved)
}

func (r *Report) stages(w io.Writer) error {
	fmt.Fprintln(w, "\nstages, on the device, per repetition in a graph:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stage\tmedian us\tp99 us\tx copy\tx scale\tleast MB\tGB/s\t")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%s\t%s\t%.3f\t%.1f\t  %s\n",
			row.Name, row.Us, row.P99, row.XCopy.Short(), row.XScale.Short(), float64(row.Bytes)/1e6, row.GBs, row.note())
	}
	return t.Flush()
}

// note is what a reader must know, rays per second first.
func (r *Row) note() string {
	if r.RaysS == 0 {
		return r.Note
	}
	return fmt.Sprintf("%.3g rays/s; %s", r.RaysS, r.Note)
}

func (r *Report) ablations(w io.Writer) error {
	if len(r.Ablation) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nwhat each choice buys, one tick, median us; gain is the other way over this one:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "choice\tthis\tus\tother\tus\tgain\tclock\tdefault\tnote")
	for _, a := range r.Ablation {
		if a.Gain.Rounds == 0 {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\t%.2f\t%s\t%s\t%s\t%s\n",
			a.Name, a.On, a.OnUs, a.Off, a.OffUs, a.Gain.Short(), a.Clock, a.verdict(), a.Note)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, a := range r.Ablation {
		if a.Gain.Rounds == 0 {
			fmt.Fprintf(w, "%s: does not apply: %s\n", a.Name, a.Note)
		}
	}
	return nil
}

// Holds reports whether the default is shown to be the faster way.
func (a *Ablation) Holds() bool {
	return a.Default == a.On && a.Faster == verdict.Held || a.Default == a.Off && a.Faster == verdict.Missed
}

// verdict says what the daemon does, and whether that is the faster way.
func (a *Ablation) verdict() string {
	switch {
	case a.Default != a.On && a.Default != a.Off:
		return a.Default
	case a.Faster == verdict.Void:
		return a.Default + ", no difference shown"
	case a.Holds():
		return a.Default + ", the faster"
	}
	return a.Default + ", NOT the faster"
}

func (r *Report) latencies(w io.Writer) error {
	fmt.Fprintln(w, "\nsingle ticks, on the host's clock, us:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "from, to\tp50\tp99\tp99.9\tmax\tticks\t")
	line := func(name string, p Percentiles) {
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t\n", name, p.P50, p.P99, p.P999, p.Max, p.Count)
	}
	line("launch, answer seen", r.Latency)
	if r.Doorbell != nil {
		line("sensor page, motor page", r.Doorbell.Percentiles)
		if r.Paced != nil {
			line(fmt.Sprintf("the same, one every %g ms", r.Paced.Period), r.Paced.Percentiles)
		}
		return t.Flush()
	}
	err := t.Flush()
	fmt.Fprintln(w, "from the sensors' page to the motors': run fieldbrain bench gpu")
	return err
}

func (r *Report) verdicts(w io.Writer) error {
	fmt.Fprintln(w)
	if len(r.Claims) == 0 {
		fmt.Fprintln(w, "claims: "+cmp.Or(map[bool]string{true: "not judged on the software driver"}[r.IsSoftware], "none for this card"))
	}
	return verdict.Print(w, r.Claims)
}
