package tune_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"fieldbrain/testbench"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tune"
)

// job tunes reactive+ in few and short drives.
func job() tune.Job {
	j := tune.Job{
		Pilot: "reactive+", Profile: plant.P1, Budget: 8, Worlds: 2, Seconds: 6,
		Drive: func(values []float64, sc *scenarios.Scenario, o testbench.Options) (*testbench.Result, error) {
			pilot, err := pilots.With("reactive+", values)
			if err != nil {
				return nil, err
			}
			return testbench.Run(sc, 1, pilot, o)
		},
	}
	for _, k := range pilots.Knobs(j.Pilot, j.Profile) {
		j.Knobs = append(j.Knobs, tune.Knob{Name: k.Name, Start: k.Value, Low: k.Low, High: k.High})
	}
	return j
}

// TestRun: it keeps to its budget, never ends worse than it began, stays within
// the bounds, and finds the same again.
func TestRun(t *testing.T) {
	calls := 0
	j := job()
	j.Progress = func(done, total int, _ float64) {
		calls++
		if done != calls || total != 8 {
			t.Errorf("call %d: %d of %d", calls, done, total)
		}
	}
	r, err := tune.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if calls != 8 || r.After > r.Before || len(r.Worlds) != 2 || len(r.Knobs) != len(j.Knobs) {
		t.Errorf("%d evaluations: %+v", calls, r)
	}
	for _, k := range r.Knobs {
		if k.Best < k.Low || k.Best > k.High {
			t.Errorf("%+v", k)
		}
	}
	j.Progress = nil
	if again, err := tune.Run(t.Context(), j); err != nil || !reflect.DeepEqual(r, again) {
		t.Errorf("then %+v, %v", again, err)
	}
}

// TestRunFindsABetterOne: from numbers that hardly drive it comes away.
func TestRunFindsABetterOne(t *testing.T) {
	j := job()
	j.Budget = 20
	for i := range j.Knobs {
		if j.Knobs[i].Name == "near_m" { // backs out from what is far away
			j.Knobs[i].Start = j.Knobs[i].High
		}
	}
	r, err := tune.Run(t.Context(), j)
	if err != nil || r.After >= r.Before || r.Improved < 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRunRefuses(t *testing.T) {
	j := job()
	refusal := errors.New("not with these")
	j.Drive = func([]float64, *scenarios.Scenario, testbench.Options) (*testbench.Result, error) {
		return nil, refusal
	}
	if _, err := tune.Run(t.Context(), j); !errors.Is(err, refusal) {
		t.Errorf("%v", err)
	}
}

// TestCost: what costs more is worse: a contact, a fall, standing, no arrival, a
// late arrival, less coverage.
func TestCost(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	order := []struct {
		name string
		r    testbench.Result
	}{
		{"at the goal in the least time", testbench.Result{Goal: number(10), Least: number(10), Progress: number(1)}},
		{"in twice that", testbench.Result{Goal: number(20), Least: number(10), Progress: number(1)}},
		{"not there, but near", testbench.Result{Least: number(10), Progress: number(0.9)}},
		{"with a contact", testbench.Result{Least: number(10), Progress: number(0.9), Collisions: 1}},
		{"having stood", testbench.Result{Least: number(10), Progress: number(0.9), Collisions: 1, Standing: 30}},
		{"fallen", testbench.Result{Least: number(10), Progress: number(0.9), Collisions: 1, Standing: 30, Falls: 1}},
	}
	last := -1.0
	for _, o := range order {
		cost := tune.Cost(&o.r, 60)
		if cost <= last {
			t.Errorf("%s costs %.3f, no more than the one before (%.3f)", o.name, cost, last)
		}
		last = cost
	}
	if first := tune.Cost(&order[0].r, 60); first != 0 {
		t.Errorf("the best drive costs %v", first)
	}
	half := testbench.Result{Oracle: number(0.5)}
	if cost := tune.Cost(&half, 60); cost != 1 {
		t.Errorf("half of the coverage costs %v", cost)
	}
}

func TestFamilies(t *testing.T) {
	for _, name := range tune.Families() {
		if strings.HasPrefix(name, "line") {
			t.Errorf("%s: all pilots follow lines alike", name)
		}
	}
}
