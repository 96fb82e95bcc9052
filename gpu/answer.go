package gpu

import (
	"fmt"

	"fieldbrain/field"
)

// A flaw is one mistake in an answer. Making one allocates nothing; String finds the
// words when they are needed.
type flaw struct {
	what      string
	where     int // channel, or bin
	got, want int64
}

func (f flaw) String() string {
	return fmt.Sprintf("%s %d: %d, want %d", f.what, f.where, f.got, f.want)
}

// largest is the largest activation that a sound field can hold: the bound of
// the dynamics, twice because of the noise.
const largest = 2 * field.Bound

// slack is what rounding may add to a map's 0 .. 1.
const slack = 1e-3

// check looks for values in a copied answer that cannot be true.
func check(tick uint64, a *Answer, out *field.Output, table *[field.Channels]field.Channel) (flaw, bool) {
	if a.Tick != tick {
		return flaw{"tick", 0, int64(a.Tick), int64(tick)}, false
	}
	if n := a.Stats.NotFinite; n != 0 {
		return flaw{"cells that are not a number in channel", 0, int64(n), 0}, false
	}
	for c := range out.Marginals {
		if f, ok := checkMarginal(c, &out.Marginals[c], table[c].Mask); !ok {
			return f, false
		}
	}
	for i := range out.Heading {
		if v := out.Heading[i]; v-v != 0 {
			return flaw{"heading input is not a number at bearing", i, 1, 0}, false
		}
		if v := out.Blocked[i]; v-v != 0 {
			return flaw{"blocked is not a number at bearing", i, 1, 0}, false
		}
	}
	if !out.Prediction.Plausible() {
		return flaw{"prediction that no senses can have", 0, 1, 0}, false
	}
	if !out.Recall.Plausible() {
		return flaw{"recall that no library can have", 0, 1, 0}, false
	}
	for i, v := range out.Obstacle {
		if !(v >= -slack && v <= 1+slack) {
			return flaw{"obstacle map is outside 0 .. 1 in cell", i, 1, 0}, false
		}
	}
	return flaw{}, true
}

// checkMarginal holds a channel's sums against each other: along every axis the
// channel is localised on they sum to the total, along the others they are 0.
func checkMarginal(c int, m *field.Marginal, mask field.Mask) (flaw, bool) {
	if most := int64(mask.Cells()) * field.One; m.Total < 0 || int64(m.Total) > most {
		return flaw{"total out of range, channel", c, int64(m.Total), most}, false
	}
	for i, sums := range [3]*[field.Side]int32{&m.X, &m.Y, &m.Z} {
		sum, want := int64(0), int64(0)
		if mask>>i&1 == 1 {
			want = int64(m.Total)
		}
		every := int32(0)
		for _, v := range sums {
			sum += int64(v)
			every |= v
		}
		if sum != want || every < 0 || want == 0 && every != 0 {
			return flaw{[3]string{"sum over X of channel", "sum over Y of channel", "sum over Z of channel"}[i], c, sum, want}, false
		}
	}
	return flaw{}, true
}

// sound reports whether cells are values that a field can hold.
func sound(cells []float32) (int, bool) {
	for i, v := range cells {
		if !(v >= -largest && v <= largest) {
			return i, false
		}
	}
	return 0, true
}
