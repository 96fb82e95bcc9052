package gauge

import (
	"math"

	"fieldbrain/testbench/world"
)

const (
	side   = 0.25 // m, of a cell; those of testbench's coverage where they lie within the picture
	grain  = 0.05 // m between two places that are tried
	grains = 5    // of them along a side
	beyond = 2.0  // m of floor round the world where nothing ends it
	widest = 10.0 // m beyond the picture; what stands farther away bounds nothing
)

// A Ground is the floor on which the middle of a body can be: what can be reached
// from its start between walls, discs and the edges of a table, whatever rectangle a
// picture shows. Movers count as absent. It does not change; any number may read it.
type Ground struct {
	low           world.Vec
	columns, rows int
	reach         []bool  // by cell, row by row
	cells         int     // within reach
	area          float64 // m2 that the body covers somewhere
}

// NewGround floods the world from where the middle of a body of that radius is.
func NewGround(w *world.World, middle world.Vec, radius float64) *Ground {
	low, high := extent(w)
	g := &Ground{low: low}
	g.columns = max(1, int(math.Ceil(float64((high.X-low.X)/side)-1e-9)))
	g.rows = max(1, int(math.Ceil(float64((high.Y-low.Y)/side)-1e-9)))
	g.reach = make([]bool, g.columns*g.rows)
	places := g.swept(g.flood(w, middle, radius), radius)
	g.cells, g.area = max(g.cells, 1), float64(float64(max(places, 1))*grain*grain)
	return g
}

// extent returns the corners of what is looked at, in whole cells from the picture's
// corner.
func extent(w *world.World) (low, high world.Vec) {
	low, high = w.Min, w.Max
	take := func(p world.Vec) {
		low = world.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = world.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	for i := range w.Walls {
		take(w.Walls[i].A)
		take(w.Walls[i].B)
	}
	for _, p := range w.Floor.Table {
		take(p)
	}
	out := func(far float64) float64 { return float64(math.Ceil(min(far, widest)/side)*side) + beyond }
	low = w.Min.Sub(world.Vec{X: out(w.Min.X - low.X), Y: out(w.Min.Y - low.Y)})
	return low, w.Max.Add(world.Vec{X: out(high.X - w.Max.X), Y: out(high.Y - w.Max.Y)})
}

// flood marks the cells within reach and returns the places that are.
func (g *Ground) flood(w *world.World, middle world.Vec, radius float64) (reached []bool) {
	columns, rows := g.columns*grains, g.rows*grains
	tried, reached := make([]bool, columns*rows), make([]bool, columns*rows)
	var open []int
	try := func(x, y int, near float64) {
		if x < 0 || x >= columns || y < 0 || y >= rows || tried[y*columns+x] {
			return
		}
		p := g.low.Add(world.Vec{X: float64(grain * (float64(x) + 0.5)), Y: float64(grain * (float64(y) + 0.5))})
		if p.Sub(middle).Norm() > near {
			return
		}
		if tried[y*columns+x] = true; clear(w, p, radius) {
			open = append(open, y*columns+x)
		}
	}
	cx, cy := int(math.Floor((middle.X-g.low.X)/grain)), int(math.Floor((middle.Y-g.low.Y)/grain))
	for i := range 25 { // a body that stands close to something stands beside a place that is free
		try(cx+i%5-2, cy+i/5-2, 2*grain)
	}
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		x, y := i%columns, i/columns
		reached[i] = true
		if cell := y/grains*g.columns + x/grains; !g.reach[cell] {
			g.reach[cell] = true
			g.cells++
		}
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			try(x+d[0], y+d[1], math.Inf(1))
		}
	}
	return reached
}

// swept counts the places that the body covers from those that its middle reaches.
func (g *Ground) swept(reached []bool, radius float64) (places int) {
	reaches := radius + grain/2 // a place stands for the square round it
	columns, around := g.columns*grains, int(reaches/grain)
	covered := make([]bool, len(reached))
	for i, there := range reached {
		if !there {
			continue
		}
		for k := range (2*around + 1) * (2*around + 1) {
			dx, dy := k%(2*around+1)-around, k/(2*around+1)-around
			x, at := i%columns+dx, i+dy*columns+dx
			if x < 0 || x >= columns || at < 0 || at >= len(reached) || covered[at] ||
				math.Hypot(float64(dx), float64(dy))*grain > reaches {
				continue
			}
			covered[at] = true
			places++
		}
	}
	return places
}

// clear reports whether a body of that radius touches nothing at p, and has a table's
// edge nowhere under it.
func clear(w *world.World, p world.Vec, radius float64) bool {
	for i := range w.Walls {
		if w.Walls[i].Distance(p) < radius {
			return false
		}
	}
	for i := range w.Discs {
		if w.Discs[i].Distance(p) < radius {
			return false
		}
	}
	table := w.Floor.Table
	for i, a := range table {
		if (world.Segment{A: a, B: table[(i+1)%len(table)]}).Distance(p) < radius {
			return false
		}
	}
	return !w.Floor.Past(p)
}

// cell returns the number of the cell that holds a place, -1 far outside.
func (g *Ground) cell(p world.Vec) int {
	x, y := int(math.Floor((p.X-g.low.X)/side)), int(math.Floor((p.Y-g.low.Y)/side))
	if x < 0 || x >= g.columns || y < 0 || y >= g.rows {
		return -1
	}
	return y*g.columns + x
}

// Area returns how many square metres it has.
func (g *Ground) Area() float64 { return g.area }
