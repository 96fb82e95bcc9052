package ground

import (
	"math"

	"fieldbrain/field/exact"
)

// The footprint's masks: the leading half of the disc for every place of its
// centre within a cell and every direction.
const (
	reachCells = 5                // rows and columns on either side of the centre's cell
	printRows  = 2*reachCells + 1 // of a mask
	phases     = 4                // places of the centre within a cell, per axis
	directions = 32
	sizes      = 4     // of the disc
	nearby     = 0.005 // m that a disc must be clear of everything to be taken
)

// A mask is a set of cells around the centre's: bit reachCells of row reachCells
// is the centre's own.
type print struct {
	row         [printRows]uint16
	first, last int8  // rows that are not empty
	size        int16 // cells
}

// prints are all masks, for discs from a little less than the body to the body
// with its margin.
type prints struct {
	radius [sizes]float32 // m
	set    [sizes][phases * phases][directions]print
	head   [sizes][phases * phases][directions]print // of them only what is clearly ahead of the centre
	lane   [phases * phases][directions]print        // of the middle of the body
}

// lane is half the width in m of the middle of the body, which a sonar sees before
// the body is there.
const lane = 0.05

// leads is how far ahead of the centre in cells a cell must be to stop a disc of
// each size: what the smallest already overlaps does not, nothing is inside of
// the others when they start.
var leads = [sizes]float64{0.2, -0.4, -0.4, -0.4}

// fill computes the masks of a body with a margin in m.
func (p *prints) fill(b *Body, margin float32) {
	for phase := range phases * phases {
		for d := range directions {
			p.lane[phase][d].fill(lane/Cell, 0, phase, d)
		}
	}
	p.radius = [sizes]float32{b.Radius - 0.01, b.Radius, b.Radius + float32(0.5*margin), b.Radius + margin}
	for s := range sizes {
		for phase := range phases * phases {
			for d := range directions {
				p.set[s][phase][d].fill(float64(p.radius[s])/Cell, leads[s], phase, d)
				p.head[s][phase][d].fill(float64(p.radius[s])/Cell, leads[0], phase, d)
			}
		}
	}
}

// fill computes one mask; radius in cells.
func (m *print) fill(radius, leads float64, phase, direction int) {
	x := float64((float64(phase%phases) + 0.5) / phases)
	y := float64((float64(phase/phases) + 0.5) / phases)
	way := float64(direction) * (2 * math.Pi / directions)
	ux, uy := exact.Cos(way), exact.Sin(way)
	m.first, m.last = printRows, -1
	for row := range printRows {
		dy := float64(row-reachCells) + 0.5 - y
		for column := range printRows {
			dx := float64(column-reachCells) + 0.5 - x
			if float64(dx*dx)+float64(dy*dy) <= float64(radius*radius) && float64(dx*ux)+float64(dy*uy) > leads {
				m.row[row] |= 1 << column
				m.size++
				m.first, m.last = min(m.first, int8(row)), max(m.last, int8(row))
			}
		}
	}
}

// phase returns the place within a cell of a point in cells.
func phase(x, y float32, cx, cy int32) int {
	px := min(int((x-float32(cx))*phases), phases-1)
	py := min(int((y-float32(cy))*phases), phases-1)
	return py*phases + px
}

// window returns the bits of a stored row from a column on, the first of them
// lowest.
func (m *bitmap) window(x, y int32) uint64 {
	row := int(y&mask) * perRow
	w, s := int(x&mask)>>6, uint(x&63)
	return m[row+w]>>s | m[row+(w+1)&(perRow-1)]<<(64-s)
}
