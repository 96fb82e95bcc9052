package field

// A StepKind says how an engine stores and steps the field.
type StepKind uint8

// The two steps. Both compute the same function: after expansion their fields
// have the same hash.
const (
	Collapsed StepKind = iota // one slice along the axes on which a channel is uniform
	Dense                     // every one of the 32x32x32x64 cells
)

// String returns the step's name as configuration and telemetry write it.
func (k StepKind) String() string {
	if k == Dense {
		return "dense"
	}
	return "collapsed"
}

// A Storage describes how one channel lies in memory: three nested loops A, B
// and R, R innermost over one contiguous row of 32 cells. Localised axes are always
// X before Y before Z, on which the rounding of sums depends, but Z before X before Y in
// a channel of fewer than 32 planes.
//
//	cell(a, b, r) = (a*ExtentB + b)*32 + r
type Storage struct {
	Mask    Mask    // axes on which the channel is localised
	Axis    [3]Mask // axis of loop A, B, R; Uniform where the loop is not used
	Extent  [3]int  // 32 or 1; of A the number of planes where A is Z; the extent of R is always 32
	Local   [3]bool // whether the loop's axis is one the channel is localised on
	Key     [3]int  // stride of the loop in the cell number that keys the noise
	Pack    [3]int  // stride of the loop in the channel's packed distinct cells
	Offset  int     // first cell of the channel in the engine's arrays
	Repeats int     // stored cells per distinct cell
	Thick   int     // bins of Z that a stored plane stands for: 1, or 2 or 4 where A is Z
}

// Size returns how many cells the channel occupies in memory.
func (s *Storage) Size() int { return s.Extent[0] * s.Extent[1] * Side }

// Index returns the place of cell (x, y, z) in the engine's arrays.
func (s *Storage) Index(x, y, z int) int {
	coordinate := func(axis Mask) int {
		switch axis {
		case X:
			return x
		case Y:
			return y
		case Z:
			return z / s.Thick
		}
		return 0
	}
	a, b, r := coordinate(s.Axis[0]), coordinate(s.Axis[1]), coordinate(s.Axis[2])
	return s.Offset + (a*s.Extent[1]+b)*Side + r
}

// strides returns how far apart in memory neighbours along X, Y and Z lie, planes
// along Z, 0 along axes the channel does not store.
func (s *Storage) strides() (stride [3]int) {
	origin := s.Index(0, 0, 0)
	for i, next := range [3][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, s.Thick}} {
		stride[i] = s.Index(next[0], next[1], next[2]) - origin
	}
	return stride
}

// Expand copies the channel's stored cells (Size values) to its expanded form
// [x][y][z] (32768 values), repeated along the axes it does not store.
func (s *Storage) Expand(dst, cells []float32) {
	stride := s.strides()
	for x := range Side {
		for y := range Side {
			row := dst[(x*Side+y)*Side:][:Side]
			from := cells[x*stride[0]+y*stride[1]:]
			if stride[2] == 1 {
				copy(row, from[:Side])
				continue
			}
			for z := range row {
				row[z] = from[z/s.Thick*stride[2]]
			}
		}
	}
}

// Collapse picks the channel's stored cells out of its expanded form. Of values
// along uniform axes only those at coordinate 0 are read.
func (s *Storage) Collapse(cells, src []float32) {
	i := 0
	for a := range s.Extent[0] {
		for b := range s.Extent[1] {
			from := src[a*s.Key[0]+b*s.Key[1]:]
			for r := range Side {
				cells[i] = from[r*s.Key[2]]
				i++
			}
		}
	}
}

// A Layout places all 64 channels.
type Layout struct {
	Step    StepKind
	Storage [Channels]Storage
	Cells   int // length of the engine's arrays
}

// NewLayout lays the channel table out for one kind of step. Every channel
// starts on a 64-byte boundary of a float32 array that does. All three axes of the
// dense step are X, Y, Z.
func NewLayout(table *[Channels]Channel, step StepKind) Layout {
	return newLayout(table, step, func(int) [3]Mask { return [3]Mask{X, Y, Z} })
}

// NewPlanesLayout is NewLayout for an engine that advances a channel plane by plane: in
// the dense step an axis on which a channel is uniform is loop A, and the only axis on
// which it is localised loop B, so that its interaction and its diffusion stay within a
// plane. Displaced channels, whose rows run along Z, and the traces that follow them, are
// as elsewhere.
func NewPlanesLayout(table *[Channels]Channel, step StepKind) Layout {
	return newLayout(table, step, func(c int) [3]Mask {
		source := &table[c]
		if k := source.Regime.Kind; k == Memory || k == Leaky {
			source = &table[source.Source]
		}
		if source.Egocentric {
			return [3]Mask{X, Y, Z}
		}
		switch table[c].Mask {
		case X, XZ:
			return [3]Mask{Y, X, Z}
		case Z:
			return [3]Mask{X, Z, Y}
		case XY:
			return [3]Mask{Z, X, Y}
		}
		return [3]Mask{X, Y, Z}
	})
}

// newLayout places the channels one after the other, each with the axes of its loops A, B
// and R in the dense step.
func newLayout(table *[Channels]Channel, step StepKind, axes func(channel int) [3]Mask) Layout {
	l := Layout{Step: step}
	for c := range table {
		s := place(&table[c], step, axes(c))
		s.Offset = l.Cells
		l.Storage[c] = s
		l.Cells += s.Size()
	}
	return l
}

// place chooses the loops of a mask: all three axes when dense, the localised
// ones, right-aligned, when collapsed.
func place(ch *Channel, step StepKind, axes [3]Mask) Storage {
	m := ch.Mask
	if ch.Thick() > 1 {
		return placeThick(m, ch.Thick())
	}
	if step == Collapsed {
		axes = [3]Mask{X, Y, Z}
	}
	key := map[Mask]int{X: Plane, Y: Side, Z: 1}
	s := Storage{Mask: m, Extent: [3]int{1, 1, Side}, Thick: 1}
	loop, pack := 2, 1
	for _, axis := range []Mask{axes[2], axes[1], axes[0]} {
		if step == Collapsed && m&axis == 0 {
			continue
		}
		s.Axis[loop], s.Extent[loop] = axis, Side
		if m&axis != 0 {
			s.Local[loop], s.Key[loop], s.Pack[loop] = true, key[axis], pack
			pack *= Side
		}
		loop--
	}
	s.Repeats = s.Size() / m.Cells()
	return s
}

// placeThick is the one order of a channel of fewer than 32 planes, whatever the step:
// a row stays 32 cells.
func placeThick(m Mask, thick int) Storage {
	return Storage{
		Mask: m, Axis: [3]Mask{Z, X, Y}, Extent: [3]int{Side / thick, Side, Side}, Local: [3]bool{true, true, true},
		Key: [3]int{thick, Plane, Side}, Pack: [3]int{thick, Plane, Side}, Repeats: 1, Thick: thick,
	}
}
