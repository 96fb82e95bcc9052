package gpu

import "time"

// SetLimits changes how long an engine waits for a step and for any other order.
func (e *Engine) SetLimits(d time.Duration) { e.deadline, e.patience = d, d }

// Idle reports whether the child is done with the newest order.
func (e *Engine) Idle() bool { return e.caller.look(false) != pending }
