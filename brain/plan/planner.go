package plan

import (
	"math"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

const (
	maxDepth  = 3
	maxBeam   = 4
	unit      = belief.Columns // rays of one row: the unit of work
	firstRows = 4              // rows after which the number of rays is settled
	seeStride = 4

	descent   = 3 // units of work to make a child a parent: its path, its rays
	spreading = 6 // units of work of belief.Reach
)

// A Situation is the beginning of a plan.
type Situation struct {
	State
	Goal, GoalWeight float32          // bearing in rad and weight 0..1
	Ground           *ground.Grid     // what the body may touch; nil asks the belief
	Agree            [Actions]float32 // 0..1, how much the field leans to each action
}

// A Plan is the best sequence found.
type Plan struct {
	Action   Action  // the first of it
	X, Y     float32 // m, where the reference point is after it
	Gaze     float32 // rad of the world, where most is to be learned from where it began
	Value    float32 // score
	Rays     int     // cast for it
	Sequence [maxDepth]int8
	Depth    int
}

// A node is one sequence of actions.
type node struct {
	end      State
	score    float32
	x, y     float32
	sequence [maxDepth]int8
	parent   int8 // in the beam
	action   int8
}

// A Planner searches a little per tick.
type Planner struct {
	params Params
	model  Model
	effort Effort

	busy      bool
	situation Situation
	level     int
	parents   [maxBeam]node
	fresh     [maxBeam]node // best children so far, best first
	breadth   int           // of parents
	kept      int           // of fresh
	at        int           // parent under way
	action    int           // of it
	paths     Paths         // of the parent under way
	fan       belief.Fan
	rows      int // cast of the pose under way
	wanted    int // of it
	seen      [2][maxBeam]belief.Seen
	path      belief.Seen // scratch
	weights   [unit]int32
	reach     belief.Reach
	left      int // units of work before this tick is done; negative when one did more
	rays      int
	looked    bool // the fan from where the car is was cast
	next      Plan
}

// New returns a planner that has not begun.
func New(p Params) (*Planner, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	q := &Planner{params: p, model: NewModel(&p)}
	for c := range q.weights {
		off := (float64(c) + 0.5 - unit/2) * belief.Turn
		q.weights[c] = int32(math.Floor(float64(256*exact.Cos(off)) + 0.5))
	}
	return q, nil
}

// Busy reports whether a plan is under way.
func (p *Planner) Busy() bool { return p.busy }

// Cancel drops the plan under way.
func (p *Planner) Cancel() { p.busy = false }

// Cruise plans with another speed of the fast actions from the next plan on, in m/s; it
// drops the plan under way.
func (p *Planner) Cruise(speed float32) {
	p.busy = false
	p.params.Cruise = speed
	p.model = NewModel(&p.params)
}

// Begin starts a plan from a situation with an effort; an effort of zero starts
// nothing.
func (p *Planner) Begin(s *Situation, e Effort) {
	if !e.On() {
		p.busy = false
		return
	}
	p.effort, p.situation = e.bounded(), *s
	p.busy, p.looked, p.level, p.rays, p.left = true, false, 0, 0, 0
	p.parents[0] = node{end: s.State}
	p.breadth, p.kept, p.at = 1, 0, 0
	p.seen[0][0] = belief.Seen{}
	p.next = Plan{}
	p.pose(s.State)
	p.model.Propagate(&p.parents[0].end, &p.paths)
	p.action = 0
}

// Advance does one tick's work on the plan under way and returns it when it is
// finished. Work beyond the tick's share is missing from the next.
func (p *Planner) Advance(b *belief.Belief) (Plan, bool) {
	if !p.busy {
		return Plan{}, false
	}
	for p.left += max(p.effort.RaysPerTick/unit, 1); p.left > 0; {
		switch {
		case !p.looked:
			p.left -= p.lookAround(b)
		case p.at < p.breadth:
			p.left--
			p.child(b)
		default:
			if p.left -= p.kept * descent; p.descend(b) {
				return p.next, true
			}
		}
	}
	return Plan{}, false
}

// pose prepares the fan of a state.
func (p *Planner) pose(s State) {
	p.fan = belief.Fan{First: belief.Ahead(float64(s.Heading))}
	p.rows, p.wanted = 0, firstRows
}

// rowOrder spreads any number of first rows evenly over the elevations.
var rowOrder = func() (order [belief.Rows]int) {
	for i := range order {
		for bit := range 5 {
			order[i] |= (i >> bit & 1) << (4 - bit)
		}
	}
	return order
}()

// cast does one row of the fan under way and reports whether it was the last:
// where the rays end near there are few cells to tell apart and few rays do.
func (p *Planner) cast(b *belief.Belief, s State, seen *belief.Seen) bool {
	from := belief.Place{
		X: s.X + float32(p.params.Ahead*float32(exact.Cos(float64(s.Heading)))),
		Y: s.Y + float32(p.params.Ahead*float32(exact.Sin(float64(s.Heading)))),
		Z: p.params.Height,
	}
	p.fan.Row, p.fan.Count, p.fan.Stride = rowOrder[p.rows], 1, 1
	b.Cast(from, seen, &p.fan)
	p.rows++
	p.rays += unit
	if p.rows == firstRows {
		mean := int(p.fan.Visits) / (firstRows * unit) // cells per ray
		p.wanted = min(max(2*mean, firstRows), p.effort.Rays/unit)
	}
	return p.rows >= p.wanted
}

// lookAround finds the most informative direction from where the car is, and
// the ways to unknown cells; it returns its work in units.
func (p *Planner) lookAround(b *belief.Belief) int {
	if !p.cast(b, p.situation.State, nil) {
		return 1
	}
	p.looked = true
	b.Spread(&p.reach)
	const window = 16 // azimuths, 22.5 deg
	sum, best, at := int64(0), int64(-1), unit/2
	for c, gain := range p.fan.Gain {
		sum += int64(gain)
		if c >= window {
			sum -= int64(p.fan.Gain[c-window])
		}
		if c >= window-1 && sum > best {
			best, at = sum, c-window/2
		}
	}
	p.next.Gaze = float32(exact.Wrap(float64((float64(p.fan.First+at) + 0.5) * belief.Turn)))
	p.pose(p.paths.End[0])
	return 1 + spreading
}

// child casts one row for the action under way; with the last row it scores it.
func (p *Planner) child(b *belief.Belief) {
	if !p.cast(b, p.paths.End[p.action], &p.seen[p.level&1][p.at]) {
		return
	}
	p.keep(p.score(b))
	if p.action++; p.action == Actions {
		p.action = 0
		if p.at++; p.at < p.breadth {
			p.model.Propagate(&p.parents[p.at].end, &p.paths)
		}
	}
	if p.at < p.breadth {
		p.pose(p.paths.End[p.action])
	}
}

// score returns the finished child.
func (p *Planner) score(b *belief.Belief) node {
	w, a, from := &p.params, p.action, &p.parents[p.at]
	n := node{
		end: p.paths.End[a], parent: int8(p.at), action: int8(a), sequence: from.sequence,
		x: p.paths.X[Marks-1][a], y: p.paths.Y[Marks-1][a],
	}
	n.sequence[p.level] = int8(a)
	ground, risk := p.sweep(b, a)
	v := float32(w.Look*p.look()) + float32(w.Ground*ground)
	v += float32(w.Reach*p.reach.At(n.x, n.y)) - float32(w.Risk*risk)
	v += float32(w.Goal * p.progress(from, &n))
	if p.level == 0 {
		v += float32(w.Agree * p.situation.Agree[a])
	}
	change := p.model.actions[a].Steering - from.end.Steering
	v -= float32(w.Turn * float32(max(change, -change)*(1/(2*lock))))
	if p.model.actions[a].Speed < 0 {
		v -= w.Back
	}
	discount := float32(1)
	for range p.level {
		discount = float32(discount * w.Discount)
	}
	n.score = from.score + float32(discount*v)
	return n
}

// look is the mean gain of the fan's rays in bits, those ahead counting most.
func (p *Planner) look() float32 {
	sum, all := int64(0), int64(0)
	for c, gain := range p.fan.Gain {
		sum += int64(gain) * int64(p.weights[c])
		all += int64(p.weights[c])
	}
	return float32(float64(sum) / float64(all*int64(p.rows)*belief.One))
}

// sweep returns in bits how much the floor under a path teaches, and the worst risk
// on it; p.path then holds the cells that the path sees.
func (p *Planner) sweep(b *belief.Belief, a int) (ground, risk float32) {
	p.path = p.seen[p.level&1][p.at]
	for n := range Marks {
		x, y := p.paths.X[n][a], p.paths.Y[n][a]
		ground += b.Sweep(x, y, &p.path)
		if g := p.situation.Ground; g != nil {
			risk = max(risk, g.Risk(x, y))
		} else {
			risk = max(risk, b.Risk(x, y))
		}
	}
	return ground, risk
}

// progress is how many metres nearer to the goal a child is than its parent.
func (p *Planner) progress(from, to *node) float32 {
	if p.situation.GoalWeight == 0 {
		return 0
	}
	way := float64(p.situation.Heading + p.situation.Goal)
	dx, dy := to.end.X-from.end.X, to.end.Y-from.end.Y
	along := float32(dx*float32(exact.Cos(way))) + float32(dy*float32(exact.Sin(way)))
	return float32(along * p.situation.GoalWeight)
}

// keep puts a child among the best.
func (p *Planner) keep(n node) {
	i := p.kept
	for i > 0 && p.fresh[i-1].score < n.score {
		i--
	}
	if i == p.effort.Beam {
		return
	}
	p.kept = min(p.kept+1, p.effort.Beam)
	copy(p.fresh[i+1:p.kept], p.fresh[i:p.kept-1])
	p.fresh[i] = n
}

// descend makes the best children parents, or ends the search.
func (p *Planner) descend(b *belief.Belief) (done bool) {
	if p.level++; p.level == p.effort.Depth {
		p.finish()
		return true
	}
	for i, n := range p.fresh[:p.kept] {
		seen := &p.seen[p.level&1][i]
		*seen = p.seen[(p.level-1)&1][n.parent]
		p.retrace(b, n, seen)
	}
	p.parents, p.breadth, p.kept, p.at, p.action = p.fresh, p.kept, 0, 0, 0
	p.model.Propagate(&p.parents[0].end, &p.paths)
	p.pose(p.paths.End[0])
	return false
}

// retrace adds to seen the cells that a child would have swept and seen.
func (p *Planner) retrace(b *belief.Belief, n node, seen *belief.Seen) {
	p.model.Propagate(&p.parents[n.parent].end, &p.paths)
	for i := range Marks {
		b.Sweep(p.paths.X[i][n.action], p.paths.Y[i][n.action], seen)
	}
	b.See(belief.Place{X: n.x, Y: n.y, Z: p.params.Height}, float64(n.end.Heading), seeStride, seen)
	p.rays += belief.MaxRays / (seeStride * seeStride)
}

// finish reads the plan off the best sequence.
func (p *Planner) finish() {
	best := &p.fresh[0]
	first := best.sequence[0]
	p.model.Propagate(&p.situation.State, &p.paths)
	p.next.Action = p.model.actions[first]
	p.next.X, p.next.Y = p.paths.X[Marks-1][first], p.paths.Y[Marks-1][first]
	p.next.Value, p.next.Sequence, p.next.Depth = best.score, best.sequence, p.level
	p.next.Rays, p.busy = p.rays, false
}
