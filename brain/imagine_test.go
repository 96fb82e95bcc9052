package brain_test

import (
	"math"
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/testbench/tier"
)

// imagines makes a brain plan by imagined drives, on a rung.
func imagines(rung, isa string) func(*brain.Params) {
	return func(p *brain.Params) {
		p.Effort, p.Planner, p.Quality, p.Rays = plan.Full(), brain.PlannerRollout, rung, isa
	}
}

// TestImaginedPlanIsAStimulus: the blend of imagined drives reaches the field as any plan
// does, within its bounds, and the status names who plans.
func TestImaginedPlanIsAStimulus(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	full := quality.Names()[1]
	l, b, _, imagined := corner(t, 400, imagines(full, "auto"))
	if l.plans < 200 || l.speeds < l.plans || l.gazes == 0 {
		t.Errorf("%d headings, %d speeds and %d gazes were planned in 2 s", l.plans, l.speeds, l.gazes)
	}
	if l.widest > 35*math.Pi/180+1e-6 || l.strongest > 1 {
		t.Errorf("a plan pulled to %.3f rad with amplitude %.2f", l.widest, l.strongest)
	}
	if got := b.Remote().Status().Planner; got != brain.PlannerRollout {
		t.Errorf("the status says that %q plans", got)
	}
	_, tree, _, planned := explorer(t, full, plan.Full(), "auto", 400)
	if got := tree.Remote().Status().Planner; got != brain.PlannerTree {
		t.Errorf("of the other planner the status says %q", got)
	}
	same := true
	for i := range imagined {
		same = same && imagined[i] == planned[i]
	}
	if same {
		t.Error("both planners give the same commands: the test tests nothing")
	}
	_, idle, _, _ := corner(t, 20, func(p *brain.Params) { p.Planner = brain.PlannerRollout })
	if got := idle.Remote().Status().Planner; got != "" {
		t.Errorf("nobody asks for plans, and the status says that %q plans", got)
	}
}

// TestImaginedPlansAreEqual: every instruction set of the imagined drives leads to the
// same commands.
func TestImaginedPlansAreEqual(t *testing.T) {
	_, _, _, want := corner(t, 200, imagines(quality.Names()[1], belief.PureGo))
	for _, isa := range append(belief.ISAs(), "auto") {
		_, _, _, got := corner(t, 200, imagines(quality.Names()[1], isa))
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: command %d is %+v, want %+v", isa, i, got[i], want[i])
			}
		}
	}
}

// TestRungsImagine: the two best rungs plan, the others give it up.
func TestRungsImagine(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	for i, rung := range quality.Names()[1:] {
		l, _, _, _ := corner(t, 300, imagines(rung, "auto"))
		if planned := l.plans > 0; planned != (i < 2) {
			t.Errorf("rung %s: %d ticks had a plan", rung, l.plans)
		}
	}
}

func TestImaginingAllocatesNothing(t *testing.T) {
	_, b, body, _ := corner(t, 50, imagines(quality.Names()[1], "auto"))
	if n := testing.AllocsPerRun(300, func() {
		body.now += brain.Default().Period
		b.Tick(body.now)
	}); n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
}

func TestUnknownPlannersAreRefused(t *testing.T) {
	p := brain.Default()
	p.Planner = "oracle"
	if _, err := brain.New(newStill(), nil, newStill(), p); err == nil || !strings.Contains(err.Error(), brain.PlannerTree) {
		t.Errorf("%v does not name what there is", err)
	}
	p.Planner, p.Rollout.Temperature = brain.PlannerRollout, 0
	if _, err := brain.New(newStill(), nil, newStill(), p); err == nil || !strings.Contains(err.Error(), "temperature") {
		t.Errorf("%v does not name the temperature", err)
	}
	p.Planner = brain.PlannerTree // nobody imagines anything
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
}
