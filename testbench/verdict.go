package testbench

import (
	"fmt"
	"strings"

	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/scenarios"
)

// A Verdict is one limit of the scenario, judged.
type Verdict struct {
	Metric string   `json:"metric"`
	Value  *float64 `json:"value"` // absent when it never happened
	Min    *float64 `json:"min,omitempty"`
	Max    *float64 `json:"max,omitempty"`
	Over   string   `json:"over,omitempty"`
	Held   int      `json:"held,omitempty"` // runs that hold it, where each is judged
	Runs   int      `json:"runs,omitempty"` // of so many
	Pass   bool     `json:"pass"`
	Waived bool     `json:"waived,omitempty"` // shown and not judged: the scenario leaves it out
	Rooted int      `json:"rooted,omitempty"` // runs in which the car never moved, where that is judged
}

// Judge holds the runs of one scenario against its conditions: its limits, and
// those of every world that it does not leave out. A limit over the
// mean judges the mean of all runs; any other must hold for its share of them,
// and its verdict shows the worst. A metric that a run does not have fails for
// that run. Judge asks in proportion for a metric that grows with time when the
// caller made the runs shorter than the scenario. A run in which the car never moved
// holds no limit on standing, however short it was.
func Judge(sc *scenarios.Scenario, runs []*Result) (verdicts []Verdict, pass bool) {
	pass = len(runs) > 0
	for _, l := range sc.Conditions() {
		v := judge(sc, l, runs)
		verdicts = append(verdicts, v)
		pass = pass && v.Pass
	}
	return verdicts, pass
}

func judge(sc *scenarios.Scenario, l scenarios.Limit, runs []*Result) Verdict {
	v := Verdict{Metric: l.Metric, Min: l.Min, Max: l.Max, Over: l.Over, Waived: l.Waived}
	if len(runs) > 0 && runs[0].share > 0 {
		v.shorten(l, runs[0].share, sc.Duration)
	}
	v.root(runs)
	values := measured(l.Metric, runs)
	if len(values) > 0 && l.Over == "mean" {
		sum := 0.0
		for _, x := range values {
			sum += x
		}
		mean := sum / float64(len(values))
		v.Value = &mean
		v.Pass = len(values) == len(runs) && v.Holds(mean) && v.Rooted == 0
		return v
	}
	v.worst(values)
	if v.Rooted > 0 {
		v.Held = held(&v, runs)
	}
	need := 1.0
	if l.Share > 0 {
		need = l.Share
	}
	v.Runs = len(runs)
	v.Pass = v.Waived || float64(v.Held) >= float64(need*float64(len(runs)))
	return v
}

// root counts the runs in which the car never moved, for a limit on standing.
func (v *Verdict) root(runs []*Result) {
	if !scenarios.Still(v.Metric) || v.Waived {
		return
	}
	for _, r := range runs {
		if r.rooted() {
			v.Rooted++
		}
	}
}

// held counts the runs that hold a limit on standing and in which the car moved.
func held(v *Verdict, runs []*Result) (n int) {
	for _, r := range runs {
		if x, ok := r.Metric(v.Metric); ok && v.Holds(x) && !r.rooted() {
			n++
		}
	}
	return n
}

// rooted reports whether the car never left its start, and nobody ordered that.
func (r *Result) rooted() bool { return r.Distance < gauge.StandingReach && !r.ordered }

// shorten fits the bounds to a drive that lasts only a share of the scenario, which lasts
// so many seconds: less way, less floor, less waste.
func (v *Verdict) shorten(l scenarios.Limit, share, seconds float64) {
	if l.Everywhere && l.Metric != "falls" {
		part := *l.Max * share
		if scenarios.Wasted(l.Metric) {
			part = scenarios.Waste(float64(share * seconds))
		}
		v.Max = &part
	}
	if l.Min != nil && (l.Metric == "distance_m" || l.Metric == "coverage") {
		part := *l.Min * share
		v.Min = &part
	}
}

// measured returns a metric of the runs that have it.
func measured(metric string, runs []*Result) (values []float64) {
	for _, r := range runs {
		if x, ok := r.Metric(metric); ok {
			values = append(values, x)
		}
	}
	return values
}

// worst notes the worst of the values, and how many hold the limit.
func (v *Verdict) worst(values []float64) {
	for _, x := range values {
		if v.Holds(x) {
			v.Held++
		}
		if v.Value == nil || (v.Max != nil && x > *v.Value) || (v.Max == nil && x < *v.Value) {
			v.Value = &x
		}
	}
}

// Holds reports whether x is between the bounds.
func (v *Verdict) Holds(x float64) bool {
	return (v.Min == nil || x >= *v.Min) && (v.Max == nil || x <= *v.Max)
}

// String returns a verdict as a line for a person.
func (v Verdict) String() string {
	var b strings.Builder
	b.WriteString("FAIL")
	if v.Pass {
		b.Reset()
		b.WriteString("ok  ")
	}
	if v.Value == nil {
		fmt.Fprintf(&b, " %-18s never", v.Metric)
	} else {
		fmt.Fprintf(&b, " %-18s %.4g", v.Metric, *v.Value)
	}
	if v.Min != nil {
		fmt.Fprintf(&b, ", at least %.4g", *v.Min)
	}
	if v.Max != nil {
		fmt.Fprintf(&b, ", at most %.4g", *v.Max)
	}
	if v.Rooted > 0 {
		b.WriteString(" (it never moved)")
	}
	switch {
	case v.Waived:
		b.WriteString(" (the scenario leaves it out)")
	case v.Over == "mean":
		b.WriteString(" (mean)")
	case v.Runs > 1:
		fmt.Fprintf(&b, " (held by %d of %d)", v.Held, v.Runs)
	}
	return b.String()
}
