package cpu

import "fieldbrain/field"

// Distinct copies a sheet into dst as few values as say all of it
// (field.SheetCells): a channel's distinct cells, or what else Read gives. It
// expands nothing, so that a whole field can be copied between two ticks. The
// owner calls it between two steps.
func (e *Engine) Distinct(sheet int, dst []float32) {
	if sheet >= field.Channels {
		e.Read(sheet, dst)
		return
	}
	s := &e.layout.Slots[sheet]
	s.Distinct(dst, e.store.u[s.Offset:][:s.Size()])
}
