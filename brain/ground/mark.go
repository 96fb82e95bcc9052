package ground

import "fieldbrain/field/exact"

// The floor's edge and the body's own touch.
const (
	edgeSure   = 120        // units of an edge's cell
	touched    = 60         // of what a contact may be
	justSeen   = -40        // a cell as free as this was looked at
	moment     = 2          // ticks of the coarse clock: a moment ago
	touchWide  = 85 * rad   // half the rim that a contact may be on
	touchIn    = 0.02       // m inside the rim
	touchFront = 0.3        // sine up to which the front belongs to both sides
	touchDeep  = Cell * 1.5 // m beyond the rim
	rad        = 3.14159265358979 / 180
)

// Edge writes that the floor ends at a point some metres ahead of the rear axle
// and beside it, positive left, as the floor bar saw it.
func (g *Grid) Edge(at Pose, ahead, left float32) {
	x, y := at.place(ahead, left)
	if !somewhere(x, y) {
		return
	}
	cx, cy := coordinate(x), coordinate(y)
	if !g.inside(cx, cy) {
		return
	}
	i := index(cx, cy)
	g.put(i, edgeSure)
	g.edge[i>>6] |= 1 << (i & 63)
	g.firm[i>>6] &^= 1 << (i & 63)
}

// place returns the world point some metres ahead of a pose and left of it.
func (p Pose) place(ahead, left float32) (x, y float32) {
	cos, sin := exact.Cos(float64(p.Heading)), exact.Sin(float64(p.Heading))
	a, l := float64(ahead), float64(left)
	return float32(float64(p.X) + float64(a*cos) - float64(l*sin)),
		float32(float64(p.Y) + float64(a*sin) + float64(l*cos))
}

// Contact writes that the body touches something on its way forward or backward:
// somewhere on that half of its rim, a little inside of it, since the body leans on
// it, and not where a beam just saw nothing. Where one side is known much better
// than the other it is on the other.
func (g *Grid) Contact(at Pose, backward bool) {
	way := float64(at.Heading)
	if backward {
		way += 180 * rad
	}
	ux, uy := float32(exact.Cos(way)), float32(exact.Sin(way))
	least := float32(exact.Cos(touchWide))
	x, y := at.place(g.body.Ahead, 0)
	doubtful := func(dx, dy, r float32) bool { // the floor just outside of the rim, that way
		k := (g.body.Radius + Cell) / r
		cx, cy := coordinate(x+float32(k*dx)), coordinate(y+float32(k*dy))
		return g.inside(cx, cy) && !g.lately(index(cx, cy))
	}
	left, right := 0, 0
	rim := func(mark bool, allow func(across float32) bool) {
		g.around(at, g.body.Radius+touchDeep, func(i int, dx, dy float32) {
			r := root(float32(dx*dx) + float32(dy*dy))
			ahead, across := float32(dx*ux)+float32(dy*uy), float32(dy*ux)-float32(dx*uy)
			if r < g.body.Radius-touchIn || ahead < float32(least*r) || g.edge.has(i) || !doubtful(dx, dy, r) {
				return
			}
			if r > g.body.Radius && g.lately(i) {
				return
			}
			switch {
			case mark && allow(across/r):
				g.put(i, max(g.at(i), touched))
			case across > 0:
				left++
			default:
				right++
			}
		})
	}
	rim(false, nil)
	rim(true, func(across float32) bool {
		switch {
		case left > 2*right:
			return across > -touchFront
		case right > 2*left:
			return across < touchFront
		}
		return true
	})
}

// lately reports whether a cell was seen free a moment ago.
func (g *Grid) lately(i int) bool { return g.at(i) <= justSeen && g.fade.now-g.seen[i] <= moment }

// Drive writes that the body is at a pose: nothing else stands there. An edge
// stays, because the bar that sees it looks out from under the body.
func (g *Grid) Drive(at Pose) {
	g.around(at, g.body.Radius, func(i int, _, _ float32) {
		if !g.edge.has(i) {
			g.put(i, -Free)
		}
	})
}

// Retract takes back that the body went from one pose to another: the wheels turned
// in vain, and what it would have stood on there is not known. Where it does stand
// stays free.
func (g *Grid) Retract(from, to Pose) {
	dx, dy := to.X-from.X, to.Y-from.Y
	n := int(root(float32(dx*dx)+float32(dy*dy))/Cell) + 1
	for k := 1; k <= n; k++ {
		f := float32(k) / float32(n)
		at := Pose{from.X + float32(f*dx), from.Y + float32(f*dy), from.Heading + float32(f*(to.Heading-from.Heading))}
		g.around(at, g.body.Radius+Cell, func(i int, _, _ float32) {
			if g.at(i) < 0 && !g.edge.has(i) {
				g.wipe(i)
			}
		})
	}
	g.Drive(from)
}

// around calls for every cell whose centre is within a radius of the body's
// centre, with its offset in m.
func (g *Grid) around(at Pose, radius float32, each func(i int, dx, dy float32)) {
	x, y := at.place(g.body.Ahead, 0)
	if !somewhere(x, y) {
		return
	}
	for cy := coordinate(y - radius); cy <= coordinate(y+radius); cy++ {
		for cx := coordinate(x - radius); cx <= coordinate(x+radius); cx++ {
			dx := float32((float32(cx)+0.5)*Cell) - x
			dy := float32((float32(cy)+0.5)*Cell) - y
			if float32(dx*dx)+float32(dy*dy) <= float32(radius*radius) && g.inside(cx, cy) {
				each(index(cx, cy), dx, dy)
			}
		}
	}
}
