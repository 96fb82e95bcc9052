// What the context of the pattern library takes from the input (field/prep_library.go):
// entries 32..47 of 64, kept in the frame from K1 to K3. A thread per entry.
//
//   0..7  exp(-8 s) of a range      8, 9    line, its confidence     10, 11  goal: cos, sin
//   12    left less right light     13      half their sum           14, 15  edge, contact
#ifndef FIELDBRAIN_CONTEXT_CUH
#define FIELDBRAIN_CONTEXT_CUH

#include "maps.cuh"
#include "predict.cuh"

// light is the mean of the valid columns of luminance on one side: 0 left, 1 right.
DEVICE float light(const Senses *s, int side) {
	float sum = 0, n = 0;
	for (int i = 0; i < 8; i++) {
		float known, v = sensed(s, SLOT_LIGHT + 8 * side + i, &known);
		sum = add(sum, v);
		n = add(n, known);
	}
	return __fdiv_rn(sum, highest(n, 1));
}

// mark is entry 32 + i of the context (field.Prep.context).
DEVICE float context_mark(const Senses *s, const Drive *d, int i) {
	float known, v = 0;
	switch (i) {
	default:
		v = sensed(s, i, &known);
		return known != 0 ? (float)exact_exp((double)mul(-8.0f, v)) : 0;
	case 8:
		v = sensed(s, SLOT_LINE, &known);
		return known != 0 ? sub(mul(2.0f, v), 1) : 0;
	case 9: return sensed(s, SLOT_LINE_TRUST, &known);
	case 10:
	case 11: {
		if (d->goal_weight == 0) return 0;
		const double a = (double)limited(d->goal, 100);
		return mul(d->goal_weight, (float)exact_quadrant(a, i == 10));
	}
	case 12: return sub(light(s, 0), light(s, 1));
	case 13: return mul(0.5f, add(light(s, 0), light(s, 1)));
	case 14:
		for (int j = 0; j < 3; j++) v = highest(v, sensed(s, SLOT_CLIFF + j, &known));
		return v;
	case 15: return sensed(s, SLOT_CONTACT, &known);
	}
}

enum { FIRST_CUE = 10 * SIDE }; // its first thread: the first warps judge the senses meanwhile

// cue keeps the part of the input that the end of the tick needs.
DEVICE void cue(const Memory *mem, const Input *in) {
	const RecallRates *r = &mem->constants->recall;
	Cue *c = &mem->frame->cue;
	const int i = (int)threadIdx.x - FIRST_CUE;
	if (!r->match || i < 0) return;
	if (i < NUM_SENSES / 4) {
		const Drive d = bounded(in->drive);
		c->marks[i] = context_mark(&in->senses, &d, i);
	}
	if (i != SIDE) return;
	const uint64_t every = (uint64_t)r->context_every * (uint64_t)(in->quality.match < 1 ? 1 : in->quality.match);
	c->due = in->tick % every == 0;
	c->phase = (int32_t)(in->tick % (uint64_t)r->episode_every);
	c->most = in->quality.recall == 1 ? 1 : 3;
	c->outcome = in->outcome == in->outcome ? clip(in->outcome, -1, 1) : 0;
}

#endif
