package family

import "fieldbrain/testbench/noise"

// BARN's worlds are 30 x 30 cells of 0.15 m, each free or a cylinder, for a robot
// 0.508 m long and 0.43 m wide that turns in place. The car is 0.25 m long: scaled by
// that, a cell has 74 mm, and three free ones leave the car 21 mm on either side, where
// BARN's robot has 10 mm.
const (
	grid  = 30
	pitch = 0.074 // m
	lead  = 0.6   // m of free floor before and behind
)

// drawClutter grows cylinders with a cellular automaton and has the car drive through,
// from one side to the other, eleven of its lengths away.
func drawClutter(d *draft) {
	const long, wide = grid*pitch + 2*lead, grid * pitch
	d.size(long, wide)
	d.start(0.3, wide/2, 0, 10)
	d.goal(long-0.3, wide/2)
	c := newCells(d.one(0.15, 0.20, 0.25, 0.30), &d.dice)
	for range d.whole(2, 4) {
		c = c.smooth()
	}
	for i, row := range c {
		for k, filled := range row {
			if filled && !c.buried(i, k) {
				d.disc(lead+float64((float64(k)+0.5)*pitch), float64((float64(i)+0.5)*pitch), pitch/2)
			}
		}
	}
}

// cells are the automaton: rows along the way, filled or free.
type cells [grid][grid]bool

// newCells fills cells with the given probability; the rows at both sides are walls.
func newCells(fill float64, dice *noise.Stream) *cells {
	c := &cells{}
	for i := range c {
		for k := range c[i] {
			c[i][k] = dice.Chance(fill) || i == 0 || i == grid-1
		}
	}
	return c
}

// smooth is one step of the automaton: a cell with more than four filled neighbours
// of eight is filled, one with fewer than two is freed, as in the generator that the
// authors published.
func (c *cells) smooth() *cells {
	next := *c
	for i := range c {
		for k := range c[i] {
			switch n := c.filled(i, k); {
			case n > 4:
				next[i][k] = true
			case n < 2:
				next[i][k] = false
			}
		}
	}
	return &next
}

// filled counts a cell's filled neighbours. What lies beyond the walls is filled,
// what lies before and behind the field is free.
func (c *cells) filled(i, k int) (n int) {
	for a := i - 1; a <= i+1; a++ {
		for b := k - 1; b <= k+1; b++ {
			switch {
			case a == i && b == k:
			case a < 0 || a >= grid:
				n++
			case b >= 0 && b < grid && c[a][b]:
				n++
			}
		}
	}
	return n
}

// buried reports whether a cylinder has neighbours all around, so that no beam and no
// body comes to it.
func (c *cells) buried(i, k int) bool { return c.filled(i, k) == 8 }
