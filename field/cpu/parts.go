package cpu

import (
	"time"

	"fieldbrain/field"
)

// parts are how long the parts of the newest step took; -1 where there was none.
type parts struct{ evolve, match time.Duration }

// begin forgets the step before.
func (p *parts) begin() { p.evolve, p.match = -1, -1 }

// timed returns a comparison of patterns that is timed: one every 100 ms, two where an
// episode is kept.
func (p *parts) timed(compare field.MatchFunc) field.MatchFunc {
	return func(contexts *[field.NumSenses][field.PatternRow]float32, z *[field.NumSenses]float32, cosine *[field.PatternRow]float32) {
		began := time.Now()
		compare(contexts, z, cosine)
		p.match = max(p.match, 0) + time.Since(began)
	}
}

// Parts returns how long parts of the newest step took: the doorbell, which a processor
// has not, the evolve pass over all channels, and the comparison of patterns where the
// step had one. A part that was not there is negative. Owner only.
func (e *Engine) Parts() (doorbell, evolve, match time.Duration) {
	return -1, e.parts.evolve, e.parts.match
}
