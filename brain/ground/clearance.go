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
	margin := g.margin()
	if margin <= 0 {
		if g.within(x, y, g.body.Radius) < g.body.Radius {
			return 1
		}
		return 0
	}
	rest := g.within(x, y, g.body.Radius+margin) - g.body.Radius
	return min(max(1-rest/margin, 0), 1)
}

// Gap returns how far the body is from what is occupied, or an edge, when its centre is
// at a point, in m, at most another distance; negative where they overlap.
func (g *Grid) Gap(x, y, most float32) float32 {
	return g.within(x, y, g.body.Radius+most) - g.body.Radius
}

// Dark returns the same for floor that is not known to be free.
func (g *Grid) Dark(x, y, most float32) float32 {
	return g.near(&g.free, ^uint64(0), x, y, g.body.Radius+most) - g.body.Radius
}

// within is Clearance up to another distance, at most 0.9 m.
func (g *Grid) within(x, y, most float32) float32 { return g.near(&g.occupied, 0, x, y, most) }

// near returns the distance in m from a point to the middle of the nearest cell whose bit
// is set, or is not where flip is all ones, at most another distance, itself at most 0.9.
func (g *Grid) near(m *bitmap, flip uint64, x, y, most float32) float32 {
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
			best = min(best, d2+g.nearest(m, flip, cx, row, fx))
		}
	}
	return root(best) * Cell
}

// nearest returns the squared way in cells along a row from a place in a column's
// cell to the middle of the nearest one whose bit counts; very far where there is none
// within 63.
func (g *Grid) nearest(m *bitmap, flip uint64, cx, row int32, fx float32) float32 {
	best := float32(far)
	right := cx + int32(bits.TrailingZeros64(m.window(cx, row)^flip))
	left := cx - int32(bits.LeadingZeros64(m.window(cx-63, row)^flip))
	for _, x := range [2]int32{right, left} {
		if d := float32(x) + 0.5 - fx; x > cx-64 && x < cx+64 && uint32(x-g.west) < Side {
			best = min(best, float32(d*d))
		}
	}
	return best
}

// Width returns how far the floor is known to be free to both sides of the body's centre
// together, in m: up to a distance to either side.
func (g *Grid) Width(at Pose, most float32) (width float32) {
	for _, side := range [2]float32{1, -1} {
		d := float32(0)
		for ; d < most; d += Cell {
			x, y := at.place(g.body.Ahead, float32(side*d))
			if cx, cy := coordinate(x), coordinate(y); !somewhere(x, y) || !g.inside(cx, cy) || !g.free.has(index(cx, cy)) {
				break
			}
		}
		width += d
	}
	return width
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
