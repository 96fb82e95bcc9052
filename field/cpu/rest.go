package cpu

import "fieldbrain/field"

// Params returns what defines the field. It belongs to the engine.
func (e *Engine) Params() *field.Params { return &e.params }

// Rest makes the engine what New made of it, with another key of its noise: every channel at rest,
// nothing predicted, learned or kept. It returns ErrClosed of an engine that was closed. The owner
// calls it between two steps; it allocates.
func (e *Engine) Rest(key uint32) error {
	if e.store == nil {
		return ErrClosed
	}
	e.params.Key = key
	e.forget()
	*e.store.frame = field.Frame{}
	*e.store.marginals = [field.Channels]field.Marginal{}
	*e.store.still = [field.Channels]int32{}
	e.quality, e.driven = field.Quality{}, [field.Channels]bool{}
	*e.prep = *e.newPrep()
	e.reset()
	return nil
}

// forget clears the cells of patterns and situations that the library keeps, and touches no others:
// there may be no memory behind them yet.
func (e *Engine) forget() {
	e.prep.SetRecent(&field.Recent{})
	none := make([]float32, field.Cells)
	e.newPrep().ReadSection(field.LibrarySection, none)
	e.prep.WriteSection(field.LibrarySection, none)
}
