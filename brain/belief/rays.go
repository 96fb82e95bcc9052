package belief

import (
	"math"

	"fieldbrain/field/exact"
)

// The rays: directions of the world's frame, azimuth by elevation. Azimuth a
// looks to (a + 1/2) of 256 parts of a turn, counter-clockwise from x.
const (
	Azimuths = 256
	Rows     = 32  // elevations, the steepest down first
	Columns  = 128 // azimuths of one fan: the half circle ahead
	MaxRays  = Columns * Rows
	Turn     = 2 * math.Pi / Azimuths // rad between two azimuths

	nearest, step = 0.15, 0.1 // m at which a ray meets the floor from 0.08 m above it, by row
	downward      = 24        // rows that do; the others look up
	highest       = 12 * math.Pi / 180

	wide     = Azimuths + Columns // a fan never wraps
	distance = 4096               // t of one cell
)

// directions are the t per cell of each axis, signed by direction.
type directions [3][Rows][wide]int32

func (d *directions) fill() {
	for r := range Rows {
		up := Elevation(r)
		for a := range wide {
			n := [3]float64{
				float64(exact.Cos(up) * exact.Cos((float64(a)+0.5)*Turn)),
				float64(exact.Cos(up) * exact.Sin((float64(a)+0.5)*Turn)),
				exact.Sin(up),
			}
			for i, v := range n {
				d[i][r][a] = int32(math.Floor(distance/v + 0.5))
			}
		}
	}
}

// Elevation returns the elevation of a row in rad, positive up. Rows that look
// down meet the floor at equal distances from each other, so that a cell of it
// counts about as much far away as near; the others share the sonar's cone.
func Elevation(row int) float64 {
	if row < downward {
		return -exact.Atan2(0.08, nearest+float64(float64(row)*step))
	}
	return float64(float64(row-downward)+0.5) * (highest / (Rows - downward))
}

// Azimuth returns the azimuth whose part of the turn holds a world heading.
func Azimuth(heading float64) int {
	return int(math.Floor(heading/Turn)) & (Azimuths - 1)
}

// A Place is a point of the world in m, z above the floor.
type Place struct{ X, Y, Z float32 }

// An origin is a place in the grid: the index of its cell and how far into the
// cell it lies along each axis, in Q10.
type origin struct {
	at   int32
	part [3]int32
	cell [3]int32
}

// origin returns where a place lies, or false outside the grid.
func (b *Belief) origin(p Place) (o origin, ok bool) {
	if !(p.Z > -Cell && p.Z < (Side-1)*Cell) {
		return o, false
	}
	i, j, ok := b.column(p.X, p.Y)
	if !ok {
		return o, false
	}
	k := int(math.Floor(float64(p.Z)/Cell)) + Body
	o.at, o.cell = int32(index(i, j, k)), [3]int32{int32(i), int32(j), int32(k)}
	for n, v := range [3]float32{p.X, p.Y, p.Z} {
		q := float64(float64(v) / Cell)
		o.part[n] = int32((q - math.Floor(q)) * 1024)
	}
	return o, true
}

// A Fan is a set of rays from one place: Columns azimuths from First on, and of
// the elevations every Stride-th from Row on, Count of them. Gain and Visits are
// added to, so that a fan may be cast in parts.
type Fan struct {
	First  int // azimuth 0..255
	Row    int // 0..31
	Count  int // rows to cast
	Stride int // 1, 2, 4 or 8

	Gain   [Columns]int32 // per azimuth, bits in Q15
	Visits int64          // cells looked at
}

// Ahead returns the first azimuth of the fan around a world heading.
func Ahead(heading float64) int { return (Azimuth(heading) - Columns/2) & (Azimuths - 1) }

// Cast adds the expected information of a fan's rays from a place; cells in seen
// count as known; nil for none. A place outside the grid gains nothing, and
// neither do rows that do not exist.
func (b *Belief) Cast(from Place, seen *Seen, f *Fan) {
	o, ok := b.origin(from)
	f.Stride = max(f.Stride, 1)
	f.Count = min(f.Count, (Rows-f.Row+f.Stride-1)/f.Stride)
	if !ok || f.Count <= 0 || f.Row < 0 || f.First < 0 || f.First >= Azimuths {
		return
	}
	b.from = o
	b.caster.fan(b, seen, f)
}

// Seen is an overlay: a set of cells that count as known. It stands for a copy
// of the grid in which they are.
type Seen [(cells + 31) / 32]uint32

func (s *Seen) has(at int32) bool { return s[at>>5]>>(at&31)&1 != 0 }
func (s *Seen) put(at int32)      { s[at>>5] |= 1 << (at & 31) }
