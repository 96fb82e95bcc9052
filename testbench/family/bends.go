package family

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/world"
)

// drawBends is a corridor of three to five legs with a sharp bend between each two: the
// goal at its end may be near as the crow flies, behind walls, and the way there leads
// away from it for most of its length.
func drawBends(d *draft) {
	wide, legs := d.between(0.6, 0.95), d.whole(3, 5)
	way := d.zigzag(legs)
	for n := 0; n < 100 && tangled(way, wide); n++ {
		way = d.zigzag(legs)
	}
	d.place(way, wide)
	d.channel(way, half(wide))
	first, last := way[0], way[legs]
	along := unit(way[1].Sub(first))
	from, end := first.Add(along.Scale(0.3)), last.Sub(unit(last.Sub(way[legs-1])).Scale(0.35))
	d.start(from.X, from.Y, exact.Atan2(along.Y, along.X)*180/math.Pi, 20)
	d.goal(end.X, end.Y)
}

// zigzag draws a way of some legs that bends more often to one side than to the other.
func (d *draft) zigzag(legs int) []world.Vec {
	heading, side := d.dice.Between(-math.Pi, math.Pi), d.one(-1, 1)
	way := []world.Vec{{}}
	for k := range legs {
		long := d.between(1.6, 2.6)
		way = append(way, way[k].Add(world.Vec{X: float64(long * exact.Cos(heading)), Y: float64(long * exact.Sin(heading))}))
		heading = exact.Wrap(heading + float64(side*d.dice.Between(70, 125)*math.Pi/180))
		if d.dice.Chance(0.3) {
			side = -side
		}
	}
	return way
}

// tangled reports whether corridors along two legs of a way that do not follow each other
// would meet.
func tangled(way []world.Vec, wide float64) bool {
	const step = 0.05 // m
	for k := 0; k+1 < len(way); k++ {
		leg := way[k+1].Sub(way[k])
		for at := 0.0; at <= leg.Norm(); at += step {
			p := way[k].Add(unit(leg).Scale(at))
			for j := k + 2; j+1 < len(way); j++ {
				if (world.Segment{A: way[j], B: way[j+1]}).Distance(p) < wide+0.1 {
					return true
				}
			}
		}
	}
	return false
}

func unit(v world.Vec) world.Vec { return v.Scale(1 / v.Norm()) }

// place moves a way of some width into the world, and sizes the world to it.
func (d *draft) place(way []world.Vec, wide float64) {
	low, high := way[0], way[0]
	for _, p := range way {
		low = world.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = world.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	margin := float64(1.5 * wide) // the corner of a bend of 125 deg is 1.1 widths from its middle
	for i := range way {
		way[i] = world.Vec{X: way[i].X - low.X + margin, Y: way[i].Y - low.Y + margin}
	}
	d.size(mm(high.X-low.X+float64(2*margin)), mm(high.Y-low.Y+float64(2*margin)))
}

// channel puts walls on both sides of a way, so far from it, and across its ends.
func (d *draft) channel(way []world.Vec, off float64) {
	var before [2]world.Vec
	for k := range way {
		at := corners(way, k, off)
		if k == 0 {
			d.wall(at[0].X, at[0].Y, at[1].X, at[1].Y)
		} else {
			for s := range at {
				d.wall(before[s].X, before[s].Y, at[s].X, at[s].Y)
			}
		}
		before = at
	}
	d.wall(before[0].X, before[0].Y, before[1].X, before[1].Y)
}

// corners returns where the walls to the left and to the right of a way are at one of its
// points: on the line that halves the bend there.
func corners(way []world.Vec, k int, off float64) [2]world.Vec {
	normal := func(i int) world.Vec {
		v := unit(way[i+1].Sub(way[i]))
		return world.Vec{X: -v.Y, Y: v.X}
	}
	a, b := normal(max(k-1, 0)), normal(min(k, len(way)-2))
	aside := a.Add(b).Scale(off / (1 + float64(a.X*b.X) + float64(a.Y*b.Y)))
	return [2]world.Vec{way[k].Add(aside), way[k].Sub(aside)}
}
