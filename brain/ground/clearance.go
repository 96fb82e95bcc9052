package ground

import "math/bits"

// FarOff is the clearance where nothing is near, in m.
const FarOff = 0.5

// Clearance returns the distance in m from a point to the middle of the nearest
// cell that is occupied or an edge, at most FarOff.
func (g *Grid) Clearance(x, y float32) float32 { return g.within(x, y, FarOff) }

// Risk returns how likely the body touches something when its centre is at a point: 1
// within its radius, falling to 0 where its margin ends.
func (g *Grid) Risk(x, y float32) float32 {
	if g.body.Margin <= 0 {
		if g.within(x, y, g.body.Radius) < g.body.Radius {
			return 1
		}
		return 0
	}
	rest := g.within(x, y, g.body.Radius+g.body.Margin) - g.body.Radius
	return min(max(1-rest/g.body.Margin, 0), 1)
}

// within is Clearance up to another distance, at most 0.9 m.
func (g *Grid) within(x, y, most float32) float32 {
	if !somewhere(x, y) {
		return most
	}
	fx, fy := float32(x*(1/Cell)), float32(y*(1/Cell))
	cx, cy := coordinate(x), coordinate(y)
	limit := float32(most * (1 / Cell))
	best := float32(limit * limit)
	n := int32(limit) + 1
	for d := int32(0); d <= 2*n; d++ { // rows from the middle outwards
		row := cy + (d+1)/2
		if d&1 == 0 {
			row = cy - d/2
		}
		dy := float32(row) + 0.5 - fy
		if d2 := float32(dy * dy); d2 < best && uint32(row-g.south) < Side {
			best = min(best, d2+g.nearest(cx, row, fx))
		}
	}
	return root(best) * Cell
}

// nearest returns the squared way in cells along a row from a place in a column's
// cell to the middle of the nearest occupied one; very far where there is none
// within 63.
func (g *Grid) nearest(cx, row int32, fx float32) float32 {
	best := float32(far)
	right := cx + int32(bits.TrailingZeros64(g.occupied.window(cx, row)))
	left := cx - int32(bits.LeadingZeros64(g.occupied.window(cx-63, row)))
	for _, x := range [2]int32{right, left} {
		if d := float32(x) + 0.5 - fx; x > cx-64 && x < cx+64 && uint32(x-g.west) < Side {
			best = min(best, float32(d*d))
		}
	}
	return best
}

// A Row is one row of the window, four words of 64 cells each.
type Row [perRow]uint64

// Row returns what is occupied and what is known free in a row of world cells; the
// lowest bit of the first word is the cell in the world's column west.
func (g *Grid) Row(y, west int32) (occupied, free Row) {
	for i := range int32(perRow) {
		occupied[i] = g.occupied.window(west+64*i, y)
		free[i] = g.free.window(west+64*i, y)
	}
	return occupied, free
}
