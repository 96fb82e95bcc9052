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
	firstRows = 4              // rows after which the number of rays is fixed
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

// A Tree looks for the best sequence of actions, a little per tick.
type Tree struct {
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
	lent      lent // rays that somebody else casts
}

// New returns a tree that has not begun to grow.
func New(p Params) (*Tree, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	t := &Tree{params: p, model: NewModel(&p)}
	for c := range t.weights {
		off := (float64(c) + 0.5 - unit/2) * belief.Turn
		t.weights[c] = int32(math.Floor(float64(256*exact.Cos(off)) + 0.5))
	}
	return t, nil
}

// Busy reports whether a plan is under way.
func (t *Tree) Busy() bool { return t.busy }

// Cancel drops the plan under way.
func (t *Tree) Cancel() { t.busy, t.lent.waits = false, false }

// Cruise plans with another speed of the fast actions from the next plan on, in m/s; it
// drops the plan under way.
func (t *Tree) Cruise(speed float32) {
	t.Cancel()
	t.params.Cruise = speed
	t.model = NewModel(&t.params)
}

// Begin starts a plan from a situation with an effort; an effort of zero starts
// nothing.
func (t *Tree) Begin(s *Situation, e Effort) {
	if t.Cancel(); !e.On() {
		return
	}
	t.effort, t.situation = e.bounded(), *s
	t.busy, t.looked, t.level, t.rays, t.left = true, false, 0, 0, 0
	t.parents[0] = node{end: s.State}
	t.breadth, t.kept, t.at = 1, 0, 0
	t.seen[0][0] = belief.Seen{}
	t.next = Plan{}
	t.pose(s.State)
	t.model.Propagate(&t.parents[0].end, &t.paths)
	t.action = 0
}

// Advance does one tick's work on the plan under way and returns it when it is
// finished. Work beyond the tick's share is missing from the next. While a Caster has
// the tick's rays the work waits for Reclaim.
func (t *Tree) Advance(b *belief.Belief) (Plan, bool) {
	t.Reclaim(b)
	if !t.busy {
		return Plan{}, false
	}
	t.left += max(t.effort.RaysPerTick/unit, 1)
	if t.lend(b) {
		return Plan{}, false
	}
	return t.work(b)
}

// work does what is left of a tick's work.
func (t *Tree) work(b *belief.Belief) (Plan, bool) {
	for t.left > 0 {
		switch {
		case !t.looked:
			t.left -= t.lookAround(b)
		case t.at < t.breadth:
			t.left--
			t.child(b)
		default:
			if t.left -= t.kept * descent; t.descend(b) {
				return t.next, true
			}
		}
	}
	return Plan{}, false
}

// pose prepares the fan of a state.
func (t *Tree) pose(s State) {
	t.fan = belief.Fan{First: belief.Ahead(float64(s.Heading))}
	t.rows, t.wanted = 0, firstRows
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

// eye is where the looks of a state are from.
func (t *Tree) eye(s State) belief.Place {
	return belief.Place{
		X: s.X + float32(t.params.Ahead*float32(exact.Cos(float64(s.Heading)))),
		Y: s.Y + float32(t.params.Ahead*float32(exact.Sin(float64(s.Heading)))),
		Z: t.params.Height,
	}
}

// cast does one row of the fan under way and reports whether it was the last:
// where the rays end near there are few cells to tell apart and few rays do.
func (t *Tree) cast(b *belief.Belief, s State, seen *belief.Seen) bool {
	t.fan.Row, t.fan.Count, t.fan.Stride = rowOrder[t.rows], 1, 1
	if from := t.eye(s); !t.lent.add(t.at, from, &t.fan) {
		b.Cast(from, seen, &t.fan)
	}
	t.rows++
	t.rays += unit
	if t.rows == firstRows {
		mean := int(t.fan.Visits) / (firstRows * unit) // cells per ray
		t.wanted = min(max(2*mean, firstRows), t.effort.Rays/unit)
	}
	return t.rows >= t.wanted
}

// lookAround finds the most informative direction from where the car is, and
// the ways to unknown cells; it returns its work in units.
func (t *Tree) lookAround(b *belief.Belief) int {
	if !t.cast(b, t.situation.State, nil) {
		return 1
	}
	t.looked = true
	b.Spread(&t.reach)
	const window = 16 // azimuths, 22.5 deg
	sum, best, at := int64(0), int64(-1), unit/2
	for c, gain := range t.fan.Gain {
		sum += int64(gain)
		if c >= window {
			sum -= int64(t.fan.Gain[c-window])
		}
		if c >= window-1 && sum > best {
			best, at = sum, c-window/2
		}
	}
	t.next.Gaze = float32(exact.Wrap(float64((float64(t.fan.First+at) + 0.5) * belief.Turn)))
	t.pose(t.paths.End[0])
	return 1 + spreading
}

// child casts one row for the action under way; with the last row it scores it.
func (t *Tree) child(b *belief.Belief) {
	if !t.cast(b, t.paths.End[t.action], &t.seen[t.level&1][t.at]) {
		return
	}
	t.keep(t.score(b))
	if t.action++; t.action == Actions {
		t.action = 0
		if t.at++; t.at < t.breadth {
			t.model.Propagate(&t.parents[t.at].end, &t.paths)
		}
	}
	if t.at < t.breadth {
		t.pose(t.paths.End[t.action])
	}
}

// score returns the finished child.
func (t *Tree) score(b *belief.Belief) node {
	w, a, from := &t.params, t.action, &t.parents[t.at]
	n := node{
		end: t.paths.End[a], parent: int8(t.at), action: int8(a), sequence: from.sequence,
		x: t.paths.X[Marks-1][a], y: t.paths.Y[Marks-1][a],
	}
	n.sequence[t.level] = int8(a)
	ground, risk := t.sweep(b, a)
	v := float32(w.Look*t.look()) + float32(w.Ground*ground)
	v += float32(w.Reach*t.reach.At(n.x, n.y)) - float32(w.Risk*risk)
	v += float32(w.Goal * t.progress(from, &n))
	if t.level == 0 {
		v += float32(w.Agree * t.situation.Agree[a])
	}
	change := t.model.actions[a].Steering - from.end.Steering
	v -= float32(w.Turn * float32(max(change, -change)*(1/(2*lock))))
	if t.model.actions[a].Speed < 0 {
		v -= w.Back
	}
	discount := float32(1)
	for range t.level {
		discount = float32(discount * w.Discount)
	}
	n.score = from.score + float32(discount*v)
	return n
}

// look is the mean gain of the fan's rays in bits, those ahead counting most.
func (t *Tree) look() float32 {
	sum, all := int64(0), int64(0)
	for c, gain := range t.fan.Gain {
		sum += int64(gain) * int64(t.weights[c])
		all += int64(t.weights[c])
	}
	return float32(float64(sum) / float64(all*int64(t.rows)*belief.One))
}

// sweep returns in bits how much the floor under a path teaches, and the worst risk
// on it; t.path then holds the cells that the path sees.
func (t *Tree) sweep(b *belief.Belief, a int) (ground, risk float32) {
	t.path = t.seen[t.level&1][t.at]
	for n := range Marks {
		x, y := t.paths.X[n][a], t.paths.Y[n][a]
		ground += b.Sweep(x, y, &t.path)
		if g := t.situation.Ground; g != nil {
			risk = max(risk, g.Risk(x, y))
		} else {
			risk = max(risk, b.Risk(x, y))
		}
	}
	return ground, risk
}

// progress is how many metres nearer to the goal a child is than its parent.
func (t *Tree) progress(from, to *node) float32 {
	if t.situation.GoalWeight == 0 {
		return 0
	}
	way := float64(t.situation.Heading + t.situation.Goal)
	dx, dy := to.end.X-from.end.X, to.end.Y-from.end.Y
	along := float32(dx*float32(exact.Cos(way))) + float32(dy*float32(exact.Sin(way)))
	return float32(along * t.situation.GoalWeight)
}

// keep puts a child among the best.
func (t *Tree) keep(n node) {
	i := t.kept
	for i > 0 && t.fresh[i-1].score < n.score {
		i--
	}
	if i == t.effort.Beam {
		return
	}
	t.kept = min(t.kept+1, t.effort.Beam)
	copy(t.fresh[i+1:t.kept], t.fresh[i:t.kept-1])
	t.fresh[i] = n
}

// descend makes the best children parents, or ends the search.
func (t *Tree) descend(b *belief.Belief) (done bool) {
	if t.level++; t.level == t.effort.Depth {
		t.finish()
		return true
	}
	for i, n := range t.fresh[:t.kept] {
		seen := &t.seen[t.level&1][i]
		*seen = t.seen[(t.level-1)&1][n.parent]
		t.retrace(b, n, seen)
	}
	t.parents, t.breadth, t.kept, t.at, t.action = t.fresh, t.kept, 0, 0, 0
	t.model.Propagate(&t.parents[0].end, &t.paths)
	t.pose(t.paths.End[0])
	return false
}

// retrace adds to seen the cells that a child would have swept and seen.
func (t *Tree) retrace(b *belief.Belief, n node, seen *belief.Seen) {
	t.model.Propagate(&t.parents[n.parent].end, &t.paths)
	for i := range Marks {
		b.Sweep(t.paths.X[i][n.action], t.paths.Y[i][n.action], seen)
	}
	b.See(belief.Place{X: n.x, Y: n.y, Z: t.params.Height}, float64(n.end.Heading), seeStride, seen)
	t.rays += belief.MaxRays / (seeStride * seeStride)
}

// finish reads the plan off the best sequence.
func (t *Tree) finish() {
	best := &t.fresh[0]
	first := best.sequence[0]
	t.model.Propagate(&t.situation.State, &t.paths)
	t.next.Action = t.model.actions[first]
	t.next.X, t.next.Y = t.paths.X[Marks-1][first], t.paths.Y[Marks-1][first]
	t.next.Value, t.next.Sequence, t.next.Depth = best.score, best.sequence, t.level
	t.next.Rays, t.busy = t.rays, false
}
