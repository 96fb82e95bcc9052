package steer

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

const deg = math.Pi / 180

// Lock is the largest steering angle in rad.
const Lock = 30 * deg

// arcs is how many steering angles are compared, lock to lock.
const arcs = 15

// angle returns steering angle i in rad, right lock first.
func angle(i int) float64 { return Lock * (float64(i) - (arcs-1)/2) / ((arcs - 1) / 2) }

// An arc is one way the wheels can go and what the ground says about it.
type arc struct {
	steering float64 // rad
	way      ground.Sweep
	free     float64 // m that count: of what is not known only as much as the beam ahead sees
}

// Ways, in m.
const (
	horizon = 0.70 // how far an arc is asked for
	comfort = 0.40 // a way as long needs no other
	least   = 0.12 // a way shorter is shut
	fullWay = 0.32 // from here on the car goes as fast as it may
	noWay   = 0.06 // here it stands
)

// Costs of an arc, in share of the lock.
const (
	shortCost = 1.0  // no way at all instead of comfort
	blindCost = 25.0 // nothing of it known to a car with one beam
	sideCost  = 8.0  // and to one whose sides are seen on the way
	keepCost  = 0.5  // another than the last one by a lock
	shutCost  = 10
)

// ramp is the share of the cruise speed on a way.
func ramp(way float64) float64 { return clip((way-noWay)/(fullWay-noWay), 0, 1) }

// creep is the share of the cruise speed where the ground is not known.
const creep = 0.3

// pace returns the share of the cruise speed at which the car stops within what
// it knows: unknown ground is crept over.
func pace(lane, free float64) float64 { return max(ramp(min(lane, free)), min(ramp(free), creep)) }

// choose returns the arc nearest to a wish that the ground allows.
func (l *Law) choose(s *Situation, wish float64) arc {
	var best arc
	lowest := math.Inf(1)
	for i := -1; i < arcs; i++ {
		a := arc{steering: wish}
		if i >= 0 {
			a.steering = angle(i)
		}
		l.ask(s, &a)
		if c := l.cost(&a, wish, s.Sides); c < lowest {
			best, lowest = a, c
		}
	}
	return best
}

// ask asks the ground about an arc.
func (l *Law) ask(s *Situation, a *arc) {
	a.way = s.Ground.Sweep(s.Pose, l.curvature(a.steering), horizon, false)
	a.free = seen(a.way, l.nose)
}

// seen is how much of a way counts where the beam ahead sees as far as nose.
func seen(w ground.Sweep, nose float64) float64 {
	free, blind := float64(w.Free), float64(w.Blind)
	return float64(free*(1-blind)) + float64(min(free, nose)*blind)
}

// cost compares arcs: how far from the wish, how short, how unknown, how new.
func (l *Law) cost(a *arc, wish float64, sides bool) float64 {
	unknown := blindCost
	if sides || l.onTable {
		unknown = sideCost
	}
	c := float64(math.Abs(a.steering-wish) / Lock)
	c += float64(keepCost * math.Abs(a.steering-l.chosen.steering) / Lock)
	c += float64(shortCost * (1 - min(a.free/comfort, 1)))
	c += float64(unknown * float64(a.way.Blind*a.way.Blind))
	if a.free < least {
		c += shutCost
	}
	return c
}

// curvature returns 1/m of a steering angle.
func (l *Law) curvature(steering float64) float32 {
	return float32(exact.Tan(steering) / l.body.Wheelbase)
}

func clip(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }
