package route

import (
	"math"
	"math/bits"

	"fieldbrain/brain/ground"
)

// How the body's room is measured in fine cells: the centre may not come nearer to
// what is occupied than its radius, and goes slower up to some more.
const (
	rings  = 4
	widest = 7 // fine cells of the widest ring
	blocks = 0 // slowness of what is not passable
)

// ring are the radii in fine cells, the first being the body's, and what a cell costs
// that is nearer than that; the last is the slowness with room on all sides.
var (
	ring = [rings]float64{2.9, 4, 5, 7}
	cost = [rings + 1]float32{blocks, 3, 1.8, 1.25, 1}
)

const unknownCost = 1

// A space is the coarse map under way.
type space struct {
	west, south int32 // coarse world cell of the corner
	slow        [cells]float32
	known       [cells]bool

	width  [rings][2*widest + 1]int8 // of each row of each ring, -1 for none
	filled bool
	strip  [2*widest + 2][widest + 1]ground.Row // occupied rows, spread by 0.. cells
}

// begin starts a copy of the grid whose corner is given.
func (s *space) begin(west, south int32) {
	s.west, s.south = (west+1)>>1, (south+1)>>1
	if !s.filled {
		s.fill()
	}
	for y := -widest; y < 0; y++ {
		*s.at(y) = [widest + 1]ground.Row{}
	}
}

// fill computes the rows of the rings.
func (s *space) fill() {
	s.filled = true
	for k, r := range ring {
		for d := -widest; d <= widest; d++ {
			rest := float64(r*r) - float64(d*d)
			s.width[k][d+widest] = -1
			if rest >= 0 {
				s.width[k][d+widest] = int8(math.Sqrt(rest))
			}
		}
	}
}

// window returns one fine row of the window, counted from the map's south; rows and
// the column outside the grid's window are empty.
func (s *space) window(g *ground.Grid, y int) (occupied, free ground.Row) {
	west, south := g.Corner()
	if row := s.south*2 + int32(y); row >= south && row < south+fine {
		occupied, free = g.Row(row, s.west*2)
	}
	if s.west*2 > west { // the grid ends a column earlier
		occupied[3], free[3] = occupied[3]&^(1<<63), free[3]&^(1<<63)
	}
	return occupied, free
}

// at returns a fine row of the strip.
func (s *space) at(y int) *[widest + 1]ground.Row { return &s.strip[(y+len(s.strip))%len(s.strip)] }

// load reads one fine row into the strip, spread by every width of a ring.
func (s *space) load(g *ground.Grid, y int) {
	row := s.at(y)
	row[0], _ = s.window(g, y)
	for n := 1; n <= widest; n++ {
		row[n] = widened(&row[n-1])
	}
}

// widened sets every bit beside one that is set.
func widened(r *ground.Row) (to ground.Row) {
	for i := range r {
		v := r[i] | r[i]<<1 | r[i]>>1
		if i > 0 {
			v |= r[i-1] >> 63
		}
		if i < len(r)-1 {
			v |= r[i+1] << 63
		}
		to[i] = v
	}
	return to
}

// reached returns which cells of a fine row are nearer to what is occupied than a
// ring.
func (s *space) reached(k, y int) (to ground.Row) {
	for d := -widest; d <= widest; d++ {
		w := s.width[k][d+widest]
		if w < 0 {
			continue
		}
		from := &s.at(y + d)[w]
		for i := range to {
			to[i] |= from[i]
		}
	}
	return to
}

// take makes one coarse row of two fine ones, and notes in the answer where the
// body's centre may not be.
func (s *space) take(g *ground.Grid, row int, a *answer) {
	if row == 0 {
		for y := range widest {
			s.load(g, y)
		}
	}
	var tight [rings]ground.Row // cells all four of which are within the ring
	var free [2]ground.Row
	for half := range 2 {
		y := 2*row + half
		s.load(g, y+widest)
		_, free[half] = s.window(g, y)
		for k := range rings {
			in := s.reached(k, y)
			if k == 0 {
				a.block[y] = in
			}
			for i := range in {
				if both := in[i] & (in[i] >> 1); half == 0 {
					tight[k][i] = both
				} else {
					tight[k][i] &= both
				}
			}
		}
	}
	for x := range Side {
		w, b := x>>5, uint(2*x&63)
		n := 0 // the narrowest ring that it is within
		for n < rings && tight[n][w]>>b&1 == 0 {
			n++
		}
		i, slow := row*Side+x, cost[n]
		s.known[i] = bits.OnesCount64(free[0][w]>>b&3)+bits.OnesCount64(free[1][w]>>b&3) >= 2
		if slow != blocks && !s.known[i] {
			slow += unknownCost
		}
		s.slow[i] = slow
	}
}

// cell returns the column and row of a point's cell, and whether it is on the map.
func (s *space) cell(x, y float32) (cx, cy int, ok bool) {
	cx, cy = coordinate(x)-int(s.west), coordinate(y)-int(s.south)
	return cx, cy, cx >= 0 && cx < Side && cy >= 0 && cy < Side
}

// coordinate returns the world cell of a coordinate in m.
func coordinate(m float32) int { return int(math.Floor(float64(m) / Cell)) }

// middle returns the middle of a cell in m.
func (s *space) middle(i int) point {
	return point{float32((float32(i%Side+int(s.west)) + 0.5) * Cell), float32((float32(i/Side+int(s.south)) + 0.5) * Cell)}
}
