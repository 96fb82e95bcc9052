package cpu

import "fieldbrain/field"

// A toiler is a backend that has a yardstick of its own.
type toiler interface {
	toil(unit int, ops *[field.Channels]float64)
}

// Toil goes over the engine's own memory as a step at full quality does in a tick, on as many
// threads and with as many operations, those of Minimum and of the newest inputs, but none
// waits for another or for memory. It changes no bit of the field. It reports whether this engine
// can; the pure Go one cannot, nor one that is closed. Owner only, between two steps.
func (e *Engine) Toil(tick uint64) bool {
	t, ok := e.backend.(toiler)
	if !ok {
		return false
	}
	ops := perCell(&e.params.Table, &e.layout, e.isa)
	q := field.Full()
	for c := range ops {
		ops[c] += e.summands(c)
		if !q.Due(c, tick) {
			ops[c] = 0
		}
	}
	step := e.pool.work
	e.pool.work = func(unit, _ int) { t.toil(unit, &ops) }
	e.pool.run()
	e.pool.work = step
	return true
}

// summands returns the operations per cell of channel c's newest input: each stimulus and
// coupling is a product and an addition, once for all cells with the same input.
func (e *Engine) summands(c int) float64 {
	if k := e.params.Table[c].Regime.Kind; k != field.Amari && k != field.Linear {
		return 0
	}
	f := e.store.frame
	n := int(f.Start[c+1] - f.Start[c])
	for i := range f.NumCouplings {
		if int(f.To[i]) == c && f.Weight[i] != 0 {
			n++
		}
	}
	cells := float64(e.layout.Storage[c].Size())
	return float64(2*n) * min(cells, float64(e.params.Table[c].Mask.Cells())) / cells
}
