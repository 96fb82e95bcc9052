package brain_test

import (
	"math"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
	"fieldbrain/testbench/tier"
)

// listener is an engine that notes its inputs.
type listener struct {
	field.Engine
	plans, speeds, gazes int
	widest, strongest    float64
}

func (l *listener) Step(in *field.Input) (*field.Output, error) {
	for _, t := range in.Terms[:in.NumTerms] {
		switch {
		case t.Channel == field.PlanHead:
			l.plans++
			l.widest = max(l.widest, math.Abs(field.Bearing(float64(t.Centre[0]))))
			l.strongest = max(l.strongest, float64(t.A))
		case t.Channel == field.PlanHead+1:
			l.speeds++
		case t.Channel == field.Gaze && t.A > 2:
			l.gazes++
		}
	}
	return l.Engine.Step(in)
}

// explorer drives a brain that plans, in a corner, and returns its commands.
func explorer(t testing.TB, rung string, effort plan.Effort, rays string, ticks int) (*listener, *brain.Brain, *still, []robot.Command) {
	t.Helper()
	return corner(t, ticks, func(p *brain.Params) { p.Effort, p.Rays, p.Quality = effort, rays, rung })
}

// corner drives a brain in a corner, and returns its commands.
func corner(t testing.TB, ticks int, change func(*brain.Params)) (*listener, *brain.Brain, *still, []robot.Command) {
	t.Helper()
	engine, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	body, l := newStill(), &listener{Engine: engine}
	body.see(robot.Front, 0.9)
	body.see(robot.Left30, 0.5)
	body.see(robot.Right60, 1.5)
	p := brain.Default()
	change(&p)
	b, err := brain.New(body, l, body, p)
	if err != nil {
		t.Fatal(err)
	}
	var commands []robot.Command
	for i := range ticks {
		body.now += p.Period
		for s := range body.state.Range {
			body.state.Range[s].Value += float32(i%3-1) * 0.001
		}
		b.Tick(body.now)
		commands = append(commands, body.last)
		if i == 10 {
			if err := b.Arm(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return l, b, body, commands
}

// TestPlanIsAStimulus: a plan reaches the field as an input, within its bounds;
// without effort there is none.
func TestPlanIsAStimulus(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	on, _, _, planned := explorer(t, quality.Names()[1], plan.Full(), "auto", 400)
	if on.plans < 50 || on.speeds < on.plans || on.gazes == 0 {
		t.Errorf("%d headings, %d speeds and %d gazes were planned in 2 s", on.plans, on.speeds, on.gazes)
	}
	if on.widest > 35*math.Pi/180+1e-6 || on.strongest > 1 {
		t.Errorf("a plan pulled to %.3f rad with amplitude %.2f", on.widest, on.strongest)
	}
	off, _, _, plain := explorer(t, quality.Names()[1], plan.Effort{}, "auto", 400)
	if off.plans+off.speeds+off.gazes != 0 {
		t.Errorf("without effort %d headings, %d speeds and %d gazes", off.plans, off.speeds, off.gazes)
	}
	same := true
	for i := range planned {
		same = same && planned[i] == plain[i]
	}
	if same {
		t.Error("the plan changed no command: the test tests nothing")
	}
}

// TestPlansAreEqual: every instruction set of the rays leads to the same commands.
func TestPlansAreEqual(t *testing.T) {
	_, _, _, want := explorer(t, quality.Names()[1], plan.Full(), belief.PureGo, 300)
	for _, isa := range belief.ISAs() {
		_, _, _, got := explorer(t, quality.Names()[1], plan.Full(), isa, 300)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: command %d is %+v, want %+v", isa, i, got[i], want[i])
			}
		}
	}
}

// TestRungsPlan: the two best rungs plan, the others give it up.
func TestRungsPlan(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	for i, rung := range quality.Names()[1:] {
		l, _, _, _ := explorer(t, rung, plan.Full(), "auto", 500)
		if planned := l.plans > 0; planned != (i < 2) {
			t.Errorf("rung %s: %d ticks had a plan", rung, l.plans)
		}
	}
}

// TestEffortPauses: without effort the last plan fades and none follows; with it
// planning goes on.
func TestEffortPauses(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	l, b, body, _ := explorer(t, quality.Names()[1], plan.Full(), "auto", 400)
	run := func(n int) (plans int) {
		before := l.plans
		for range n {
			body.now += brain.Default().Period
			b.Tick(body.now)
		}
		return l.plans - before
	}
	b.Effort(plan.Effort{})
	run(102) // a plan holds 0.5 s
	if n := run(300); n > 0 {
		t.Errorf("paused, but %d ticks had a plan", n)
	}
	b.Effort(plan.Full())
	if n := run(400); n < 50 {
		t.Errorf("resumed, but only %d ticks had a plan", n)
	}
}

func TestPlanningAllocatesNothing(t *testing.T) {
	_, b, body, _ := explorer(t, quality.Names()[1], plan.Full(), "auto", 50)
	if n := testing.AllocsPerRun(300, func() {
		body.now += brain.Default().Period
		b.Tick(body.now)
	}); n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
}

func TestUnknownRaysAreRefused(t *testing.T) {
	p := brain.Default()
	p.Effort, p.Rays = plan.Full(), "mmx"
	if _, err := brain.New(newStill(), nil, newStill(), p); err == nil {
		t.Error("unknown rays are taken")
	}
}
