// Prediction of the senses and learning (field/predict.go).
//
//   e  = s - s_hat      W += mu e r^T / (1e-3 + r.r) - 1e-6 W      s_hat' = s + W r
//
// Shapes: W[64][193], r = [s; s before; context; 1] - 0.5. Part of a block of K1, a
// warp per four rows of weights; 49 kB of weights read and written. A sum over a row is
// that of field's lanes: lane l adds the elements l, l + 32 and so on, then the lanes add
// up over distances of 16, 8, 4, 2 and 1. The tick needs what was surprising, and nothing
// of what is learned from it: so the weights come after all that others wait for.
#ifndef FIELDBRAIN_PREDICT_CUH
#define FIELDBRAIN_PREDICT_CUH

#include "cells.cuh"

// A Now is the new frame, and what came of it; before one is there what came of the last.
struct Now {
	float s[NUM_SENSES], novelty[NUM_SENSES], boost[NUM_SENSES];
	float known[NUM_SENSES];
	float before[NUM_SENSES]; // of the frame before, as the regressors have it
	float r[REGRESSORS];      // the regressors, once they are those of this frame
	float rate;
	bool predicts; // the field does
};

// framed says whether the input has a new frame to judge and to learn from.
DEVICE bool framed(const Now *now, const Input *in) { return now->predicts && in->senses.frame; }

// A warp's rows of weights, and a lane's elements of a row or of the regressors.
enum { ROWS_OF_WARP = NUM_SENSES * SIDE / PREP_THREADS, ELEMENTS = (REGRESSORS + SIDE - 1) / SIDE };

struct Weights { // a lane's share of a row
	float v[ELEMENTS];
};

DEVICE float warp_add(float v) {
	for (int d = SIDE / 2; d > 0; d /= 2) v = add(v, __shfl_xor_sync(0xffffffffu, v, d));
	return v;
}

// element is where a lane's n-th element of a row lies; of a row's last 32 there is one.
DEVICE int element(int n) { return (int)threadIdx.x % SIDE + n * SIDE; }

// elements reads a lane's share of a row, all of it at once.
DEVICE Weights elements(const float *row) {
	Weights out;
#pragma unroll
	for (int n = 0; n < ELEMENTS; n++) out.v[n] = element(n) < REGRESSORS ? row[element(n)] : 0;
	return out;
}

// dot is a.b; a whole warp calls it and all of it gets the result.
DEVICE float dot(const Weights &a, const Weights &b) {
	float sum = 0;
#pragma unroll
	for (int n = 0; n < ELEMENTS; n++)
		if (element(n) < REGRESSORS) sum = add(sum, mul(a.v[n], b.v[n]));
	return warp_add(sum);
}

DEVICE float toward(float mean, float share, float v) { return add(mean, mul(share, sub(v, mean))); }

// sensed is what slot i holds, within 0..1, and whether it is valid (field.Senses).
DEVICE float sensed(const Senses *in, int i, float *known) {
	const float s = in->s[i];
	*known = (in->valid >> i & 1) != 0 && s == s ? 1 : 0;
	return *known != 0 ? clip(s, 0, 1) : 0;
}

// judge compares slot i with what was expected of it; from here on the predictor's senses
// are those of the new frame.
DEVICE void judge(Predictor *p, const Senses *in, Now *now, int i) {
	Prediction *r = &p->result;
	const float hat = p->hat[i], usual = p->usual[i], e2 = p->e2[i], v2 = p->v2[i], last = p->s[i];
	const bool was = p->known[i] != 0, met = p->met[i] != 0;
	float known, mean = p->mean[i];
	const float s = now->s[i] = sensed(in, i, &known);
	const bool checked = known != 0 && was;
	const float e = checked ? sub(s, hat) : 0, size = fabsf(e);
	now->known[i] = known;
	now->before[i] = was ? sub(last, 0.5f) : 0;
	p->s[i] = s;
	p->known[i] = known;
	r->checked[i] = checked ? 1 : 0;
	r->error[i] = e;
	r->novelty[i] = now->novelty[i] = checked ? mul(6.0f, lowest(1, __fdiv_rn(size, add(mul(4.0f, usual), 0.02f)))) : 0;
	p->boost[i] = now->boost[i] = checked ? mul(0.25f, lowest(1, __fdiv_rn(size, 0.2f))) : 0;
	if (known == 0) return;
	const float next = checked ? settle(toward(e2, 0.05f, mul(e, e))) : e2;
	if (checked) {
		p->usual[i] = settle(toward(usual, 0.01f, size));
		p->e2[i] = next;
	}
	if (!met) {
		p->met[i] = 1;
		mean = s;
	}
	p->mean[i] = mean = toward(mean, 0.005f, s);
	const float d = sub(s, mean), wide = settle(toward(v2, 0.005f, mul(d, d)));
	p->v2[i] = wide;
	r->confidence[i] = clip(sub(1, __fsqrt_rn(__fdiv_rn(add(next, 1e-5f), add(wide, 1e-3f)))), 0, 1);
}

// summarise takes the means over the checked slots; one warp calls it.
DEVICE void summarise(Prediction *r) {
	const int i = threadIdx.x % SIDE, j = i + SIDE;
	float size = warp_add(add(fabsf(r->error[i]), fabsf(r->error[j])));
	float trust = warp_add(add(mul(r->checked[i], r->confidence[i]), mul(r->checked[j], r->confidence[j])));
	int n = warp_sum((int)r->checked[i] + (int)r->checked[j]);
	if (i != 0) return;
	r->mean_error = n > 0 ? __fdiv_rn(size, (float)n) : 0;
	r->trust = n > 0 ? __fdiv_rn(trust, (float)n) : 0;
}

// learn moves row i towards the right answer; a warp calls it. power is r.r, and a little.
DEVICE void learn(const Prediction *result, float rate, float power, const Weights &r, int i, Weights *row) {
	if (result->checked[i] == 0) return;
	const float g = __fdiv_rn(mul(rate, result->error[i]), power);
#pragma unroll
	for (int n = 0; n < ELEMENTS; n++) row->v[n] = sub(add(row->v[n], mul(g, r.v[n])), mul(1e-6f, row->v[n]));
}

// keep makes slot i of the frame part of r for the next prediction.
DEVICE void keep(Predictor *p, Now *now, int i) {
	p->r[i] = now->r[i] = now->known[i] != 0 ? sub(now->s[i], 0.5f) : 0;
	p->r[NUM_SENSES + i] = now->r[NUM_SENSES + i] = now->before[i];
	p->r[2 * NUM_SENSES + i] = now->r[2 * NUM_SENSES + i] = p->z[i];
	if (i == 0) p->r[3 * NUM_SENSES] = now->r[3 * NUM_SENSES] = 0.5f;
}

// expect brings what a frame is judged by and what came of the last one, while the input is
// under way, and takes over the library's context; 64 threads' work.
DEVICE void expect(const Memory *mem, Now *now) {
	const Constants *k = mem->constants;
	Predictor *p = mem->predictor;
	const int i = threadIdx.x;
	if (i == NUM_SENSES) {
		const bool predicts = k->predict;
		const float rate = k->rate;
		now->predicts = predicts;
		now->rate = rate;
	}
	if (i >= NUM_SENSES) return;
	const float s = p->s[i], novelty = p->result.novelty[i], boost = p->boost[i], z = mem->library->z[i];
	const bool follows = k->recall.match && k->recall.context;
	now->s[i] = s;
	now->novelty[i] = novelty;
	now->boost[i] = boost;
	if (follows) p->z[i] = z;
}

// study learns from a frame that was judged and predicts the next: a whole block.
DEVICE void study(const Memory *mem, const Input *in, Now *now) {
	if (!framed(now, in)) return;
	Predictor *p = mem->predictor;
	const float rate = now->rate;
	const int first = threadIdx.x / SIDE * ROWS_OF_WARP;
	const Weights was = elements(p->r);
	Weights w[ROWS_OF_WARP];
#pragma unroll
	for (int n = 0; n < ROWS_OF_WARP; n++) w[n] = elements(&p->w[(first + n) * REGRESSORS]);
	const float power = add(1e-3f, dot(was, was));
	if (rate != 0) {
#pragma unroll
		for (int n = 0; n < ROWS_OF_WARP; n++) learn(&p->result, rate, power, was, first + n, &w[n]);
	}
	__syncthreads(); // every warp has read r
	if (threadIdx.x < NUM_SENSES) keep(p, now, threadIdx.x);
	__syncthreads();
	const Weights r = elements(now->r);
#pragma unroll
	for (int n = 0; n < ROWS_OF_WARP; n++) {
		const int i = first + n;
		const float change = dot(w[n], r);
		if (threadIdx.x % SIDE == 0) p->hat[i] = now->known[i] != 0 ? add(now->s[i], change) : 0;
		if (rate == 0) continue;
#pragma unroll
		for (int j = 0; j < ELEMENTS; j++)
			if (element(j) < REGRESSORS) p->w[i * REGRESSORS + element(j)] = w[n].v[j];
	}
}

#endif
