package service

import (
	"fmt"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// raysAgain is how many ticks in a row a card casts the planner's rays until nobody
// speaks of those that it did not: ten seconds of 5 ms.
const raysAgain = 2000

// raysStatus returns who casts the planner's rays, nil while nobody has wanted any.
func raysStatus(r car.RaysState) *daemon.RaysStatus {
	if !r.Asked {
		return nil
	}
	return &daemon.RaysStatus{
		Card: r.Card, Why: r.Why, Answered: r.Answered,
		Absent: r.Absent, Late: r.Late, Busy: r.Busy, Gone: r.Gone, Wrong: r.Wrong,
	}
}

// raysMissed says that a card which steps the field left rays of the planner to the
// processor, and whether it does while somebody plans. Its value is always the same, so
// that the log has a line when that begins and one when it is over.
func raysMissed(r car.RaysState, plans bool) (loop.Condition, bool) {
	missed := r.Late + r.Busy + r.Gone + r.Wrong
	c := loop.Condition{
		Name: "gpu rays", Value: "the processor casts rays of the planner that the graphics card should",
		Cause:  fmt.Sprintf("in %d ticks, %d in a row since then without; the newest reason: %s", missed, r.Row, r.Last),
		Remedy: "none needed: the plans are the same; end what else uses the card, or see fieldbrain status for how often",
	}
	if r.Wrong > 0 {
		c.Remedy = "run fieldbrain-gpu --selftest: this card or its program computes plans wrongly; the processor plans until there is another"
	}
	return c, plans && missed > 0 && r.Row < raysAgain
}
