package field

import "fmt"

// A channel localised on all three axes may have fewer planes along Z than 32: 16 or
// 8, each of which stands for 2 or 4 neighbouring bins of the feature axis that hold
// the same. Its equation is that of the whole channel, projected on such fields: what
// a plane gets is the mean of what its bins would get (docs/decisions/0034).
//
//	kernel     K[d] = 1/m sum_k (m-|k|) w[|d m + k|], k = 1-m .. m-1, for w of B.3
//	diffusion  1/m of the plane above and below
//	stimuli    the mean of the profile over a plane's bins
//	sums       a plane's output counts m times
//
// From outside nobody sees fewer than 32 bins: Read, marginals, couplings and patterns
// repeat a plane for each of its bins, and Write takes the first of them.

// Planes returns how many planes a channel of three axes may have, most first.
func Planes() []int { return []int{Side, Side / 2, Side / 4} }

// Reduce gives every channel of three axes so many planes, one of Planes.
func Reduce(table *[Channels]Channel, planes int) {
	for c := range table {
		if table[c].Mask != XYZ {
			continue
		}
		table[c].Planes = planes
		if planes == Side {
			table[c].Planes = 0
		}
	}
}

// Reduced returns how many planes the channels of three axes have, the fewest of any.
func Reduced(table *[Channels]Channel) int {
	planes := Side
	for c := range table {
		planes = min(planes, Side/table[c].Thick())
	}
	return planes
}

// Thick returns for how many bins of Z one plane of the channel stands: 1, 2 or 4.
func (ch *Channel) Thick() int {
	if ch.Planes == 0 {
		return 1
	}
	return Side / ch.Planes
}

// validatePlanes checks that the planes of one channel fit its axes and its source.
func (p *Params) validatePlanes(c int, at string, fail func(string, ...any)) {
	ch := &p.Table[c]
	switch {
	case ch.Planes == 0:
	case ch.Planes != Side/2 && ch.Planes != Side/4:
		fail("%s: %d planes, must be 0 for all 32, %d or %d", at, ch.Planes, Side/2, Side/4)
	case ch.Mask != XYZ:
		fail("%s: %d planes need the axes XYZ; its mask is %v", at, ch.Planes, ch.Mask)
	case ch.Egocentric:
		fail("%s: %d planes: an egocentric channel has all 32", at, ch.Planes)
	}
	k := ch.Regime.Kind
	if follows := k == Memory || k == Leaky; !follows || ch.Source < 0 || ch.Source >= Channels {
		return
	}
	if src := &p.Table[ch.Source]; src.Planes != ch.Planes {
		fail("%s: %d planes differ from %d of its source %s", at, ch.Planes, src.Planes, src.Name)
	}
}

// Whole returns an error that names the first channel with fewer than 32 planes: what
// steps the field on a graphics card knows no others.
func (p *Params) Whole() error {
	for c := range p.Table {
		if ch := &p.Table[c]; ch.Planes != 0 {
			return fmt.Errorf("field: channel %d %s has %d planes along Z: only the processor's engines step fewer than %d", c, ch.Name, ch.Planes, Side)
		}
	}
	return nil
}

// Thicken returns one half of an interaction kernel between planes of so many bins,
// filled up with 0 to the length of half. It sums to 32768 as half does.
func Thicken(half []int32, thick int) []int32 {
	if thick == 1 {
		return half
	}
	m, rest := int32(thick), int32(One)
	to := make([]int32, len(half))
	for d := len(half) - 1; d > 0; d-- {
		to[d] = (taps(half, d*thick, m) + m/2) / m
		rest -= 2 * to[d]
	}
	to[0] = rest
	return to
}

// taps sums the weights between the bins of two planes that stand `from` bins apart.
func taps(half []int32, from int, m int32) (sum int32) {
	for k := 1 - m; k < m; k++ {
		if at := from + int(k); at < len(half) {
			sum += (m - max(k, -k)) * half[max(at, -at)]
		}
	}
	return sum
}

// thicken makes the profile of planes from that of bins, in its place.
func (row *Row) thicken(thick int) {
	if thick == 1 {
		return
	}
	for i := range Side / thick {
		sum := float32(0)
		for _, v := range row[i*thick:][:thick] {
			sum += v
		}
		row[i] = float32(sum * (1 / float32(thick)))
		if row[i] < Faint {
			row[i] = 0
		}
	}
}
