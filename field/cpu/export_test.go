package cpu

import "fieldbrain/field"

// Forget makes the next step compute every channel, as if none were known to
// rest: what the collapsed step's skipping is judged against.
func (e *Engine) Forget() { *e.store.still = [field.Channels]int32{} }

// Cosines is the engine's match.
func (e *Engine) Cosines() field.MatchFunc { return e.prep.Matcher.Cosines }
