package route

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// The map's shape and scale; see the package comment.
const (
	Side = 128
	Cell = 1.0 / 16 // m

	cells = Side * Side
	fine  = ground.Side
	far   = 1e5 // m; farther, or not a number, is nowhere

	perTick  = 300 // units of work: a unit is a cell of the wave
	rowWork  = 16  // of copying two fine rows
	seedWork = 12  // of looking for sources in one row
)

// unreached is the distance of what no way leads to.
var unreached = float32(math.Inf(1))

// A Task is what the way shall lead to.
type Task uint8

// The tasks.
const (
	Nothing Task = iota
	Goal         // a point
	Explore      // floor not seen, or little visited
)

// A phase is a part of the work on one wave.
type phase uint8

const (
	idle phase = iota
	copying
	seeding
	spreading
	counting // what is left to see, after some waves
)

// A point is a place in m.
type point struct{ x, y float32 }

// A Router finds ways.
type Router struct {
	task Task
	goal point

	phase phase
	left  int     // units of work in this tick, negative when one did more
	row   int     // that is copied or searched next
	car   point   // the body's centre when the wave began
	nose  point   // unit vector of its heading then
	since float32 // s, of the wave under way
	space space   // under way
	wave  wave

	places places
	census census
	ready  bool    // answer holds a finished wave
	answer answer  // of it
	spare  answer  // made by the wave under way
	aim    aim     // where the last way led to
	last   bearing // that Toward returned
}

// New returns a router without a task.
func New() *Router {
	r := &Router{}
	r.Begin(Nothing, 0, 0)
	return r
}

// Begin gives the router a task; the point counts for Goal only. A goal that moves by
// less than half a metre is the next wave's, and the last answer counts until then.
func (r *Router) Begin(t Task, x, y float32) {
	if !somewhere(x, y) {
		return
	}
	to := point{x, y}
	if t != r.task || t == Goal && gap(to, r.goal) > moved {
		r.Cancel()
	}
	r.task, r.goal = t, to
}

// Cancel drops the wave under way and the last answer, and keeps task and places.
func (r *Router) Cancel() {
	r.phase, r.ready, r.aim, r.last, r.since, r.left = idle, false, aim{}, bearing{}, 0, 0
	r.census = census{}
}

// Task returns what the router was asked for.
func (r *Router) Task() Task { return r.task }

// somewhere reports whether a point is a place at all.
func somewhere(x, y float32) bool { return x > -far && x < far && y > -far && y < far }

// Advance does one tick's work: the rear axle is at a pose for some seconds. Where
// the car stands counts as visited even without a task.
func (r *Router) Advance(g *ground.Grid, at ground.Pose, seconds float32) {
	if !somewhere(at.X, at.Y) {
		return
	}
	cos, sin := float32(exact.Cos(float64(at.Heading))), float32(exact.Sin(float64(at.Heading)))
	ahead := g.Body().Ahead
	here, nose := point{at.X + float32(ahead*cos), at.Y + float32(ahead*sin)}, point{cos, sin}
	r.places.visit(here.x, here.y, seconds)
	r.since += seconds
	if r.task == Nothing {
		return
	}
	for r.left += perTick; r.left > 0; {
		switch r.phase {
		case idle:
			r.begin(g, here, nose)
		case copying:
			r.copy(g)
		case seeding:
			r.seed()
		case spreading:
			if r.spread() {
				r.finish()
				r.left = 0 // the next wave begins with the next tick
			}
		case counting:
			if r.search() {
				r.phase, r.left = idle, 0
			}
		}
	}
}

// begin starts a wave.
func (r *Router) begin(g *ground.Grid, here, nose point) {
	west, south := g.Corner()
	r.car, r.nose = here, nose
	r.space.begin(west, south)
	r.phase, r.row = copying, 0
	r.left -= rowWork
}

// copy takes two fine rows over.
func (r *Router) copy(g *ground.Grid) {
	r.left -= rowWork
	r.space.take(g, r.row, &r.spare)
	r.notice(r.row)
	if r.row++; r.row == Side {
		r.phase, r.row = seeding, 0
		r.wave.begin(&r.spare.distance)
		r.spare.west, r.spare.south = r.space.west, r.space.south
	}
}

// seed looks for sources in one row.
func (r *Router) seed() {
	r.left -= seedWork
	if r.task == Goal {
		r.row = Side
		r.seedGoal()
	} else {
		r.seedRow(r.row)
		r.row++
	}
	if r.row == Side {
		r.phase = spreading
		r.wave.stop = unreached
	}
}

// spread lets the wave pass one cell and reports whether it has done enough.
func (r *Router) spread() (done bool) {
	r.left--
	i, more := r.wave.pop(&r.spare.distance)
	if !more {
		return true
	}
	if t := r.spare.distance[i]; t > r.wave.stop {
		return true
	} else if r.wave.stop == unreached && r.near(i) {
		r.wave.stop = t + beyond
	}
	r.wave.pass(i, &r.spare.distance, &r.space.slow)
	return false
}

// moved is how far in m a goal may move before the last answer is dropped.
const moved = 0.5

// beyond is how far past the car a wave goes, in m: the car drives on meanwhile.
const beyond = 1.0

// near reports whether a cell is the car's.
func (r *Router) near(i int) bool {
	x, y, ok := r.space.cell(r.car.x, r.car.y)
	return ok && y*Side+x == i
}

// finish makes the wave the answer.
func (r *Router) finish() {
	r.answer, r.spare = r.spare, r.answer
	r.phase, r.ready = idle, true
	r.follow()
	r.count()
}
