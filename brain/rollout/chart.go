package rollout

import (
	"math"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A chart is the map of a plan: risk in the lowest eight bits of a cell, entropy of
// the floor in the next eight, reach in the upper sixteen.
type chart [cells * cells]uint32

// place returns the cell of a place in metres from the corner; outside, the nearest.
func (m *chart) place(x, y float32) uint32 {
	i, k := within(float32(x*perCell), 0, cells-1), within(float32(y*perCell), 0, cells-1)
	return m[int32(i)*cells+int32(k)]
}

// put writes one cell of values within 0..1.
func (m *chart) put(i int, risk, entropy, reach float32) {
	m[i] = share(risk, 255) | share(entropy, 255)<<8 | share(reach, 65535)<<16
}

func share(v, most float32) uint32 { return uint32(float32(within(v, 0, 1)*most) + 0.5) }

// entropies are the bits of every log-odds of a cell of the belief.
type entropies [2*belief.Limit + 1]float32

func (e *entropies) fill() {
	for i := range e {
		p := 1 / (1 + exact.Exp(-float64(i-belief.Limit)/belief.Units))
		e[i] = float32(belief.Entropy(p))
	}
}

// row fills one row of the map, x its number, from what the car knows.
func (p *Planner) row(x int, b *belief.Belief, g *ground.Grid) {
	for y := range cells {
		wx, wy := p.west+float32((float32(x)+0.5)*(1.0/perCell)), p.south+float32((float32(y)+0.5)*(1.0/perCell))
		risk := b.Risk(wx, wy)
		if g != nil {
			risk = g.Risk(wx, wy)
		}
		bits := p.bits[b.Odds(wx, wy, belief.Floor)+belief.Limit]
		p.chart.put(x*cells+y, risk, bits, p.reach.At(wx, wy))
	}
}

// corner puts the map's corner so that a place lies in its middle, on a cell's edge.
func (p *Planner) corner(x, y float32) {
	const half = cells / 2
	p.west = float32((math.Floor(float64(float64(x)*perCell)) - half) / perCell)
	p.south = float32((math.Floor(float64(float64(y)*perCell)) - half) / perCell)
}
