package brain

import (
	"testing"

	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
)

// TestRungsScaleThePlanner: a rung takes effect with the next plan, stops
// planning where it says so, and gives all of it back.
func TestRungsScaleThePlanner(t *testing.T) {
	p := Default()
	p.Effort = plan.Full()
	e, err := newExplorer(&p)
	if err != nil {
		t.Fatal(err)
	}
	b := &Brain{ladder: quality.Ladder(), explorer: e, full: p.Effort}
	for rung, want := range []int{512, 128, 0, 0} {
		e.planner.Begin(&plan.Situation{}, plan.Full())
		b.take(rung)
		if e.effort.RaysPerTick != want || e.planner.Busy() {
			t.Errorf("%s: %d rays per tick, a plan under way %v; want %d and none", b.ladder[rung].Name, e.effort.RaysPerTick, e.planner.Busy(), want)
		}
		if e.effort.On() != (want > 0) || b.in.Quality != b.ladder[rung].Field {
			t.Errorf("%s: effort %+v, quality %+v", b.ladder[rung].Name, e.effort, b.in.Quality)
		}
	}
	if b.take(0); e.effort != plan.Full() {
		t.Errorf("back on the best rung: %+v", e.effort)
	}
	b.explorer = nil // no planner: nothing to scale
	b.take(quality.NumRungs - 1)
}
