package ground

import "fmt"

// A Record is a grid as it is kept, in the order of its ring: the world's cell x, y
// is number (y mod 256) 256 + x mod 256.
type Record struct {
	Odds       [cells]int8   // units
	Seen       [cells]uint8  // tick of the coarse clock at which a cell was last seen
	Firm, Edge [words]uint64 // a bit per cell: surely occupied; the floor ends

	West, South int32   // world cell of the window's corner
	Row         int32   // that fades next, 0..255
	Owed, Part  float32 // rows to fade, s since the clock's last tick
	Clock       uint8

	MoverCell          [moverMost]int32
	MoverLeft, Remains [moverMost]float32 // s, units
	Movers, Mover      int32              // how many, which one fades next
}

// Save copies the grid into r.
func (g *Grid) Save(r *Record) {
	for i, v := range g.odds {
		r.Odds[i] = int8(v)
	}
	r.Seen, r.Firm, r.Edge = g.seen, g.firm, g.edge
	r.West, r.South = g.west, g.south
	r.Row, r.Owed, r.Part, r.Clock = g.fade.row, g.fade.owed, g.fade.part, g.fade.now
	m := &g.movers
	r.MoverCell, r.MoverLeft, r.Remains, r.Movers, r.Mover = m.cell, m.left, m.rest, int32(m.n), int32(m.at)
}

// Resume takes over what Copy wrote; Check says what it must be.
func (g *Grid) Resume(r *Record) {
	g.Clear()
	for i, v := range r.Odds {
		if v != 0 {
			g.put(i, int(v))
		}
	}
	g.seen, g.firm, g.edge = r.Seen, r.Firm, r.Edge
	g.west, g.south = r.West, r.South
	g.fade = fade{row: r.Row, owed: r.Owed, part: r.Part, now: r.Clock}
	g.movers = movers{cell: r.MoverCell, left: r.MoverLeft, rest: r.Remains, n: int(r.Movers), at: int(r.Mover)}
}

// Check returns what in r no grid can have, or nil.
func (r *Record) Check() error {
	const most = far / Cell
	if r.West < -most || r.West > most || r.South < -most || r.South > most {
		return fmt.Errorf("ground: its corner lies in cell %d, %d, must be within %v", r.West, r.South, most)
	}
	if r.Row < 0 || r.Row >= Side {
		return fmt.Errorf("ground: row %d must be within 0..%d", r.Row, Side-1)
	}
	if !(r.Owed >= 0 && r.Owed <= owedMost) || !(r.Part >= 0 && r.Part <= clock) {
		return fmt.Errorf("ground: owes %v rows and %v s, must be within %v and %v", r.Owed, r.Part, owedMost, clock)
	}
	for i, v := range r.Odds {
		if v < -Free || v > edgeSure {
			return fmt.Errorf("ground: cell %d is %d, must be within %d..%d", i, v, -Free, edgeSure)
		}
	}
	return r.checkMovers()
}

// checkMovers returns what no list of movers can hold.
func (r *Record) checkMovers() error {
	if r.Movers < 0 || r.Movers > moverMost || r.Mover < 0 || r.Mover > moverMost {
		return fmt.Errorf("ground: mover %d of %d, must be within %d", r.Mover, r.Movers, moverMost)
	}
	for n := range r.Movers {
		cell, left, rest := r.MoverCell[n], r.MoverLeft[n], r.Remains[n]
		if cell < 0 || cell >= cells || !(left >= -moverLasts && left <= moverLasts) || !(rest >= 0 && rest <= moverFade) {
			return fmt.Errorf("ground: mover %d is cell %d for %v s and loses %v", n, cell, left, rest)
		}
	}
	return nil
}
