package ground

// halo is a square of the grid around a place in which every cell says whether a
// disc whose centre is in it may meet anything: a sweep asks it before it looks at
// a stencil. It is made anew when a sweep finds it stale.
type halo struct {
	stale     bool
	x, y      int32                                 // world cell of its corner
	met, lost [haloSide][2]uint64                   // something is occupied, not known free
	row       [haloSide + 2*reachCells][3][2]uint64 // spread by 2, 3, 4 cells
}

const (
	haloSide  = 128 // cells, 4 m
	haloSlack = 16  // cells the centre may be off the middle
)

// around makes the square fresh around a cell.
func (n *halo) around(g *Grid, cx, cy int32) {
	off := func(d int32) bool { return d < -haloSlack || d > haloSlack }
	if !n.stale && !off(cx-haloSide/2-n.x) && !off(cy-haloSide/2-n.y) {
		return
	}
	n.stale, n.x, n.y = false, cx-haloSide/2, cy-haloSide/2
	n.grow(&n.met, &g.occupied, 0)
	n.grow(&n.lost, &g.free, ^uint64(0))
}

// grow spreads a bitmap, inverted where flip is all ones, by the reach of a
// stencil: octagons, not squares, so that less is met in vain.
func (n *halo) grow(to *[haloSide][2]uint64, m *bitmap, flip uint64) {
	for r := range n.row {
		y := n.y + int32(r) - reachCells
		a, b := m.window(n.x, y)^flip, m.window(n.x+64, y)^flip
		a, b = spread(a, b)
		a, b = spread(a, b)
		n.row[r][0] = [2]uint64{a, b}
		a, b = spread(a, b)
		n.row[r][1] = [2]uint64{a, b}
		a, b = spread(a, b)
		n.row[r][2] = [2]uint64{a, b}
	}
	for r := range to {
		var a, b uint64
		for d, by := range [2*reachCells + 1]int{-1, 0, 1, 2, 2, 2, 2, 2, 1, 0, -1} {
			if by >= 0 {
				a, b = a|n.row[r+d][by][0], b|n.row[r+d][by][1]
			}
		}
		to[r] = [2]uint64{a, b}
	}
}

// spread sets every bit beside one that is set, in two words of one row.
func spread(a, b uint64) (uint64, uint64) {
	return a | a<<1 | a>>1 | b<<63, b | b<<1 | b>>1 | a>>63
}

// may reports whether a bit is set; outside the square, and at its rim, it may be.
func (n *halo) may(m *[haloSide][2]uint64, cx, cy int32) bool {
	x, y := uint32(cx-n.x), uint32(cy-n.y)
	if x-reachCells >= haloSide-2*reachCells || y >= haloSide {
		return true
	}
	return m[y][x>>6]>>(x&63)&1 != 0
}
