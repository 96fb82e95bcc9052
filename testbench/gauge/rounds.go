package gauge

import (
	"fieldbrain/testbench/world"
)

const (
	lapSpacing = 0.25 // m between two samples of the way
	lapSamples = 512  // kept: rounds of 64 m, driven twice
	beside     = 0.25 // m from a place: there again
	off        = 0.5  // m from it: gone in between
	leastWay   = 7.5  // m, of a stretch, as of the larger disc's
	freshWay   = 5.0  // m of way in which a car that gets anywhere enters a new cell
	gaps       = 0.1  // of the way that need not be the same
	floorShare = 0.6  // of the cells within reach: who drives round those has no more to do
)

// A rounds finds closed ways that are driven again and again, whatever their form.
type rounds struct {
	trail   trail
	running bool
	from    sample  // where the first round of the run began
	begin   float64 // m on the way: where the second did
	longest float64 // m, of the rounds that end in the run
	missed  float64 // m of the run that had not been driven before
	stamps  []uint32
	stamp   uint32
}

func newRounds(g *Ground) rounds {
	return rounds{trail: newTrail(lapSamples), stamps: make([]uint32, len(g.reach))}
}

// watch takes a sample and returns where the stretch of rounds begins that ends with
// it, if there is one.
func (r *rounds) watch(place sample, g *Ground) (from sample, found bool) {
	if r.trail.count > 0 {
		place.step = place.at.Sub(r.trail.back(0).at)
	}
	r.trail.add(place)
	if !r.follow() {
		return sample{}, false
	}
	way := place.way - r.from.way
	if place.way-r.begin < r.longest || way < leastWay || !stale(&r.from, &place) {
		return sample{}, false
	}
	return r.from, float64(r.covered(g)) < float64(floorShare*float64(g.cells))
}

// pause forgets the way so far.
func (r *rounds) pause() { r.trail.count, r.running = 0, false }

// follow reports whether the newest sample goes on with a run: the car has been on
// this way before, and found nearly nothing new since.
func (r *rounds) follow() bool {
	place := r.trail.back(0)
	if n := r.before(); n > 0 && stale(r.trail.back(n), place) {
		last := r.trail.back(n)
		if !r.running {
			r.running, r.from, r.begin, r.longest, r.missed = true, *last, place.way, 0, 0
		}
		r.longest = max(r.longest, place.way-last.way)
		return true
	}
	r.missed += lapSpacing
	r.running = r.running && r.missed <= float64(gaps*(place.way-r.begin))
	return r.running
}

// before returns how many samples ago the car was last where it is, on the same line
// in either direction, and went away in between; 0 when it was not.
func (r *rounds) before() int {
	place, gone := r.trail.back(0), false
	for n := 1; n < r.trail.count; n++ {
		p := r.trail.back(n)
		d := p.at.Sub(place.at)
		if apart := d.Dot(d); !gone || apart > beside*beside {
			gone = gone || apart > off*off
			continue
		}
		if along := p.step.Dot(place.step); along*along >= 0.5*float64(p.step.Dot(p.step)*place.step.Dot(place.step)) { // 45 deg
			return n
		}
	}
	return 0
}

// stale reports whether the way from one sample to another found nearly no new floor.
func stale(from, to *sample) bool {
	return float64(to.cells-from.cells) <= newCells+(to.way-from.way)/freshWay
}

// covered counts the cells within reach that the run entered, or passed beside.
func (r *rounds) covered(g *Ground) (n int) {
	r.stamp++
	for k := range r.trail.count {
		p := r.trail.back(k)
		if p.way < r.from.way {
			break
		}
		for i := range 9 {
			cell := g.cell(p.at.Add(world.Vec{X: float64(i%3-1) * side, Y: float64(i/3-1) * side}))
			if cell >= 0 && g.reach[cell] && r.stamps[cell] != r.stamp {
				r.stamps[cell] = r.stamp
				n++
			}
		}
	}
	return n
}
