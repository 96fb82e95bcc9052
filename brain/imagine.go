package brain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbrain/brain/plan"
	"fieldbrain/brain/rollout"
	"fieldbrain/field/exact"
)

// The planners that Params.Planner names.
const (
	PlannerTree    = "tree"    // brain/plan: thirteen actions, searched as a tree
	PlannerRollout = "rollout" // brain/rollout: thousands of imagined drives, blended
)

// Planners returns what Params.Planner may be, the default first.
func Planners() []string { return []string{PlannerTree, PlannerRollout} }

// validPlanner complains about a name that is none, empty is the default, and about
// imagined drives that cannot be imagined.
func (p *Params) validPlanner() error {
	switch {
	case p.Planner == PlannerRollout:
		w := p.imagined()
		w.Fast = p.Top // to which people may raise it
		return w.Validate()
	case p.Planner == "" || slices.Contains(Planners(), p.Planner):
		return nil
	}
	return fmt.Errorf("brain: planner %q is not known: choose one of %s", p.Planner, strings.Join(Planners(), ", "))
}

// imagination plans by imagined drives: a question to brain/rollout, then a counted share
// of the work in every tick, so that the answer comes a fixed number of ticks later.
type imagination struct {
	planner *rollout.Planner
	period  time.Duration // of the ticks
	ticks   int           // from question to answer on the best rung
	share   int           // so many times as long on this one
	tick    int           // of them since the question
	since   time.Duration // the last plan began, less the steps it has been told of
}

const (
	imagineEvery = 100 * time.Millisecond // from question to question on the best rung
	carrot       = 1.0                    // m along the way to the goal: what a plan drives at cruise speed, about
)

// newImagination returns one where the parameters ask for it, else nil.
func newImagination(p *Params) (*imagination, error) {
	if p.Planner != PlannerRollout {
		return nil, nil
	}
	q, err := rollout.New(p.Rays, p.imagined(), p.Key)
	if err != nil {
		return nil, err
	}
	return &imagination{planner: q, period: p.Period, ticks: max(int(imagineEvery/p.Period), 1), share: 1}, nil
}

// portion is the next tick's part of the work: all parts are as equal as whole units can
// be, and the last unit is in the last tick's.
func (m *imagination) portion() int {
	before, of := m.tick, m.ticks*m.share
	m.tick++
	return m.planner.Units()*m.tick/of - m.planner.Units()*before/of
}

// forget drops the plan under way and the last one, which no longer is about where the
// car is.
func (m *imagination) forget() {
	if m != nil {
		m.planner.Forget()
		m.since = 0
	}
}

// reset makes it what it was at the start.
func (m *imagination) reset() {
	if m != nil {
		m.planner.Reset()
		m.since = 0
	}
}

// cancel drops the plan under way, whichever planner makes it.
func (e *explorer) cancel() {
	e.planner.Cancel()
	if e.imagined != nil {
		e.imagined.planner.Cancel()
	}
}

// name says who plans, nothing where nobody does.
func (e *explorer) name() string {
	switch {
	case !e.on():
		return ""
	case e.imagined != nil:
		return PlannerRollout
	}
	return PlannerTree
}

// imagine asks for a plan, or does a tick's work on the one under way.
func (e *explorer) imagine(o *explorerInput) {
	m := e.imagined
	m.since += m.period
	if !m.planner.Busy() {
		e.ask(o)
	}
	p, done := m.planner.Advance(m.portion())
	if !done {
		return
	}
	now := m.planner.At(int((m.since + m.planner.Step()/2) / m.planner.Step()))
	at := e.reference()
	look := e.pose.Heading
	if dx, dy := float64(p.EndX-at.X), float64(p.EndY-at.Y); exact.Hypot(dx, dy) > planNear {
		look = float32(exact.Atan2(dy, dx))
	}
	e.plan = plan.Plan{
		X: p.X, Y: p.Y, Gaze: look,
		Action: plan.Action{Steering: now.Steering, Speed: throttle(now.Speed / e.body.cruise)},
	}
	e.have, e.age = true, 0
}

// throttle is what a blended speed asks for, both as shares of the cruise speed. Noise is
// cut off at cruise speed and not below it, so a blend is slower than its drives need be:
// ahead, the free way says how fast.
func throttle(blended float32) float32 {
	if blended > 0 {
		return 1
	}
	return blended
}

// ask begins a plan at the car's place, from what is left of the last one.
func (e *explorer) ask(o *explorerInput) {
	m := e.imagined
	step := m.planner.Step()
	s := rollout.Situation{
		State: rollout.State{
			X: e.pose.X, Y: e.pose.Y, Heading: e.pose.Heading,
			Speed: float32(o.speed), Steering: float32(o.steering),
		},
		Ground: o.ground, Belief: e.belief, Elapsed: int(m.since / step), GoalWeight: o.weight,
	}
	m.since %= step
	at := e.reference()
	way, far := float64(e.pose.Heading)+o.way, min(max(o.left, 0), carrot)
	s.GoalX, s.GoalY = at.X+float32(far*exact.Cos(way)), at.Y+float32(far*exact.Sin(way))
	if e.goal, m.tick = o.weight, 0; o.weight == 0 && o.known {
		s.GoalWeight = 1 // the way to unseen floor
	}
	m.planner.Begin(&s)
}
