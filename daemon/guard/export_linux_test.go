package guard

// Lie writes into the page that the driver wants the line low, and leaves it high.
func (w *Ward) Lie() { w.page.Load().daemon.high.Store(0) }

// Looks returns how often the guard has looked.
func (w *Ward) Looks() uint64 { return w.page.Load().guard.seq.Load() }
