package cpu

import "fieldbrain/field"

// Distinct copies a section into dst as few values as say all of it
// (field.Section.Distinct): a channel's distinct cells, or all that Read gives of another section. It
// expands nothing, so that a whole field can be copied between two ticks. The
// owner calls it between two steps.
func (e *Engine) Distinct(c field.Section, dst []float32) {
	if c >= field.Channels {
		e.Read(c, dst)
		return
	}
	s := &e.layout.Storage[c]
	s.Distinct(dst, e.store.u[s.Offset:][:s.Size()])
}
