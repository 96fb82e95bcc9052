package behave

import (
	"math"

	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/suite"
)

// values are one metric of all runs in the order of the seeds; nil where a run
// does not have it.
type values []*float64

// of makes values of numbers; one that is not finite stands for a run without.
func of(numbers ...float64) values {
	v := make(values, len(numbers))
	for i := range numbers {
		if !math.IsNaN(numbers[i]) && !math.IsInf(numbers[i], 0) {
			v[i] = &numbers[i]
		}
	}
	return v
}

// yes is 1 for true: for metrics that a run holds or not.
func yes(held bool) float64 {
	if held {
		return 1
	}
	return 0
}

// known returns the numbers that are there.
func (v values) known() []float64 {
	var numbers []float64
	for _, x := range v {
		if x != nil {
			numbers = append(numbers, *x)
		}
	}
	return numbers
}

// bounds returns an unjudged check for every bound of a limit.
func bounds(l scenarios.Limit, scenario string) []Check {
	c := Check{Metric: l.Metric, Scenario: scenario, Over: overEach, Share: 1}
	if l.Over == overMean {
		c.Over = overMean
	}
	if l.Share > 0 {
		c.Share = l.Share
	}
	var all []Check
	if l.Min != nil {
		low := c
		low.Bound, low.Threshold = atLeast, *l.Min
		all = append(all, low)
	}
	if l.Max != nil {
		high := c
		high.Bound, high.Threshold = atMost, *l.Max
		all = append(all, high)
	}
	return all
}

// check is a check of a field or a mechanism: every run must hold it, and the
// check can ask nobody else.
func check(metric, bound string, threshold float64, runs values) Check {
	c := Check{Metric: metric, Bound: bound, Threshold: threshold, Over: overEach, Share: 1}
	c.judge(runs)
	return c
}

// lacking is a check that this build cannot do.
func lacking(metric, bound string, threshold float64, part string) Check {
	return Check{Metric: metric, Bound: bound, Threshold: threshold, Over: overEach, Share: 1, Needs: part}
}

// holds reports whether x is on the right side of the threshold; NaN is not.
func (c *Check) holds(x float64) bool {
	if c.Bound == atMost {
		return x <= c.Threshold
	}
	return x >= c.Threshold
}

// judge fills in the runs of the judged driver.
func (c *Check) judge(runs values) {
	r, sample := c.hold(runs)
	c.Value, c.Held, c.Runs, c.Passed = r.Value, r.Held, r.Runs, r.Passed
	c.HeldLow, c.HeldHigh = suite.Wilson(c.Held, c.Runs)
	if sample.N > 0 {
		c.Sample = &sample
	}
}

// hold holds runs against the threshold. A run without the metric holds
// nothing, and a mean needs all runs.
func (c *Check) hold(runs values) (Rival, suite.Sample) {
	r, known := Rival{Runs: len(runs)}, runs.known()
	sample := suite.NewSample(known)
	for _, x := range known {
		if c.holds(x) {
			r.Held++
		}
		if r.Value == nil || (c.Bound == atMost && x > *r.Value) || (c.Bound == atLeast && x < *r.Value) {
			r.Value = &x
		}
	}
	if c.Over == overMean {
		if sample.N > 0 {
			mean := sample.Mean
			r.Value = &mean
		}
		r.Passed = sample.N == len(runs) && sample.N > 0 && c.holds(sample.Mean)
		return r, sample
	}
	r.Passed = len(runs) > 0 && float64(r.Held) >= float64(c.Share*float64(len(runs)))
	return r, sample
}

// against adds a baseline's runs, and the gain over the reactive driver.
func (c *Check) against(name string, theirs, ours values) {
	if c.Baselines == nil {
		c.Baselines = map[string]Rival{}
	}
	r, _ := c.hold(theirs)
	c.Baselines[name] = r
	if name == Reactive {
		c.Gain = c.gain(ours, theirs)
	}
}

// gain is the mean difference over the seeds that both have; nil for none.
func (c *Check) gain(ours, theirs values) *Gain {
	var differences []float64
	for i := range min(len(ours), len(theirs)) {
		if ours[i] != nil && theirs[i] != nil {
			differences = append(differences, *ours[i]-*theirs[i])
		}
	}
	if len(differences) == 0 {
		return nil
	}
	g := &Gain{Sample: suite.NewSample(differences), Better: neither}
	switch up := c.Bound == atLeast; {
	case g.N < 2: // no interval
	case g.Low > 0 && up, g.High < 0 && !up:
		g.Better = Brain
	case g.High < 0 && up, g.Low > 0 && !up:
		g.Better = Reactive
	}
	return g
}

// complete fills in a behaviour's verdict and its headline.
func (b *Behaviour) complete() {
	b.Passed = len(b.Checks) > 0
	head := -1
	for i := range b.Checks {
		c := &b.Checks[i]
		if c.Needs != "" {
			b.need(c.Needs)
			c.Passed = false
		}
		b.Passed = b.Passed && (c.Passed || c.Open)
		if head < 0 && c.Needs == "" {
			head = i
		}
	}
	if b.Same != nil && len(b.Same.Differ) > 0 {
		b.Passed = false
	}
	b.headline(&b.Checks[max(head, 0)])
}

func (b *Behaviour) headline(c *Check) {
	b.Metric, b.Bound, b.Threshold, b.Value = c.Metric, c.Bound, c.Threshold, c.Value
	if c.Sample != nil {
		b.Mean, b.Low, b.High = &c.Sample.Mean, &c.Sample.Low, &c.Sample.High
	}
	for _, name := range rivals() {
		r, has := c.Baselines[name]
		if !has {
			continue
		}
		if b.Baselines == nil {
			b.Baselines = map[string]*float64{}
		}
		b.Baselines[name] = r.Value
		if name == Reactive {
			b.Baseline = r.Value
		}
	}
}

// need notes a missing part once.
func (b *Behaviour) need(part string) {
	for _, known := range b.Needs {
		if known == part {
			return
		}
	}
	b.Needs = append(b.Needs, part)
}
