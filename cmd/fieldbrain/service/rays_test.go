package service

import (
	"strings"
	"testing"

	"fieldbrain/cmd/fieldbrain/car"
)

// TestRaysMissed: rays that the card should have cast are a degraded state of one value,
// until it has cast them for a while; those of a time without a card are the card's.
func TestRaysMissed(t *testing.T) {
	late := car.RaysState{Asked: true, Why: "the card's answer was late", Last: "the card's answer was late", Answered: 500, Late: 2, Busy: 1}
	for _, c := range []struct {
		name   string
		change func(r *car.RaysState)
		plans  bool
		is     bool
		remedy string
	}{
		{"late", func(*car.RaysState) {}, true, true, "none needed"},
		{"nobody plans", func(*car.RaysState) {}, false, false, "none needed"},
		{"in time again", func(r *car.RaysState) { r.Row = raysAgain - 1 }, true, true, "none needed"},
		{"in time for long", func(r *car.RaysState) { r.Row = raysAgain }, true, false, "none needed"},
		{"wrong", func(r *car.RaysState) { r.Wrong = 9 }, true, true, "--selftest"},
		{"no card meanwhile", func(r *car.RaysState) { *r = car.RaysState{Asked: true, Absent: 900} }, true, false, "none needed"},
	} {
		r := late
		c.change(&r)
		cond, is := raysMissed(r, c.plans)
		if is != c.is || !strings.Contains(cond.Remedy, c.remedy) || cond.Name != "gpu rays" || !strings.Contains(cond.Value, "the processor casts") {
			t.Errorf("%s: %+v, %v", c.name, cond, is)
		}
	}
	if cond, _ := raysMissed(late, true); !strings.Contains(cond.Cause, "in 3 ticks") || !strings.Contains(cond.Cause, "late") {
		t.Errorf("the cause %q does not say how often and why", cond.Cause)
	}
	if raysStatus(car.RaysState{}) != nil {
		t.Error("a status of rays that nobody wanted")
	}
	if s := raysStatus(late); s.Card || s.Late != 2 || s.Line() != "plans on the processor: the card's answer was late (rays of 500 ticks, late 2, busy 1, gone 0, wrong 0)" {
		t.Errorf("%+v: %s", s, s.Line())
	}
}
