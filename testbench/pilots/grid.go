package pilots

import (
	"math"

	"fieldbrain/field/exact"
)

const (
	cell = 0.04 // m, side of a cell
	side = 512  // cells along a side of the grid: 20.5 m

	hit     = 14  // log-odds units of an echo on the beam's axis
	miss    = 12  // of ground that the beam passed
	most    = 60  // largest magnitude that beams reach
	certain = 110 // of a contact or an edge
	solid   = 20  // from which a cell is an obstacle
	free    = -8  // below which a cell is known as free
	horizon = 2.5 // m, farther echoes are too wide to place
)

// A grid is the baselines' own map: log odds of occupancy after Elfes, Using
// occupancy grids for mobile robot perception and navigation, Computer 22(6),
// 1989, doi 10.1109/2.30720, from the sonars' cones and the dead reckoning. It
// forgets, because the reckoning drifts and things move.
type grid struct {
	origin point     // of cell 0's corner, m
	arc    []int32   // cells an echo may come from, of the beam under way
	odds   []int8    // 0 is unknown
	near   []float32 // m from a cell to the nearest obstacle, see measure
	used   box       // cells that may differ from 0
	fixed  bool      // near is given and does not follow odds
}

// A box is a range of cells, ends included.
type box struct{ x0, y0, x1, y1 int }

// newGrid returns an unknown grid around a middle.
func newGrid(middle point) *grid {
	const half = cell * side / 2
	g := &grid{
		origin: point{float64(middle.x) - half, float64(middle.y) - half},
		odds:   make([]int8, side*side), near: make([]float32, side*side),
		used: box{side / 2, side / 2, side / 2, side / 2},
	}
	for i := range g.near {
		g.near[i] = farAway
	}
	return g
}

// farAway is what near says where no obstacle is known, in m.
const farAway = 3

// find returns the cell of a point; the rim's when it lies outside.
func (g *grid) find(p point) (x, y int) {
	x = int(math.Floor((p.x - g.origin.x) / cell))
	y = int(math.Floor((p.y - g.origin.y) / cell))
	return min(max(x, 1), side-2), min(max(y, 1), side-2)
}

func (g *grid) index(p point) int {
	x, y := g.find(p)
	return y*side + x
}

// middle returns the middle of a cell.
func (g *grid) middle(i int) point {
	return point{
		g.origin.x + float64((float64(i%side)+0.5)*cell),
		g.origin.y + float64((float64(i/side)+0.5)*cell),
	}
}

// around returns the cells within r m of a point and counts them as used.
func (g *grid) around(p point, r float64) box {
	x0, y0 := g.find(point{p.x - r, p.y - r})
	x1, y1 := g.find(point{p.x + r, p.y + r})
	return box{x0, y0, x1, y1}
}

func (g *grid) use(b box) {
	u := &g.used
	u.x0, u.y0, u.x1, u.y1 = min(u.x0, b.x0), min(u.y0, b.y0), max(u.x1, b.x1), max(u.y1, b.y1)
}

// add changes a cell's odds within +-most. Marks that are certain stay: what made
// them, no beam saw.
func (g *grid) add(i, by int) {
	if old := int(g.odds[i]); old <= most {
		g.odds[i] = int8(min(max(old+by, -most), most))
	}
}

// beam enters one range reading: the sensor's face and direction, the range in
// m, and whether an echo came from there or nothing was heard up to it.
func (g *grid) beam(face pose, r float64, echo bool) {
	if r > horizon {
		r, echo = horizon, false
	}
	c, s := exact.Cos(face.heading), exact.Sin(face.heading)
	tangent := exact.Tan(sonarCone)
	limit := r + cell
	tip := point{face.x + float64(limit*c), face.y + float64(limit*s)}
	wide := float64(limit * tangent)
	b := g.around(face.point, 0)
	g.arc = g.arc[:0]
	best := -most
	for _, q := range [2]point{{tip.x - float64(wide*s), tip.y + float64(wide*c)}, {tip.x + float64(wide*s), tip.y - float64(wide*c)}} {
		x, y := g.find(q)
		b = box{min(b.x0, x), min(b.y0, y), max(b.x1, x), max(b.y1, y)}
	}
	g.use(b)
	for y := b.y0; y <= b.y1; y++ {
		for x := b.x0; x <= b.x1; x++ {
			d := g.middle(y*side + x).minus(face.point)
			along := float64(d.x*c) + float64(d.y*s)
			across := math.Abs(float64(d.y*c) - float64(d.x*s))
			if along <= 0 || across > float64(along*tangent) {
				continue
			}
			switch far := d.norm(); {
			case far < r-float64(0.7*cell):
				g.add(y*side+x, -miss)
			case far < r+float64(0.7*cell) && echo:
				g.arc = append(g.arc, int32(y*side+x))
				best = max(best, int(g.odds[y*side+x]))
			}
		}
	}
	g.echo(face, best)
}

// echo enters the arc that an echo came from. Somewhere on it something stands:
// where one of its cells is an obstacle already the others hardly gain, else
// those on the axis gain most.
func (g *grid) echo(face pose, best int) {
	for _, i := range g.arc {
		off := math.Abs(exact.Wrap(g.middle(int(i)).minus(face.point).direction() - face.heading))
		by := hit * (1 - float64(0.6*min(off/sonarCone, 1)))
		if best >= solid && int(g.odds[i]) < best-solid {
			by *= 0.2
		}
		g.add(int(i), int(by))
	}
}

// stand enters that the body stands here: whatever was believed, it is free.
func (g *grid) stand(p point) { g.disc(p, bodyRadius-cell/2, -most) }

// disc sets the cells within r m of a point.
func (g *grid) disc(p point, r float64, odds int8) {
	b := g.around(p, r)
	g.use(b)
	for y := b.y0; y <= b.y1; y++ {
		for x := b.x0; x <= b.x1; x++ {
			if i := y*side + x; g.middle(i).minus(p).norm() <= r {
				g.odds[i] = odds
			}
		}
	}
}

// forget moves every cell one unit towards unknown.
func (g *grid) forget() {
	for y := g.used.y0; y <= g.used.y1; y++ {
		row := g.odds[y*side+g.used.x0 : y*side+g.used.x1+1]
		for i, v := range row {
			switch {
			case v > 0:
				row[i] = v - 1
			case v < 0:
				row[i] = v + 1
			}
		}
	}
}

// doubt halves what is believed of obstacles that beams saw: where no way is
// left, one of them is not there.
func (g *grid) doubt() {
	for y := g.used.y0; y <= g.used.y1; y++ {
		for x := g.used.x0; x <= g.used.x1; x++ {
			if v := &g.odds[y*side+x]; *v > 0 && *v <= most {
				*v /= 2
			}
		}
	}
}

// chamfer steps of measure, in m.
const (
	straight = float32(cell)
	diagonal = float32(cell * math.Sqrt2)
)

// measure computes near in a box: the chamfer distance to the nearest obstacle,
// with what was last measured around the box (Borgefors, Distance transformations in digital images, 1986,
// doi 10.1016/S0734-189X(86)80047-0).
func (g *grid) measure(b box) {
	if g.fixed {
		return
	}
	b = box{max(b.x0, 1), max(b.y0, 1), min(b.x1, side-2), min(b.y1, side-2)}
	for y := b.y0; y <= b.y1; y++ {
		for i := y*side + b.x0; i <= y*side+b.x1; i++ {
			if g.odds[i] >= solid {
				g.near[i] = 0
				continue
			}
			d := float32(farAway)
			if y > 1 {
				d = min(d, g.near[i-side]+straight, g.near[i-side-1]+diagonal, g.near[i-side+1]+diagonal)
			}
			if i > y*side+1 {
				d = min(d, g.near[i-1]+straight)
			}
			g.near[i] = d
		}
	}
	for y := b.y1; y >= b.y0; y-- {
		for i := y*side + b.x1; i >= y*side+b.x0; i-- {
			d := g.near[i]
			if y < side-2 {
				d = min(d, g.near[i+side]+straight, g.near[i+side-1]+diagonal, g.near[i+side+1]+diagonal)
			}
			if i < y*side+side-2 {
				d = min(d, g.near[i+1]+straight)
			}
			g.near[i] = d
		}
	}
}

// whole returns the box that holds all that is known, with a rim of the
// unknown.
func (g *grid) whole() box {
	const rim = 12
	u := g.used
	return box{max(u.x0-rim, 1), max(u.y0-rim, 1), min(u.x1+rim, side-2), min(u.y1+rim, side-2)}
}

// slack is taken for an obstacle's extent beyond the middle of its cell, in m.
const slack = cell / 4

// gap returns the room between the body's disc at a place and the nearest
// obstacle, in m.
func (g *grid) gap(p point) float64 {
	if g.fixed {
		return g.between(p) - bodyRadius
	}
	return float64(g.near[g.index(p)]) - slack - bodyRadius
}

// room is gap at the middle of a cell.
func (g *grid) room(i int) float64 {
	if g.fixed {
		return float64(g.near[i]) - bodyRadius
	}
	return float64(g.near[i]) - slack - bodyRadius
}

// between interpolates near at a place, from the four middles around it.
func (g *grid) between(p point) float64 {
	u := (p.x-g.origin.x)/cell - 0.5
	w := (p.y-g.origin.y)/cell - 0.5
	x := min(max(int(math.Floor(u)), 0), side-2)
	y := min(max(int(math.Floor(w)), 0), side-2)
	u, w = min(max(u-float64(x), 0), 1), min(max(w-float64(y), 0), 1)
	row := func(i int) float64 {
		a, b := float64(g.near[i]), float64(g.near[i+1])
		return a + float64((b-a)*u)
	}
	low, high := row(y*side+x), row((y+1)*side+x)
	return low + float64((high-low)*w)
}

// known reports whether a place was seen as free.
func (g *grid) known(p point) bool { return g.odds[g.index(p)] <= free }

// sweep returns how far the body can go on an arc, in m up to length, before
// it comes closer than margin to an obstacle, and before its middle leaves the
// known ground. A negative length goes backwards. A body already too close may
// move as long as that gets no worse.
func (g *grid) sweep(from pose, curvature, length, margin float64) (open, seen float64) {
	const step = cell * 0.75
	n := int(math.Abs(length)/step + 0.5)
	way := math.Copysign(step, length)
	seen = -1
	least := min(margin, g.gap(from.body())) // what it has already come to
	for k := range n {
		from = from.roll(way, curvature)
		body := from.body()
		gap := g.gap(body)
		done := float64(float64(k) * step)
		if gap < least-0.001 {
			if seen < 0 {
				seen = done
			}
			return done, seen
		}
		least = max(least, min(gap, margin))
		if seen < 0 && !g.known(body.toward(from.heading, math.Copysign(bodyRadius, way))) {
			seen = done
		}
	}
	open = float64(float64(n) * step)
	if seen < 0 {
		seen = open
	}
	return open, seen
}
