package field

// PredictorBound is beyond every number that a Predictor can hold (see the package
// comment).
const PredictorBound = 1e9

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

// Store copies the predictor to dst, which holds PredictorCells values or more, and
// clears the rest of dst.
func (p *Predictor) Store(dst []float32) {
	at := 0
	for _, part := range p.parts() {
		at += copy(dst[at:], part)
	}
	dst[at], dst[at+1] = p.Result.MeanError, p.Result.Trust
	clear(dst[at+2:])
}

// PredictorSound reports whether all PredictorCells numbers are such that a predictor
// can have them: no negative mean square, no share beyond its limits, and above
// all nothing that is not a number.
func PredictorSound(cells []float32) bool {
	const any, n = PredictorBound, NumSenses
	at := 0
	for _, part := range [...]struct {
		cells     int
		low, high float32
	}{
		{n*Regressors + Regressors + n, -any, any}, // W, R, Z
		{2 * n, 0, 1},        // S, Known
		{n, -any, any},       // Hat
		{2 * n, 0, any},      // E2, Usual
		{3 * n, 0, 1},        // Mean, V2, Met
		{n, 0, boostMost},    // Boost
		{n, 0, 1},            // Checked
		{n, -any, any},       // Error
		{n, 0, surpriseMost}, // Novelty
		{n, 0, 1},            // Confidence
		{1, 0, any},          // MeanError
		{1, 0, 1 + 1e-3},     // Trust, a rounded mean
	} {
		for _, v := range cells[at:][:part.cells] {
			if !(v >= part.low && v <= part.high) {
				return false
			}
		}
		at += part.cells
	}
	return true
}

// Restore takes what Store wrote. Values that no predictor can have are refused
// and change nothing.
func (p *Predictor) Restore(src []float32) bool {
	if !PredictorSound(src) {
		return false
	}
	at := 0
	for _, part := range p.parts() {
		at += copy(part, src[at:])
	}
	p.Result.MeanError, p.Result.Trust = src[at], src[at+1]
	return true
}
