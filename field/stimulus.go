package field

import (
	"math"

	"fieldbrain/field/exact"
)

// MaxTerms is how many input terms one tick may have.
const MaxTerms = 96

// A Term is one rank-1 input: A px(x) py(y) pz(z), each profile a Gaussian
// around Centre with width Sigma, in bins, along the axes the channel is
// localised on. A Sigma of 0 makes the profile uniform along that axis.
type Term struct {
	Channel int
	A       float32    // amplitude in units of activation
	Centre  [3]float32 // bins along X, Y, Z
	Sigma   [3]float32 // bins along X, Y, Z; 0 is uniform
}

// At returns a term for a channel localised on the bearing alone.
func At(channel int, a float32, x, sigma float64) Term {
	return Term{
		Channel: channel, A: a,
		Centre: [3]float32{float32(x)}, Sigma: [3]float32{float32(sigma)},
	}
}

// Row is one profile: a weight per bin of one axis.
type Row [Side]float32

// gaussian fills row with exp(-d^2/2 sigma^2), d being the distance to centre,
// around the circle when wrap. A sigma of 0 fills it with ones.
func (row *Row) gaussian(centre, sigma float64, wrap bool) {
	if sigma == 0 {
		for i := range row {
			row[i] = 1
		}
		return
	}
	k := -1 / (2 * float64(sigma*sigma))
	for i := range row {
		d := float64(i) - centre
		if wrap {
			d = wrapBins(d)
		}
		row[i] = float32(exact.Exp(float64(float64(d*d) * k)))
	}
}

// wrapBins returns the distance d around the circle of 32 bins, in [-16, 16)
// up to rounding, in the same time for every d.
func wrapBins(d float64) float64 {
	return d - float64(Side*math.Floor((d+Side/2)/Side))
}
