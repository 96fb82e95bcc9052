package stall

import (
	"math"
	"time"

	"fieldbrain/robot"
)

// steady keeps between what ranges the echoes stayed since the first way in vain began, but for
// the lowest and the highest. Between posts, and in a curve, a range may end a way as it began
// it, and did not stay the same meanwhile.
type steady struct {
	low, high [2]float64    // m, the two lowest and the two highest
	n         int           // echoes
	at        time.Duration // instant of the newest
}

// hear takes an echo's range in m, once.
func (h *steady) hear(echo robot.Reading) {
	if echo.At == h.at {
		return
	}
	r := float64(echo.Value)
	h.at = echo.At
	if h.n++; h.n == 1 {
		h.low, h.high = [2]float64{r, math.Inf(1)}, [2]float64{r, math.Inf(-1)}
		return
	}
	h.low[1] = math.Min(h.low[1], math.Max(h.low[0], r))
	h.high[1] = math.Max(h.high[1], math.Min(h.high[0], r))
	h.low[0], h.high[0] = math.Min(h.low[0], r), math.Max(h.high[0], r)
}

// stays reports whether all that is noise.
func (h *steady) stays() bool {
	return h.n < steadyLeast || h.high[1]-h.low[1] <= float64(2*noise*h.low[1])
}

// steadyLeast is how many echoes tell whether a range stays what it was.
const steadyLeast = 4
