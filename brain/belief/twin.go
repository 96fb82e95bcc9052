package belief

// What another machine needs to compute the same from the same integers: places,
// rays and the grid itself. See the contract in the package comment.

// GridCells is how many cells the grid has, its border included.
const GridCells = cells

// Locate returns where a place lies: the index of its cell and how far into the
// cell it lies along each axis, in Q10; false outside the grid.
func (b *Belief) Locate(p Place) (at int32, part [3]int32, ok bool) {
	o, ok := b.origin(p)
	return o.at, o.part, ok
}

// Grid copies the log-odds in units, border included, in the grid's order.
func (b *Belief) Grid(dst *[GridCells]int8) { copy(dst[:], b.odds[:cells]) }

// Has reports whether the log-odds are those that Grid copied to src.
func (b *Belief) Has(src *[GridCells]int8) bool { return *(*[GridCells]int8)(b.odds[:]) == *src }

// Load takes log-odds over that Grid copied, wherever in the world they lie.
func (b *Belief) Load(src *[GridCells]int8) { copy(b.odds[:cells], src[:]) }

// CastAt is Cast from a place that Locate told.
func (b *Belief) CastAt(at int32, part [3]int32, seen *Seen, f *Fan) {
	b.from = origin{at: at, part: part, cell: [3]int32{at / (Padded * Padded), at / Padded % Padded, at % Padded}}
	b.caster.fan(b, seen, f)
}

// Direction returns the t per cell of each axis of one ray, signed by direction;
// azimuths go on beyond the turn, as far as a fan that begins in it.
func (b *Belief) Direction(row, azimuth int) [3]int32 {
	return [3]int32{b.dirs[0][row][azimuth], b.dirs[1][row][azimuth], b.dirs[2][row][azimuth]}
}

// Class returns what a class of log-odds lets pass and its entropy in bits, both
// in Q15.
func Class(n int) (pass, entropy int32) { return int32(classes[n] & 0xffff), int32(classes[n] >> 16) }

// Rays returns one row of a scan: t up to which its rays are free, t of their
// ends, 0 for no ray, and the marks there; false if it has no rays.
func (s *Scan) Rays(row int) (free, end *[Columns]int32, echo *[Columns]uint8, ok bool) {
	return &s.free[row], &s.end[row], &s.echo[row], s.rows[row] != 0
}
