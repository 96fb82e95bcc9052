package field

import "math"

// Regressors is the length of r, the vector from which a prediction follows: this
// frame, the frame before, the context and a constant.
const Regressors = 3*NumSenses + 1

// A Prediction says how well the newest frame had been expected. Between frames it
// stays.
type Prediction struct {
	Checked    [NumSenses]float32 // 1: the slot was predicted and seen, 0 not
	Error      [NumSenses]float32 // e = s - s_hat, 0 where not checked
	Novelty    [NumSenses]float32 // A of its surprise, 0..6, whether or not it has a place
	Confidence [NumSenses]float32 // 0..1, of the newest frame in which it was valid
	MeanError  float32            // mean |e| of the checked slots
	Trust      float32            // mean confidence of the checked slots
}

// Plausible reports whether a Predictor can have computed every number.
func (r *Prediction) Plausible() bool {
	for i := range NumSenses {
		within := r.Checked[i] >= 0 && r.Checked[i] <= 1 && r.Error[i] >= -PredictorBound && r.Error[i] <= PredictorBound &&
			r.Novelty[i] >= 0 && r.Novelty[i] <= surpriseMost && r.Confidence[i] >= 0 && r.Confidence[i] <= 1
		if !within {
			return false
		}
	}
	return r.MeanError >= 0 && r.MeanError <= PredictorBound && r.Trust >= 0 && r.Trust <= 1+1e-3
}

// A Predictor foretells the next sensory vector and learns from its error
// (B.5.5). In a new frame s_t, in this order:
//
//	e_t       = s_t - s_hat_t                               checked slots
//	W        += mu e r^T / (1e-3 + r.r) - 1e-6 W            their rows
//	r_t       = [s_t - 0.5; s_{t-1} - 0.5; z; 0.5]          0 where not valid
//	s_hat_t+1 = s_t + W r_t
//
// A slot is checked when it was valid in the last frame and is in this one.
// Without learning the prediction is that nothing changes, so that a constant
// has no error from its second frame on. Sums over r follow the fixed order of
// dot.
//
// A surprise is measured by the error that was usual before it, EMA_i of |e_i| at
// 0.01 per frame. At the 0.05 of E2 a change would be usual before NOVELTY, whose
// time constant is 100 ms, has seen it; at 0.005 its peak outlives 3 s (B9). The
// mean of a slot begins with its first value.
//
// It holds no pointers and nothing but float32: the kernels keep the same struct
// (gpu/kernels/shared.cuh), and Store and Restore move it as one section of
// numbers. A Predictor that is zero knows nothing. No rung of quality touches it.
type Predictor struct {
	W [NumSenses * Regressors]float32 // row by row
	R [Regressors]float32             // r of the last frame
	Z [NumSenses]float32              // context; 0 until patterns are kept

	S, Known [NumSenses]float32 // the last frame: values, and 1 where valid
	Hat      [NumSenses]float32 // expected values of the next
	E2       [NumSenses]float32 // mean square of the error
	Usual    [NumSenses]float32 // mean size of the error
	Mean, V2 [NumSenses]float32 // mean and variance of the value
	Met      [NumSenses]float32 // 1 once the slot has been valid
	Boost    [NumSenses]float32 // share by which the slot's stimuli are larger, 0..0.25

	Result Prediction
}

// Frame takes a new vector, if it is one.
func (p *Predictor) Frame(l *LearnParams, in *Senses) {
	loops := PlainLoops()
	p.frame(l, in, &loops)
}

func (p *Predictor) frame(l *LearnParams, in *Senses, loops *Loops) {
	if !l.Predict || !in.Frame {
		return
	}
	var s, known [NumSenses]float32
	for i := range s {
		s[i], known[i] = in.value(i)
		p.judge(i, s[i], known[i])
	}
	p.summarise()
	if l.Rate != 0 {
		p.learn(l.Rate, loops)
	}
	p.expect(&s, &known, loops.Expect)
}

// judge compares one slot with its expected value.
func (p *Predictor) judge(i int, s, known float32) {
	r := &p.Result
	r.Checked[i], r.Error[i], r.Novelty[i], p.Boost[i] = 0, 0, 0, 0
	if known == 0 {
		return
	}
	if p.Known[i] != 0 {
		e := s - p.Hat[i]
		size := max(e, -e)
		usual := float32(surpriseUsed*p.Usual[i]) + surpriseNear
		r.Checked[i], r.Error[i] = 1, e
		r.Novelty[i] = float32(surpriseMost * min(1, size/usual))
		p.Boost[i] = float32(boostMost * min(1, size/boostFull))
		p.Usual[i] = Settle(p.Usual[i] + float32(usualShare*(size-p.Usual[i])))
		p.E2[i] = Settle(p.E2[i] + float32(fastShare*(float32(e*e)-p.E2[i])))
	}
	if p.Met[i] == 0 {
		p.Met[i], p.Mean[i] = 1, s
	}
	p.Mean[i] += float32(slowShare * (s - p.Mean[i]))
	d := s - p.Mean[i]
	p.V2[i] = Settle(p.V2[i] + float32(slowShare*(float32(d*d)-p.V2[i])))
	r.Confidence[i] = min(max(1-root((p.E2[i]+errorFloor)/(p.V2[i]+varianceFloor)), 0), 1)
}

// root is the square root, rounded once.
func root(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// summarise takes the means over the checked slots.
func (p *Predictor) summarise() {
	r := &p.Result
	var size, trust lanes
	n := 0
	for i := range NumSenses {
		size[i%Side] += max(r.Error[i], -r.Error[i])
		trust[i%Side] += float32(r.Checked[i] * r.Confidence[i])
		n += int(r.Checked[i])
	}
	r.MeanError, r.Trust = 0, 0
	if n > 0 {
		r.MeanError, r.Trust = size.sum()/float32(n), trust.sum()/float32(n)
	}
}

// learn moves the rows of the checked slots towards their right prediction.
func (p *Predictor) learn(rate float32, loops *Loops) {
	power := nlmsFloor + dot(&p.R, &p.R)
	for i, e := range p.Result.Error {
		loops.gain[i] = float32(rate*e) / power
	}
	loops.Learn(&p.W, &p.R, &loops.gain, &p.Result.Checked)
}

// expect keeps the frame and predicts the next one.
func (p *Predictor) expect(s, known *[NumSenses]float32, loop ExpectFunc) {
	for i := range s {
		p.R[i], p.R[NumSenses+i], p.R[2*NumSenses+i] = 0, 0, p.Z[i]
		if known[i] != 0 {
			p.R[i] = s[i] - 0.5
		}
		if p.Known[i] != 0 {
			p.R[NumSenses+i] = p.S[i] - 0.5
		}
	}
	p.R[3*NumSenses] = 0.5
	p.S, p.Known = *s, *known
	loop(&p.W, &p.R, &p.Hat)
	for i := range s {
		if known[i] != 0 {
			p.Hat[i] = s[i] + p.Hat[i]
		} else {
			p.Hat[i] = 0
		}
	}
}

// lanes are partial sums as a warp has them: lane l sums the elements l, l+32,
// l+64 and so on, in this order.
type lanes [Side]float32

// sum adds the lanes as a warp does: each with the one 16 further, then 8, 4, 2
// and 1. The order is part of the result.
func (l *lanes) sum() float32 {
	for d := Side / 2; d > 0; d /= 2 {
		for i := range d {
			l[i] += l[i+d]
		}
	}
	return l[0]
}

// dot returns a.b in the order of lanes.
func dot(a, b *[Regressors]float32) float32 {
	var l lanes
	for k := 0; k < Regressors-1; k += Side {
		x, y := (*lanes)(a[k:]), (*lanes)(b[k:])
		for i := range l {
			l[i] += float32(x[i] * y[i])
		}
	}
	l[0] += float32(a[Regressors-1] * b[Regressors-1])
	return l.sum()
}
