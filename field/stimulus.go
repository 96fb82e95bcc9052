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
	Of      int32      // 1 + the slot of the senses it shows, 0 for none: a surprise makes it stronger
}

// From returns the term as the stimulus of a slot.
func (t Term) From(slot int) Term {
	t.Of = int32(slot) + 1
	return t
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

// A sketch says what a profile shows. Most tell the same in many ticks: a sensor has a
// new value every 20 to 50 ms, a tick comes every 5.
type sketch struct {
	centre, sigma float64
	thick         int // bins per weight, 0: not drawn yet
}

// draw draws a profile unless row shows it already.
func (k *sketch) draw(row *Row, centre, sigma float64, wrap bool) {
	k.drawThick(row, centre, sigma, wrap, 1)
}

// drawThick is draw for planes of so many bins.
func (k *sketch) drawThick(row *Row, centre, sigma float64, wrap bool, thick int) {
	if now := (sketch{centre, sigma, thick}); *k != now {
		*k = now
		row.gaussian(centre, sigma, wrap)
		row.thicken(thick)
	}
}

// A drawing is a profile with its sketch, always along one axis.
type drawing struct {
	row Row
	sketch
}

// draw draws the profile unless it is there already.
func (d *drawing) draw(centre, sigma float64, wrap bool) { d.sketch.draw(&d.row, centre, sigma, wrap) }

// gaussian fills row with exp(-d^2/2 sigma^2), d being the distance to centre,
// around the circle when wrap. A sigma of 0 fills it with ones. It walks
// outwards from the bin next to the centre: the ratio of neighbouring weights
// itself changes by a constant factor, so three exponentials do.
func (row *Row) gaussian(centre, sigma float64, wrap bool) {
	if sigma == 0 {
		for i := range row {
			row[i] = 1
		}
		return
	}
	k := -1 / (2 * float64(sigma*sigma))
	first := int(min(max(math.Floor(centre+0.5), 0), Side-1))
	if wrap { // the nearest bin on the circle, so that no weight grows outwards
		first = int(math.Floor(wrapBins(centre)+0.5)) & (Side - 1)
	}
	d := float64(first) - centre
	if wrap {
		d = wrapBins(d)
	}
	up, down := Side-1-first, first
	if wrap { // distances within [-16, 16)
		up, down = Side/2-1, Side/2
		if d < 0 {
			up, down = Side/2, Side/2-1
		}
	}
	top, bend := exact.Exp(float64(float64(d*d)*k)), exact.Exp(2*k)
	row.set(first, top)
	row.walk(first, up, slope{top, exact.Exp(float64(k * (float64(2*d) + 1))), bend})
	row.walk(first, -down, slope{top, exact.Exp(float64(k * (1 - float64(2*d)))), bend})
}

// A slope is one side of a bump: each weight is the one before times ratio, and ratio
// shrinks by bend.
type slope struct{ weight, ratio, bend float64 }

// walk fills n bins above first, or -n below it where n is negative.
func (row *Row) walk(first, n int, s slope) {
	step := 1
	if n < 0 {
		n, step = -n, -1
	}
	for i := range n {
		s.weight *= s.ratio
		s.ratio *= s.bend
		row.set(first+step*(i+1), s.weight)
	}
}

func (row *Row) set(bin int, weight float64) {
	if weight < Faint {
		weight = 0
	}
	row[bin&(Side-1)] = float32(weight)
}

// wrapBins returns the distance d around the circle of 32 bins, in [-16, 16)
// up to rounding, in the same time for every d.
func wrapBins(d float64) float64 {
	return d - float64(Side*math.Floor((d+Side/2)/Side))
}
