package reference

import (
	"math"

	"fieldbrain/field"
)

// A Predictor is B.5.5 in float64, as it is written there: the oracle
// that Predictor is judged against.
type Predictor struct {
	Weights    [field.NumSenses][field.Regressors]float64
	Checked    [field.NumSenses]bool
	Error      [field.NumSenses]float64
	Surprise   [field.NumSenses]float64 // A in NOVELTY
	Boost      [field.NumSenses]float64 // share by which the slot's stimuli grow
	Confidence [field.NumSenses]float64
	Context    [field.NumSenses]float64 // z

	valid, met     [field.NumSenses]bool
	last, expected [field.NumSenses]float64
	square, size   [field.NumSenses]float64 // E2 and EMA of |e|
	mean, variance [field.NumSenses]float64
	regressor      [field.Regressors]float64
}

// Frame takes a new sensory vector: error and statistics, learning, prediction.
func (p *Predictor) Frame(l *field.LearnParams, in *field.Senses) {
	if !in.Frame || !l.Predict {
		return
	}
	was, before := p.valid, p.last
	for i := range field.NumSenses {
		s := float64(in.S[i])
		p.valid[i] = in.Valid>>i&1 == 1 && !math.IsNaN(s)
		p.last[i] = min(max(s, 0), 1)
		p.Checked[i] = p.valid[i] && was[i]
		p.compare(i)
	}
	p.adapt(float64(l.Rate))
	p.foresee(was, before)
}

// compare takes the error of one slot and what follows from it.
func (p *Predictor) compare(i int) {
	ema := func(mean *float64, share, v float64) { *mean = (1-share)*(*mean) + share*v }
	p.Error[i], p.Surprise[i], p.Boost[i] = 0, 0, 0
	if p.Checked[i] {
		e := p.last[i] - p.expected[i]
		p.Error[i] = e
		p.Surprise[i] = 6 * min(1, math.Abs(e)/(4*p.size[i]+0.02))
		p.Boost[i] = 0.25 * min(1, math.Abs(e)/0.2)
		ema(&p.square[i], 0.05, e*e)
		ema(&p.size[i], 0.01, math.Abs(e))
	}
	if !p.valid[i] {
		return
	}
	if !p.met[i] {
		p.met[i], p.mean[i] = true, p.last[i]
	}
	ema(&p.mean[i], 0.005, p.last[i])
	ema(&p.variance[i], 0.005, math.Pow(p.last[i]-p.mean[i], 2))
	p.Confidence[i] = min(max(1-math.Sqrt((p.square[i]+1e-5)/(p.variance[i]+1e-3)), 0), 1)
}

// adapt is W += mu e r^T / (1e-3 + r.r) - 1e-6 W.
func (p *Predictor) adapt(mu float64) {
	if mu == 0 {
		return
	}
	power := 0.0
	for _, r := range p.regressor {
		power += r * r
	}
	for i := range field.NumSenses {
		if !p.Checked[i] {
			continue
		}
		for j, r := range p.regressor {
			p.Weights[i][j] += mu*p.Error[i]*r/(1e-3+power) - 1e-6*p.Weights[i][j]
		}
	}
}

// foresee is s_hat = s + W [s - 0.5; s_before - 0.5; z; 0.5].
func (p *Predictor) foresee(was [field.NumSenses]bool, before [field.NumSenses]float64) {
	p.regressor = [field.Regressors]float64{field.Regressors - 1: 0.5}
	for i := range field.NumSenses {
		if p.valid[i] {
			p.regressor[i] = p.last[i] - 0.5
		}
		if was[i] {
			p.regressor[field.NumSenses+i] = before[i] - 0.5
		}
		p.regressor[2*field.NumSenses+i] = p.Context[i]
	}
	for i := range field.NumSenses {
		p.expected[i] = p.last[i]
		for j, r := range p.regressor {
			p.expected[i] += p.Weights[i][j] * r
		}
	}
}

// surprises returns the terms that NOVELTY gets, each as B.5.2 places it.
func (p *Predictor) surprises() []field.Term {
	var terms []field.Term
	add := func(slot int, psi, r, sigma float64) {
		terms = append(terms, field.Term{
			Channel: field.Novelty, A: float32(p.Surprise[slot]),
			Centre: [3]float32{float32(field.BearingBin(psi)), float32(field.RangeBin(r))},
			Sigma:  [3]float32{float32(sigma), float32(sigma)},
		})
	}
	const deg = math.Pi / 180
	for i, psi := range []float64{0, 30, -30, 60, -60, 90, -90, 180} {
		add(field.SlotRange+i, psi*deg, 4*p.last[field.SlotRange+i]+0.06*math.Cos(psi*deg), 2)
	}
	for i, bin := range []float64{18, 16, 14} {
		add(field.SlotFloor+i, field.Bearing(bin), 0.10, 1.2)
	}
	add(field.SlotContact, 0, 0.10, 2)
	add(field.SlotTarget, (2*p.last[field.SlotTarget]-1)*60*deg, 1, 2)
	return terms
}
