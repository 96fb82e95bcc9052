package field

import "fieldbrain/field/exact"

// The entries of Library.Count.
const (
	seen = iota
	writes
)

// Whiten turns a raw context into z: its distance from the mean in standard
// deviations, at most 3, brought to length 1, or left as short as it is: what
// hardly differs from the mean is no situation, and at length 1 its rounding
// errors would be one. Without whitening all contexts, being of numbers that are
// never negative, would look alike. Mean and variance are plain averages until as
// many contexts were seen as the slow share averages over.
func (l *Library) Whiten(raw *[NumSenses]float32) {
	l.Count[seen] = min(l.Count[seen]+1, 1/whitenShare)
	share := max(1/l.Count[seen], whitenShare)
	var z [NumSenses]float32
	var power lanes
	for i, v := range raw {
		l.Mean[i] = Settle(l.Mean[i] + float32(share*(v-l.Mean[i])))
		d := v - l.Mean[i]
		l.Variance[i] = Settle(l.Variance[i] + float32(share*(float32(d*d)-l.Variance[i])))
		z[i] = min(max(d/root(l.Variance[i]+whitenFloor), -whitenMost), whitenMost)
		power[i%Side] += float32(z[i] * z[i])
	}
	length := max(root(power.sum()), 1)
	for i := range z {
		l.Z[i] = z[i] / length
	}
}

// Match finds the patterns whose contexts are nearest to z, `most` (1 or 3) of them, and
// notes that the best is in use.
func (l *Library) Match(m *Matcher, keep float32, most int) {
	m.Cosines(&l.Context, &l.Z, &m.cosine)
	was := l.Best
	l.Best = l.top(&m.cosine, most)
	l.Best.weigh()
	for k := range MaxPatterns {
		l.Fresh[k] = Settle(float32(l.Fresh[k] * keep))
	}
	if l.Best.Gate == 0 {
		return
	}
	k := int(l.Best.Index[0])
	l.Fresh[k] = 1
	if was.Gate == 0 || was.Index[0] != l.Best.Index[0] {
		l.Uses[k] = min(l.Uses[k]+1, usesMost)
	}
}

// usesMost is as far as uses are counted: float32 counts no further.
const usesMost = 1 << 24

// top returns the best patterns in use, ties to the lower index.
func (l *Library) top(c *[PatternRow]float32, most int) Recall {
	r := none()
	for k := range MaxPatterns {
		if l.Version[k] == 0 || r.Index[most-1] >= 0 && !(c[k] > r.Cosine[most-1]) {
			continue
		}
		at := most
		for at > 0 && (r.Index[at-1] < 0 || c[k] > r.Cosine[at-1]) {
			at--
		}
		copy(r.Index[at+1:most], r.Index[at:])
		copy(r.Cosine[at+1:most], r.Cosine[at:])
		r.Index[at], r.Cosine[at] = float32(k), c[k]
	}
	return r
}

// weigh fills in gate and weights: g = clip((c_1 - 0.5)/0.3, 0, 1), and w_k in
// proportion to exp(8 c_k).
func (r *Recall) weigh() {
	r.Gate, r.Weight = 0, [3]float32{}
	if r.Index[0] < 0 {
		return
	}
	r.Gate = min(max((r.Cosine[0]-gateLow)/gateWidth, 0), 1)
	sum := float32(0)
	for n, k := range r.Index {
		if k >= 0 {
			r.Weight[n] = float32(exact.Exp(float64(float32(matchSharp * (r.Cosine[n] - r.Cosine[0])))))
			sum += r.Weight[n]
		}
	}
	for n := range r.Weight {
		r.Weight[n] /= sum
	}
}

// Plausible reports whether every number is one that a match can give.
func (r *Recall) Plausible() bool {
	for n := range r.Index {
		if !(r.Index[n] >= -1 && r.Index[n] < MaxPatterns &&
			r.Cosine[n] >= -2 && r.Cosine[n] <= 2 && r.Weight[n] >= 0 && r.Weight[n] <= unit) {
			return false
		}
	}
	return r.Gate >= 0 && r.Gate <= 1
}

// A Lead is how one channel follows the recalled patterns in one tick:
//
//	u' = ... + Rate (sum of Weight times the patterns' cells - Pull d)
//
// The layout is shared with the C engines.
type Lead struct {
	Rate   float32    // per update, 0 where nothing leads
	Pull   float32    // 1: towards the patterns; 0: they add to the drive
	Weight [3]float32 // best match first
	From   [3]int32   // the channel's first cell in the patterns
}

// leads sets the tick's leads from the newest match.
//
//	40..42   b += g sum w_k score_k PAT_k[37..39]
//	45..47   towards sum w_k PAT_k[45..47] with rate alpha(1 s) g
//
// Where no pattern has kept anything of a channel it is not led.
func (l *Library) leads(coef *[Channels]Coef, shelf *Shelf, to *[Leads]Lead) {
	for n, c := range led {
		to[n] = l.lead(c, ledBy[n]-FirstStrategic, coef[c].Lead, shelf)
	}
}

// lead returns how channel c follows channel 32+j of the patterns.
func (l *Library) lead(c, j int, rate float32, shelf *Shelf) (to Lead) {
	b := &l.Best
	if rate == 0 || b.Gate == 0 {
		return Lead{}
	}
	pulls := c == FirstStrategic+j
	for n, index := range b.Index {
		k := max(int(index), 0)
		if index < 0 || int32(l.Kept[k])>>j&1 == 0 {
			continue
		}
		to.Rate = rate
		to.Weight[n] = b.Weight[n]
		if !pulls {
			to.Weight[n] = float32(float32(b.Gate*b.Weight[n]) * l.Score[k])
		}
		to.From[n] = int32(k)*shelf[Strategic] + shelf[j]
	}
	if pulls {
		to.Pull, to.Rate = 1, float32(to.Rate*b.Gate)
	}
	return to
}
