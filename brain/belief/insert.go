package belief

import "encoding/binary"

// Marks of a scan, the stronger the higher.
const (
	untouched uint8 = iota
	free            // a ray passed
	Arc             // an echo came from somewhere on an arc through here
	Hit             // an echo came from here
	marks
)

// weights move a cell by its mark, in units: 0.25, 0.25 and 0.75 nat.
var weights = [marks]int8{0, -8, 8, 24}

// A Scan is a set of measured rays from one place, of the directions of a Fan
// that begins at azimuth First. Its zero value has no rays.
type Scan struct {
	First int // azimuth 0..255

	rows [Rows]int32          // 1 for rows that have rays
	free [Rows][Columns]int32 // t up to which cells are free
	end  [Rows][Columns]int32 // t of the end, 0 for no ray
	echo [Rows][Columns]uint8 // what ends it
}

// Reset takes all rays out.
func (s *Scan) Reset() {
	for r := range s.rows {
		if s.rows[r] != 0 {
			s.rows[r], s.end[r] = 0, [Columns]int32{}
		}
	}
}

// Put sets one ray: metres to its end, and what is there: Arc, Hit, or 0 for
// nothing. The cell before an echo is left alone. Rays that do not exist, or
// have no length, are ignored.
func (s *Scan) Put(row, column int, metres float32, echo uint8) {
	if row < 0 || row >= Rows || column < 0 || column >= Columns || !(metres > 0) || echo >= marks {
		return
	}
	end := int32(min(metres, 16) * (distance / Cell))
	s.rows[row], s.end[row][column], s.echo[row][column] = 1, end, echo
	s.free[row][column] = end
	if echo >= Arc {
		s.free[row][column] = end - distance
	}
}

// Insert writes a scan into the grid; a place outside it writes nothing.
func (b *Belief) Insert(from Place, s *Scan) {
	o, ok := b.origin(from)
	if !ok || s.First < 0 || s.First >= Azimuths {
		return
	}
	b.from = o
	b.caster.scan(b, s)
	for r := range s.rows {
		if s.rows[r] == 0 {
			continue
		}
		for c, at := range b.hits[r*Columns:][:Columns] {
			if at != 0 {
				b.mark[at] = max(b.mark[at], s.echo[r][c])
			}
		}
	}
	b.caster.apply(b)
}

func (pureGo) scan(b *Belief, s *Scan) {
	for r := range Rows {
		if s.rows[r] == 0 {
			continue
		}
		for c := range Columns {
			a, at := s.First+c, &b.hits[r*Columns+c]
			if *at = 0; s.end[r][c] > 0 {
				*at = trace(b, &b.from, b.direction(r, a), s.free[r][c], s.end[r][c])
				if s.echo[r][c] == 0 {
					*at = 0
				}
			}
		}
	}
}

// trace is one ray of an insertion: it marks the cells it enters before t = free
// and returns the cell in which it ends, or 0 when that lies outside.
func trace(b *Belief, o *origin, d direction, until, end int32) int32 {
	at := o.at
	x, y, z := o.axes(d)
	out := min(leave(d.x, o.part[0], o.cell[0]), leave(d.y, o.part[1], o.cell[1]), leave(d.z, o.part[2], o.cell[2]))
	last := min(end, out)
	for t := int32(0); ; {
		if t < until {
			b.mark[at] = free
		}
		t = min(x.t, y.t, z.t)
		if t >= last {
			break
		}
		if x.t <= y.t && x.t <= z.t {
			at, x.t = at+x.by, x.t+x.per
		} else if y.t <= z.t {
			at, y.t = at+y.by, y.t+y.per
		} else {
			at, z.t = at+z.by, z.t+z.per
		}
	}
	if out <= end {
		return 0
	}
	return at
}

// leave returns the t at which a ray enters the border along one axis; cell is
// its coordinate, 1..32.
func leave(d, part, cell int32) int32 {
	if d > 0 {
		return (d*(1024-part))>>10 + (Side-cell)*d
	}
	return (-d*part)>>10 - (cell-1)*d
}

// apply moves every marked cell by its weight and takes the marks away.
func (pureGo) apply(b *Belief) {
	for i := 0; i < cells; i += 8 {
		if binary.LittleEndian.Uint64(b.mark[i:]) == 0 {
			continue
		}
		for j := i; j < i+8; j++ {
			if m := b.mark[j]; m != untouched {
				b.odds[j], b.mark[j] = clamp(int(b.odds[j])+int(weights[m])), untouched
			}
		}
	}
}
