package behave

import (
	"math"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// failed lists the metrics that do not pass.
func failed(all []Check) (names []string) {
	for _, c := range all {
		if !c.Passed {
			names = append(names, c.Metric)
		}
	}
	return names
}

// TestNoLearningFailsB8AndB9: a predictor that learns nothing fails the judges
// of learning, and a deaf one fails that of novelty.
func TestNoLearningFailsB8AndB9(t *testing.T) {
	still := field.DefaultLearn()
	still.Rate = 0
	off := habituate(longest, 0, still)
	if got := failed(habituated([]habituation{off}, []habituation{off})); len(got) != 1 || got[0] != "error_ratio" {
		t.Errorf("B8 without learning fails %v, want error_ratio", got)
	}
	on := habituate(longest, 0, field.DefaultLearn())
	if got := failed(habituated([]habituation{on}, []habituation{on})); len(got) != 1 || got[0] != "error_ratio_without_learning" {
		t.Errorf("B8 that learns although switched off fails %v", got)
	}
	late := novelty{first: math.Inf(1), last: 4, early: true}
	deaf := habituation{errors: make([]float64, longest)}
	for k := range deaf.errors {
		deaf.errors[k] = 0.01 // whatever it is shown
	}
	want := []string{"error_rise", "error_left_after_400", "novelty_peak_s", "novelty_gone_s", "novelty_before"}
	if got := failed(noticed([]habituation{deaf}, []novelty{late})); len(got) != len(want) {
		t.Errorf("B9 of the deaf fails %v, want %v", got, want)
	}
}

// TestNoLibraryFailsO8AndO9: a brain that recalls nothing fails the judges of
// recall.
func TestNoLibraryFailsO8AndO9(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	run := &runner{Options: Options{Period: 5 * time.Millisecond, Field: func(p field.Params, _ string) (field.Engine, error) {
		return cpu.New(p, cpu.DefaultOptions())
	}}}
	var blind field.LibraryParams
	soon, late, _, err := run.persistence(1, blind, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := failed(persisted([]float64{soon}, []float64{late})); len(got) != 2 {
		t.Errorf("O8 without recall fails %v only (%.2f, %.2f)", got, soon, late)
	}
	same, other, _, err := run.recognition(1, blind, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := failed(recognised([]float64{same}, []float64{other})); len(got) != 1 || got[0] != "cosine_revisited" {
		t.Errorf("O9 without contexts fails %v (%.2f, %.2f)", got, same, other)
	}
}

// TestCheck holds the judge to its rules.
func TestCheck(t *testing.T) {
	low, high := 1.0, 2.0
	nothing := math.NaN()
	for _, tt := range []struct {
		name  string
		limit scenarios.Limit
		runs  values
		held  int
		pass  bool
		value float64
	}{
		{"each holds", scenarios.Limit{Max: &high}, of(1, 2), 2, true, 2},
		{"the worst decides", scenarios.Limit{Max: &high}, of(1, 2.5), 1, false, 2.5},
		{"at least", scenarios.Limit{Min: &low}, of(3, 1), 2, true, 1},
		{"a share", scenarios.Limit{Max: &high, Share: 0.5}, of(1, 9), 1, true, 9},
		{"too small a share", scenarios.Limit{Max: &high, Share: 0.6}, of(1, 9), 1, false, 9},
		{"the mean", scenarios.Limit{Max: &high, Over: "mean"}, of(1, 3), 1, true, 2},
		{"a mean needs all", scenarios.Limit{Max: &high, Over: "mean"}, of(1, nothing), 1, false, 1},
		{"without a run", scenarios.Limit{Max: &high}, nil, 0, false, 0},
		{"never", scenarios.Limit{Max: &high}, of(nothing), 0, false, 0},
		{"infinite is never", scenarios.Limit{Min: &low}, of(math.Inf(1)), 0, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := bounds(tt.limit, "x")[0]
			c.judge(tt.runs)
			if c.Held != tt.held || c.Passed != tt.pass || (c.Value == nil) != (tt.value == 0) || c.Value != nil && *c.Value != tt.value {
				t.Errorf("held %d, passed %v, value %s; want %d, %v, %v", c.Held, c.Passed, figure(c.Value), tt.held, tt.pass, tt.value)
			}
		})
	}
}

// TestGain: the bound of a check decides who is better beyond the interval.
func TestGain(t *testing.T) {
	more, less := Check{Bound: atLeast}, Check{Bound: atMost}
	a, b := of(5, 6, 5, 6), of(1, 2, 1.5, 2)
	for _, tt := range []struct {
		c            *Check
		ours, theirs values
		want         string
	}{
		{&more, a, b, Brain},
		{&more, b, a, Reactive},
		{&less, a, b, Reactive},
		{&less, b, a, Brain},
		{&more, of(1, 5), of(2, 4), neither},
		{&more, of(5), of(1), neither},
	} {
		if g := tt.c.gain(tt.ours, tt.theirs); g == nil || g.Better != tt.want {
			t.Errorf("%s: %+v, want %s", tt.c.Bound, g, tt.want)
		}
	}
	if g := more.gain(of(math.NaN()), of(1)); g != nil {
		t.Errorf("a gain without a pair: %+v", g)
	}
}

// TestOpenIsNotJudged: a check that the specification leaves open does not fail
// a behaviour, and a missing part does.
func TestOpenIsNotJudged(t *testing.T) {
	open := check("open", atMost, 0, of(1))
	open.Open = true
	b := Behaviour{Checks: []Check{open, check("good", atMost, 2, of(1))}}
	if b.complete(); !b.Passed {
		t.Error("an open check fails the behaviour")
	}
	b = Behaviour{Checks: []Check{lacking("x", atMost, 1, needPlanner), check("good", atMost, 2, of(1))}}
	if b.complete(); b.Passed || b.Metric != "good" || len(b.Needs) != 1 {
		t.Errorf("with a missing part: passed %v, headline %s, needs %v", b.Passed, b.Metric, b.Needs)
	}
	b = Behaviour{Checks: []Check{check("good", atMost, 2, of(1))}, Same: &Same{Differ: []string{"sse"}}}
	if b.complete(); b.Passed {
		t.Error("engines that differ do not fail the behaviour")
	}
}

// TestFinding: a rule that is as good is a finding, and one that is worse is none.
func TestFinding(t *testing.T) {
	compare := func(ours, theirs values) string {
		c := Check{Metric: "way", Bound: atLeast, Threshold: 3, Over: overEach, Share: 1}
		c.judge(ours)
		c.against(Reactive, theirs, ours)
		b := Behaviour{ID: "B0", Checks: []Check{c}}
		return b.finding()
	}
	if got := compare(of(5, 6, 5), of(1, 2, 1)); got != "" {
		t.Errorf("better: %q", got)
	}
	for _, tt := range []struct {
		ours, theirs values
		want         string
	}{
		{of(5, 6, 5), of(5, 6, 5), "the reactive driver holds every limit, too"},
		{of(1, 2, 1), of(5, 6, 5), "the reactive driver holds every limit, the brain does not; the brain is behind in way (1 of the brain, 5 of the reactive driver, mean difference -4)"},
	} {
		if got := compare(tt.ours, tt.theirs); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestLateStopFails: a car that slows down late, or never, fails S1.
func TestLateStopFails(t *testing.T) {
	for _, tt := range []struct {
		begins, dead float64
		want         int // checks that fail
	}{{0.152, 0.25, 0}, {0.16, 0.25, 1}, {0.152, 0.3, 1}, {math.NaN(), math.NaN(), 2}} {
		if got := failed(slowed(of(tt.begins), of(tt.dead))); len(got) != tt.want {
			t.Errorf("slowing after %v s, dead after %v s: %v fail, want %d", tt.begins, tt.dead, got, tt.want)
		}
	}
}

// TestReversal: three in a row at the new side end it.
func TestReversal(t *testing.T) {
	arms := append(make([]int, trials), 1, -1, -1, 1, -1, -1, -1, -1, -1, -1)
	z := maze{on: []session{{1, arms}, {1, make([]int, trials+reversed)}}}
	if v := z.reversal(); v[0] == nil || *v[0] != 7 || v[1] != nil {
		t.Errorf("%v, want 7 and never", v.known())
	}
}
