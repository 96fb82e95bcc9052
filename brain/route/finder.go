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
	recalling // places, where the goal is outside the window
	surveying // they pass distances on
	seeding
	spreading
	counting // what is left to see, after some waves
)

// A point is a place in m.
type point struct{ x, y float32 }

// A Finder finds ways.
type Finder struct {
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
	walls  bool // that the map has forgotten count
	late   bool // they count for more
	wide   bool // a place costs what those around it were visited, too
	census census
	survey survey
	ready  bool    // answer holds a finished wave
	answer answer  // of it
	spare  answer  // made by the wave under way
	aim    aim     // where the last way led to
	last   bearing // that Toward returned
}

// New returns a finder without a task.
func New() *Finder {
	f := &Finder{}
	f.Begin(Nothing, 0, 0)
	return f
}

// Begin gives the finder a task; the point counts for Goal only. A goal that moves by
// less than half a metre is the next wave's, and the last answer counts until then.
func (f *Finder) Begin(t Task, x, y float32) {
	if !somewhere(x, y) {
		return
	}
	to := point{x, y}
	if t != f.task || t == Goal && gap(to, f.goal) > moved {
		f.Cancel()
	}
	f.task, f.goal = t, to
}

// Cancel drops the wave under way and the last answer, and keeps task and places.
func (f *Finder) Cancel() {
	f.phase, f.ready, f.aim, f.last, f.since, f.left = idle, false, aim{}, bearing{}, 0, 0
	f.census = census{}
}

// somewhere reports whether a point is a place at all.
func somewhere(x, y float32) bool { return x > -far && x < far && y > -far && y < far }

// Advance does one tick's work: the rear axle is at a pose for some seconds. Where
// the car stands counts as visited even without a task.
func (f *Finder) Advance(g *ground.Grid, at ground.Pose, seconds float32) {
	if !somewhere(at.X, at.Y) {
		return
	}
	cos, sin := float32(exact.Cos(float64(at.Heading))), float32(exact.Sin(float64(at.Heading)))
	ahead := g.Body().Ahead
	here, nose := point{at.X + float32(ahead*cos), at.Y + float32(ahead*sin)}, point{cos, sin}
	f.places.visit(here.x, here.y, seconds)
	f.since += seconds
	if f.task == Nothing {
		return
	}
	for f.left = min(f.left, 0) + perTick; f.left > 0; {
		switch f.phase {
		case idle:
			f.begin(g, here, nose)
		case copying:
			f.copy(g)
		case recalling:
			f.recall()
		case surveying:
			f.measure()
		case seeding:
			f.seed()
		case spreading:
			if f.spread() {
				f.finish()
				f.left = 0 // the next wave begins with the next tick
			}
		case counting:
			if f.search() {
				f.phase, f.left = idle, 0
			}
		default: // of a damaged frozen brain
			f.Cancel()
		}
	}
}

// begin starts a wave.
func (f *Finder) begin(g *ground.Grid, here, nose point) {
	west, south := g.Corner()
	f.car, f.nose = here, nose
	f.space.begin(west, south)
	f.phase, f.row = copying, 0
	f.left -= rowWork
}

// copy takes two fine rows over.
func (f *Finder) copy(g *ground.Grid) {
	f.left -= rowWork
	f.space.take(g, f.row, &f.spare)
	f.notice(f.row)
	if f.row++; f.row == Side {
		f.phase, f.row = seeding, 0
		f.wave.begin(&f.spare.distance)
		f.spare.west, f.spare.south = f.space.west, f.space.south
		if f.surveys() {
			f.phase = recalling
		}
	}
}

// seed looks for sources in one row.
func (f *Finder) seed() {
	f.left -= seedWork
	if f.task == Goal {
		f.row = Side
		f.seedGoal()
	} else {
		f.seedRow(f.row)
		f.row++
	}
	if f.row == Side {
		f.phase = spreading
		f.wave.stop = unreached
	}
}

// spread lets the wave pass one cell and reports whether it has done enough.
func (f *Finder) spread() (done bool) {
	f.left--
	i, more := f.wave.pop(&f.spare.distance)
	if !more {
		return true
	}
	if t := f.spare.distance[i]; t > f.wave.stop {
		return true
	} else if f.wave.stop == unreached && f.near(i) {
		f.wave.stop = t + beyond
	}
	f.wave.pass(i, &f.spare.distance, &f.space.slow)
	return false
}

// moved is how far in m a goal may move before the last answer is dropped.
const moved = 0.5

// beyond is how far past the car a wave goes, in m: the car drives on meanwhile.
const beyond = 1.0

// near reports whether a cell is the car's.
func (f *Finder) near(i int) bool {
	x, y, ok := f.space.cell(f.car.x, f.car.y)
	return ok && y*Side+x == i
}

// finish makes the wave the answer.
func (f *Finder) finish() {
	f.answer, f.spare = f.spare, f.answer
	f.phase, f.ready = idle, true
	f.follow()
	f.count()
}
