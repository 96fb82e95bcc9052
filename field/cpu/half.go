package cpu

import (
	"math"

	"fieldbrain/field"
)

// halve rounds what the tick has updated as a graphics card of half precision stores it
// (gpu/kernels/share.cuh, store), with that card's dice. It is an emulation: it tells
// what is lost and saves no time.
func (e *Engine) halve(tick uint64) {
	key := ^field.TickKey(tick, e.params.Key)
	for c := range e.params.Table {
		if e.params.Table[c].Halved() && e.store.frame.Run[c] != 0 && e.store.still[c] == 0 {
			e.halveChannel(c, key)
		}
	}
}

func (e *Engine) halveChannel(c int, key uint32) {
	s, kind := &e.layout.Storage[c], e.params.Table[c].Regime.Kind
	u, f := e.store.u[s.Offset:][:s.Size()], e.store.f[s.Offset:][:s.Size()]
	changed := false
	for i, v := range u {
		a, b, r := i/side/s.Extent[1], i/side%s.Extent[1], i%side
		cell := a*s.Key[0] + b*s.Key[1] + r*s.Key[2]
		h := field.Half(v, field.Mix(uint32(cell+field.Cells*c)^key))
		if math.Float32bits(h) != math.Float32bits(v) {
			u[i], f[i], changed = h, kind.Output(h), true
		}
	}
	if changed {
		e.store.marginals[c] = marginal(f, s)
	}
}
