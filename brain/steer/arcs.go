package steer

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

const deg = math.Pi / 180

// Lock is the largest steering angle in rad that the law takes; a body may have a smaller one.
const Lock = 30 * deg

// arcs is how many steering angles are compared, lock to lock.
const arcs = 15

// angle returns steering angle i in rad, right lock first.
func (l *Law) angle(i int) float64 { return l.body.Lock * (float64(i) - (arcs-1)/2) / ((arcs - 1) / 2) }

// An arc is one way the wheels can go and what the ground says about it.
type arc struct {
	steering float64 // rad
	way      ground.Sweep
	free     float64 // m that count: of what is not known only as much as the beam ahead sees
	tight    float64 // m over known floor where the body fits in without its margin, at least free
	close    float64 // 0..1, how near to what stands beside it or was not seen it begins
}

// Ways, in m.
const (
	horizon = 0.70 // how far an arc is asked for
	least   = 0.12 // a way shorter is shut
	noWay   = 0.06 // here it stands
)

// onTable is the share of an unknown arc's cost on a table: there little stands, and what
// ends is the floor.
const onTable = 0.25

// crowds is what an arc costs that is narrow all along, in share of the lock.
const crowds = 1.5

// What is beside the body in the next metres slows it down.
const (
	beside = 0.15 // m
	wary   = 0.7  // share of the speed, where the body hardly fits
)

// shutCost is what an arc costs that is shut, in share of the lock.
const shutCost = 10

// rise is the share of the cruise speed on a way.
func (p *Params) rise(way float64) float64 { return exact.Clip((way-noWay)/p.Ramp, 0, 1) }

// pace returns the share of the cruise speed at which the car stops within what
// it knows: unknown ground is crept over.
func (p *Params) pace(lane, free float64) float64 {
	return max(p.rise(min(lane, free)), min(p.rise(free), p.Creep))
}

// choose returns the arc nearest to a wish that the ground allows.
func (l *Law) choose(s *Situation, wish float64) arc {
	var best arc
	lowest := math.Inf(1)
	l.longest = 0
	for i := -1; i < arcs; i++ {
		a := arc{steering: wish}
		if i >= 0 {
			a.steering = l.angle(i)
		}
		l.ask(s, &a)
		l.longest = max(l.longest, a.tight)
		if c := l.cost(&a, wish, s); c < lowest {
			best, lowest = a, c
		}
	}
	return best
}

// ask asks the ground about an arc.
func (l *Law) ask(s *Situation, a *arc) {
	k := l.curvature(a.steering)
	a.way = s.Ground.Sweep(s.Pose, k, horizon, false)
	brink := float32(l.floorEdges.free(spot{}, float64(k), horizon, false))
	a.way.Free, a.way.Lane = min(a.way.Free, brink), min(a.way.Lane, brink)
	a.free = seen(a.way, l.nose)
	a.tight = a.free
	if s.Sides {
		spare := l.spare(s, float64(k))
		a.free, a.tight = min(a.free, spare), min(max(a.free, l.lane(&a.way)), spare)
		a.close = a.narrow(beside)
	}
}

// seen is how much of a way counts where the beam ahead sees as far as nose.
func seen(w ground.Sweep, nose float64) float64 {
	free, blind := float64(w.Free), float64(w.Blind)
	return float64(free*(1-blind)) + float64(min(free, nose)*blind)
}

// narrow is how near an arc leads to what stands beside it or was not seen: 0 where the
// whole margin is kept for a length in m, 1 where the body does not fit. It is least in
// the middle of a gap.
func (a *arc) narrow(length float64) float64 {
	short := 1 - min(float64(a.way.Known)/length, 1)
	for _, way := range a.way.Ways {
		short += 1 - min(float64(way)/length, 1)
	}
	return short / float64(len(a.way.Ways)+1)
}

// cost compares arcs: how far from the wish, how short, how unknown, how new, how near to
// what is beside them.
func (l *Law) cost(a *arc, wish float64, s *Situation) float64 {
	unknown := l.numbers.Blind
	if s.Sides {
		unknown = l.numbers.Sides
	}
	if l.onTable {
		unknown = l.numbers.Sides * onTable
	}
	c := float64(math.Abs(a.steering-wish) / l.body.Lock)
	c += float64(l.numbers.Keep * math.Abs(a.steering-l.chosen.steering) / l.body.Lock)
	if c += float64(l.numbers.Short * (1 - min(a.tight/l.numbers.Comfort, 1))); s.Sides {
		c += float64(crowds * a.narrow(l.numbers.Comfort))
	}
	if s.Sides && !l.onTable {
		c += l.flank(s, a.steering) + l.lost(a.steering)
	}
	c += float64(unknown * float64(a.way.Blind*a.way.Blind))
	if a.tight < least {
		c += shutCost
	}
	return c
}

// curvature returns 1/m of a steering angle.
func (l *Law) curvature(steering float64) float32 {
	return float32(exact.Tan(steering) / l.body.Wheelbase)
}

// beyond is how far x is outside of +-band.
func beyond(x, band float64) float64 { return x - exact.Clip(x, -band, band) }
