package field

// Learned is the number under which Read and Write of an engine move what it
// has learned and expects, in place of a channel: a Predictor, LearnedCells
// values, the rest of the 32768 zero. Whoever copies a field copies it as well.
const Learned = Channels

// LearnedCells is how many float32 a Predictor is.
const LearnedCells = NumSenses*Regressors + Regressors + (10+4)*NumSenses + 2

// LearnedBound bounds every number of a Predictor that can be believed. Weights
// stay far below (see the package comment).
const LearnedBound = 1e6

// parts returns the arrays of p in the order of its fields; the two means
// follow.
func (p *Predictor) parts() [16][]float32 {
	r := &p.Result
	return [16][]float32{
		p.W[:], p.R[:], p.Z[:],
		p.S[:], p.Known[:], p.Hat[:], p.E2[:], p.Usual[:], p.Mean[:], p.V2[:], p.Met[:], p.Boost[:],
		r.Checked[:], r.Error[:], r.Novelty[:], r.Confidence[:],
	}
}

// Store copies the predictor to dst, which holds LearnedCells values or more;
// what is beyond becomes 0.
func (p *Predictor) Store(dst []float32) {
	at := 0
	for _, part := range p.parts() {
		at += copy(dst[at:], part)
	}
	dst[at], dst[at+1] = p.Result.MeanError, p.Result.Trust
	clear(dst[at+2:])
}

// Learnable reports whether the numbers are such that a predictor can have them.
func Learnable(cells []float32) bool {
	for _, v := range cells {
		if !(v >= -LearnedBound && v <= LearnedBound) {
			return false
		}
	}
	return true
}

// Restore takes what Store wrote. Values that no predictor can have are refused
// and change nothing.
func (p *Predictor) Restore(src []float32) bool {
	if !Learnable(src[:LearnedCells]) {
		return false
	}
	at := 0
	for _, part := range p.parts() {
		at += copy(part, src[at:])
	}
	p.Result.MeanError, p.Result.Trust = src[at], src[at+1]
	return true
}
