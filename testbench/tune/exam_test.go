package tune_test

import (
	"errors"
	"strings"
	"testing"

	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/trials"
	"fieldbrain/testbench/tune"
)

// fake drives nothing: every drive comes to a share of the map, with contacts and falls.
func fake(name string, share float64, contacts, falls int) trials.Pilot {
	return trials.Pilot{Name: name, Drive: func(sc *scenarios.Scenario, seed uint64, _ *oracle.Map) (*testbench.Result, error) {
		s := share + 0.01*float64(seed%3)
		return &testbench.Result{Oracle: &s, Collisions: contacts, Falls: falls}, nil
	}}
}

// TestExam: the exam drives test worlds only, pairs them, and accepts only what is
// better beyond its interval without more contacts or falls.
func TestExam(t *testing.T) {
	for _, c := range []struct {
		name     string
		after    trials.Pilot
		accepted bool
		want     string
	}{
		{"better", fake("tuned", 0.7, 1, 0), true, "accepted: in 7 test worlds the cost changes by -0.400 (-0.400..-0.400), and contacts a drive go from 1.000 to 1.000. They become the defaults only through a commit"},
		{"worse", fake("tuned", 0.4, 1, 0), false, "The defaults stay: in 7 test worlds the cost changes by +0.200"},
		{"no better", fake("tuned", 0.5, 1, 0), false, "does not lie below zero"},
		{"less contacts", fake("tuned", 0.5, 0, 0), true, "accepted"},
		{"a high price", fake("tuned", 1, 4, 0), false, "does not lie below zero"},
		{"one that falls", fake("tuned", 0.9, 0, 1), false, "does not lie below zero"},
	} {
		x := tune.Exam{Families: []string{"room", "corner", "office"}, Profile: plant.P1, Worlds: 7, Before: fake("default", 0.5, 1, 0), After: c.after, Workers: 2}
		m, err := x.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if m.Accepted() != c.accepted || !strings.Contains(m.Verdict(), c.want) || m.Worlds != 7 {
			t.Errorf("%s: %v, %s", c.name, m.Accepted(), m.Verdict())
		}
		for _, f := range m.Metrics {
			if f.Gap.Pairs != 7 || f.Gap.Low > f.Gap.High {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		var page strings.Builder
		r := &tune.Report{Knobs: []tune.Knob{{Name: "law.keep", Start: 0.5, Best: 0.7, High: 2}}}
		if err := r.Markdown(&page, m, tune.Heading{Command: "fieldbrain tune"}); err != nil || !strings.Contains(page.String(), m.Verdict()) || !strings.Contains(page.String(), "| `law.keep` | 0.5 | 0.7 | 0 .. 2 |") {
			t.Errorf("%s: %v, %s", c.name, err, &page)
		}
	}
	if v := (*tune.Marks)(nil).Verdict(); v != "The defaults stay: the search found nothing better in its own worlds." {
		t.Error(v)
	}
}

// TestVerdictNeedsFewContacts: a lower cost does not buy contacts or falls.
func TestVerdictNeedsFewContacts(t *testing.T) {
	for name, pilots := range map[string][2]trials.Pilot{
		"but contacts a drive go from 0.000 to 1.000": {fake("default", 0, 0, 0), fake("tuned", 0.9, 1, 0)},
		"but falls a drive go from 1.000 to 2.000":    {fake("default", 0, 0, 1), fake("tuned", 0.9, 0, 2)},
	} {
		x := tune.Exam{Families: []string{"corner"}, Profile: plant.P0, Worlds: 4, Before: pilots[0], After: pilots[1], Workers: 1}
		m, err := x.Run(t.Context())
		if err != nil || m.Accepted() || !strings.Contains(m.Verdict(), name) {
			t.Errorf("%v, want %q: %v", m.Verdict(), name, err)
		}
	}
}

// TestExamHash: drives that are the same have the same hash however many drive at once;
// one other trajectory has another, and report and page say both.
func TestExamHash(t *testing.T) {
	driver := func(name string, other uint64) trials.Pilot {
		return trials.Pilot{Name: name, Drive: func(_ *scenarios.Scenario, seed uint64, _ *oracle.Map) (*testbench.Result, error) {
			way := "same"
			if seed == other {
				way = "other"
			}
			share := 0.5
			return &testbench.Result{Oracle: &share, Trajectory: way}, nil
		}}
	}
	run := func(workers int, other uint64) *tune.Marks {
		x := tune.Exam{Families: []string{"corner", "room"}, Profile: plant.P0, Worlds: 4, Before: driver("default", 0), After: driver("tuned", other), Workers: workers}
		m, err := x.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m, again := run(1, 0), run(3, 0)
	if m.Before != m.After || m.Before != again.Before || m.After != again.After || len(m.After) != 16 {
		t.Errorf("the same drives hash to %s, %s, %s and %s", m.Before, m.After, again.Before, again.After)
	}
	seed := (&trials.Roster{Families: []string{"corner"}, Profiles: []plant.Profile{plant.P0}, Worlds: 1, Set: family.Test}).List()[0].Seed
	changed := run(2, seed)
	if changed.After == m.After || changed.Before != m.Before {
		t.Errorf("another drive: %s before, %s after, as without it", changed.Before, changed.After)
	}
	var page, text strings.Builder
	r := &tune.Report{}
	if err := errors.Join(r.Markdown(&page, changed, tune.Heading{}), changed.Print(&text)); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{page.String(), text.String()} {
		if !strings.Contains(out, changed.Before) || !strings.Contains(out, changed.After) {
			t.Errorf("no hashes in %s", out)
		}
	}
}
