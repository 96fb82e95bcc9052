// Prediction of the senses and learning (field/predict.go).
//
//   e  = s - s_hat      W += mu e r^T / (1e-3 + r.r) - 1e-6 W      s_hat' = s + W r
//
// Shapes: W[64][193], r = [s; s before; context; 1] - 0.5. Part of a block of K1, a
// warp per row of weights; 49 kB of weights read and written. A sum over a row is that
// of field's lanes: lane l adds the elements l, l + 32 and so on, then the lanes add
// up over distances of 16, 8, 4, 2 and 1.
#ifndef FIELDBRAIN_PREDICT_CUH
#define FIELDBRAIN_PREDICT_CUH

#include "cells.cuh"

struct Now { // the new frame
	float s[NUM_SENSES], known[NUM_SENSES];
};

DEVICE float warp_add(float v) {
	for (int d = SIDE / 2; d > 0; d /= 2) v = add(v, __shfl_xor_sync(0xffffffffu, v, d));
	return v;
}

// dot is a.b; a whole warp calls it and all of it gets the result.
DEVICE float dot(const float *a, const float *b) {
	float sum = 0;
	for (int j = threadIdx.x % SIDE; j < REGRESSORS; j += SIDE) sum = add(sum, mul(a[j], b[j]));
	return warp_add(sum);
}

DEVICE float toward(float mean, float share, float v) { return add(mean, mul(share, sub(v, mean))); }

// sensed is what slot i holds, within 0..1, and whether it is valid (field.Senses).
DEVICE float sensed(const Senses *in, int i, float *known) {
	const float s = in->s[i];
	*known = (in->valid >> i & 1) != 0 && s == s ? 1 : 0;
	return *known != 0 ? clip(s, 0, 1) : 0;
}

// judge compares slot i with what was expected of it.
DEVICE void judge(Predictor *p, const Senses *in, Now *now, int i) {
	Prediction *r = &p->result;
	float known;
	const float s = now->s[i] = sensed(in, i, &known);
	now->known[i] = known;
	r->checked[i] = r->error[i] = r->novelty[i] = p->boost[i] = 0;
	if (known == 0) return;
	if (p->known[i] != 0) {
		float e = sub(s, p->hat[i]), size = fabsf(e);
		float usual = add(mul(4.0f, p->usual[i]), 0.02f);
		r->checked[i] = 1;
		r->error[i] = e;
		r->novelty[i] = mul(6.0f, lowest(1, __fdiv_rn(size, usual)));
		p->boost[i] = mul(0.25f, lowest(1, __fdiv_rn(size, 0.2f)));
		p->usual[i] = settle(toward(p->usual[i], 0.01f, size));
		p->e2[i] = settle(toward(p->e2[i], 0.05f, mul(e, e)));
	}
	if (p->met[i] == 0) {
		p->met[i] = 1;
		p->mean[i] = s;
	}
	p->mean[i] = toward(p->mean[i], 0.005f, s);
	float d = sub(s, p->mean[i]);
	p->v2[i] = settle(toward(p->v2[i], 0.005f, mul(d, d)));
	r->confidence[i] = clip(sub(1, __fsqrt_rn(__fdiv_rn(add(p->e2[i], 1e-5f), add(p->v2[i], 1e-3f)))), 0, 1);
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

// learn moves row i towards the right answer; a warp calls it.
DEVICE void learn(Predictor *p, float rate, int i) {
	float power = add(1e-3f, dot(p->r, p->r));
	if (p->result.checked[i] == 0) return;
	float g = __fdiv_rn(mul(rate, p->result.error[i]), power), *row = &p->w[i * REGRESSORS];
	for (int j = threadIdx.x % SIDE; j < REGRESSORS; j += SIDE)
		row[j] = sub(add(row[j], mul(g, p->r[j])), mul(1e-6f, row[j]));
}

// keep makes slot i of the frame part of r for the next prediction.
DEVICE void keep(Predictor *p, const Now *now, int i) {
	p->r[i] = now->known[i] != 0 ? sub(now->s[i], 0.5f) : 0;
	p->r[NUM_SENSES + i] = p->known[i] != 0 ? sub(p->s[i], 0.5f) : 0;
	p->r[2 * NUM_SENSES + i] = p->z[i];
	if (i == 0) p->r[3 * NUM_SENSES] = 0.5f;
	p->s[i] = now->s[i];
	p->known[i] = now->known[i];
}

// predict takes a new frame, if it is one: a whole block.
DEVICE void predict(const Memory *mem, const Input *in, Now *now) {
	const Constants *k = mem->constants;
	Predictor *p = mem->predictor;
	if (k->recall.match && k->recall.context && threadIdx.x < NUM_SENSES) p->z[threadIdx.x] = mem->library->z[threadIdx.x];
	if (!k->predict || !in->senses.frame) return;
	const int warp = threadIdx.x / SIDE, warps = blockDim.x / SIDE;
	if (threadIdx.x < NUM_SENSES) judge(p, &in->senses, now, threadIdx.x);
	__syncthreads();
	if (warp == 0) summarise(&p->result);
	if (k->rate != 0)
		for (int i = warp; i < NUM_SENSES; i += warps) learn(p, k->rate, i);
	__syncthreads();
	if (threadIdx.x < NUM_SENSES) keep(p, now, threadIdx.x);
	__syncthreads();
	for (int i = warp; i < NUM_SENSES; i += warps) {
		float change = dot(&p->w[i * REGRESSORS], p->r);
		if (threadIdx.x % SIDE == 0) p->hat[i] = now->known[i] != 0 ? add(now->s[i], change) : 0;
	}
}

#endif
