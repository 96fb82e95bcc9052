// The pattern library (field/library.go, match.go, remember.go, patterns.go). What
// it decides it decides at the end of a tick, in K3 and after the answer is out;
// what it ordered is copied at the beginning of the next, in K1; what it recalled
// leads the channels 40..42 and 45..47 in K2.
#ifndef FIELDBRAIN_RECALL_CUH
#define FIELDBRAIN_RECALL_CUH

#include "maps.cuh"
#include "predict.cuh"

// rare_exp is exact_exp where it is needed too seldom to be worth its registers.
static __device__ __attribute__((noinline)) double rare_exp(double x) { return exact_exp(x); }

// A Recollection is the scratch of one block.
struct Recollection {
	float raw[SENSES], z[SENSES], cosine[PATTERN_ROW];
	int32_t alike[PATTERN_ROW];
	Recall was;
	float worth;
	int32_t slot, pattern, known;
	Order order;
};

// From here on everyone sees what anyone of the block wrote.
#define EVERYONE __syncthreads()

DEVICE int slot_back(const Library *l, int n) { return (l->head + SLOTS - n) % SLOTS; }

DEVICE const float *pattern_cells(const Brain *b, int n, int j) {
	const RecallRates *r = &b->constants->recall;
	return b->patterns + (int64_t)n * r->first[STRATEGIC] + r->first[j];
}

// gather makes the context.
DEVICE void gather(const Brain *b, Recollection *m) {
	const int i = threadIdx.x;
	if (i < SIDE) m->raw[i] = b->frame->blocked[i];
	if (i < SENSES / 4) m->raw[SIDE + i] = b->frame->cue.marks[i];
	if (i < SENSES / 4) {
		float cells = mul((float)b->marginals[i].total, 1.0f / ONE);
		m->raw[SENSES - SENSES / 4 + i] = least(1, __fdiv_rn(cells, 5));
	}
}

// whiten turns the raw context into z; 64 threads' work.
DEVICE void whiten(Library *l, Recollection *m) {
	const int i = threadIdx.x;
	if (i == 0) l->seen = least(add(l->seen, 1), 500);
	EVERYONE;
	if (i < SENSES) {
		const float share = most(__fdiv_rn(1, l->seen), 0.002f), v = m->raw[i];
		l->mean[i] = settle(toward(l->mean[i], share, v));
		const float d = sub(v, l->mean[i]);
		l->variance[i] = settle(toward(l->variance[i], share, mul(d, d)));
		m->z[i] = clip(__fdiv_rn(d, __fsqrt_rn(add(l->variance[i], 1e-3f))), -3, 3);
	}
	EVERYONE;
	if (i < SIDE) {
		const float length = most(__fsqrt_rn(warp_add(add(mul(m->z[i], m->z[i]), mul(m->z[i + SIDE], m->z[i + SIDE])))), 1);
		l->z[i] = __fdiv_rn(m->z[i], length);
		l->z[i + SIDE] = __fdiv_rn(m->z[i + SIDE], length);
	}
	EVERYONE;
}

// cosines sums z times every pattern's context, a thread per pattern.
DEVICE void cosines(const Library *l, const float *z, Recollection *m) {
	const int k = threadIdx.x;
	if (k < PATTERNS) {
		float sum = 0;
#pragma unroll 1
		for (int i = 0; i < SENSES; i++) sum = add(sum, mul(z[i], l->context[i][k]));
		m->cosine[k] = sum;
	}
	EVERYONE;
}

// top finds the best patterns in use, ties to the lower index; one thread.
DEVICE Recall top(const Library *l, const Recollection *m, int n) {
	Recall r = {{-1, -1, -1}, {0, 0, 0}, {0, 0, 0}, 0};
#pragma unroll 1
	for (int k = 0; k < PATTERNS; k++) {
		if (l->version[k] == 0) continue;
		int at = n;
		while (at > 0 && (r.index[at - 1] < 0 || m->cosine[k] > r.cosine[at - 1])) at--;
		if (at == n) continue;
		for (int j = n - 1; j > at; j--) {
			r.index[j] = r.index[j - 1];
			r.cosine[j] = r.cosine[j - 1];
		}
		r.index[at] = (float)k;
		r.cosine[at] = m->cosine[k];
	}
	if (r.index[0] < 0) return r;
	r.gate = clip(__fdiv_rn(sub(r.cosine[0], 0.5f), 0.3f), 0, 1);
	float sum = 0;
	for (int j = 0; j < 3; j++)
		if (r.index[j] >= 0) {
			r.weight[j] = (float)rare_exp((double)mul(8.0f, sub(r.cosine[j], r.cosine[0])));
			sum = add(sum, r.weight[j]);
		}
	for (int j = 0; j < 3; j++) r.weight[j] = __fdiv_rn(r.weight[j], sum);
	return r;
}

// match finds the patterns whose contexts are nearest to z, and notes that the
// best is in use.
DEVICE void match(const Brain *b, Recollection *m) {
	Library *l = b->library;
	const int k = threadIdx.x;
	cosines(l, l->z, m);
	if (k < PATTERNS) l->fresh[k] = settle(mul(l->fresh[k], b->constants->recall.keep));
	EVERYONE;
	if (k != 0) return;
	m->was = l->best;
	l->best = top(l, m, b->frame->cue.most);
	if (l->best.gate == 0) return;
	const int best = (int)l->best.index[0];
	l->fresh[best] = 1;
	if (m->was.gate == 0 || m->was.index[0] != l->best.index[0]) l->uses[best] = least(add(l->uses[best], 1), 1 << 24);
}

// open_slot begins a slot and orders the one of 1.5 s ago to be filled.
DEVICE void open_slot(Library *l) {
	const int i = threadIdx.x;
	if (i == 0) {
		l->head = (l->head + 1) % SLOTS;
		if (l->opened < SLOTS) l->opened++;
		l->credit[l->head] = 0;
		if (l->opened > SLOTS_TO_FILL) {
			const int slot = slot_back(l, SLOTS_TO_FILL);
			l->order = Order{ORDER_FILL, slot, 0, l->slot_kept[slot], 0};
			l->slot_kept[slot] = 0;
		}
	}
	EVERYONE;
	if (i < SENSES) l->slot[l->head][i] = l->z[i];
	EVERYONE;
}

// credit shares an outcome out among the filled slots, a thread per slot.
DEVICE void credit(const RecallRates *r, Library *l, float outcome, int phase) {
	const int n = threadIdx.x, age = n * r->slot_every + phase;
	if (n >= SLOTS_TO_FILL && n < l->opened && age > SLOTS_TO_FILL * r->slot_every) {
		float *c = &l->credit[slot_back(l, n)];
		*c = add(*c, mul(outcome, (float)rare_exp(mul((double)age, r->fade))));
	}
	EVERYONE;
}

// alike reports whether the cosine of two profiles of HEAD_TRACE exceeds 0.6.
DEVICE bool alike(const Brain *b, int slot, int k) {
	const int *first = b->constants->recall.first, j = HEAD_TRACE - FIRST_STRATEGIC;
	const float *x = pattern_cells(b, PATTERNS + slot, j), *y = pattern_cells(b, k, j);
	float xy = 0, xx = 0, yy = 0;
#pragma unroll 1
	for (int i = 0; i < first[j + 1] - first[j]; i++) {
		xy = add(xy, mul(x[i], y[i]));
		xx = add(xx, mul(x[i], x[i]));
		yy = add(yy, mul(y[i], y[i]));
	}
	if (xx == 0 || yy == 0) return xx == yy;
	return xy > mul(0.6f, mul(__fsqrt_rn(xx), __fsqrt_rn(yy)));
}

// choose takes the oldest slot with credit; one thread. slot is -1 if none has.
DEVICE void choose(Library *l, Recollection *m) {
	m->slot = m->known = -1;
	m->order = Order{ORDER_NONE, 0, 0, 0, 0};
#pragma unroll 1
	for (int n = l->opened - 1; n >= SLOTS_TO_FILL; n--) {
		const int slot = slot_back(l, n);
		if (l->credit[slot] == 0) continue;
		m->worth = clip(l->credit[slot], -1, 1);
		l->credit[slot] = 0;
#pragma unroll 1
		for (int i = 0; i < SENSES; i++)
			if (l->slot[slot][i] != 0) m->slot = slot;
		return;
	}
}

// decide makes of the chosen slot a better score, or a new pattern in the place
// that is worth least; one thread.
DEVICE void decide(const RecallRates *r, Library *l, Recollection *m) {
#pragma unroll 1
	for (int k = 0; k < PATTERNS; k++)
		if (m->alike[k] && (m->known < 0 || m->cosine[k] > m->cosine[m->known])) m->known = k;
	int k = m->known, kept = l->slot_kept[m->slot];
	if (k >= 0) {
		l->score[k] = toward(l->score[k], 0.5f, m->worth);
		l->fresh[k] = 1;
		m->pattern = k;
		if (r->share == 0) return;
		m->order = Order{ORDER_STORE, m->slot, k, (int)l->kept[k], r->share};
		kept |= (int)l->kept[k];
	} else {
		float value = 0;
#pragma unroll 1
		for (int n = 0; n < PATTERNS; n++) {
			const float v = mul(mul(fabsf(l->score[n]), l->fresh[n]), add(1, mul(0.1f, l->uses[n])));
			if (l->version[n] != 0 && k >= 0 && !(v < value)) continue;
			k = n;
			value = v;
			if (l->version[n] == 0) break;
		}
		m->pattern = k;
		m->order = Order{ORDER_STORE, m->slot, k, (int)l->kept[k], 1};
		l->score[k] = m->worth;
		l->uses[k] = 0;
		l->fresh[k] = 1;
	}
	l->kept[k] = (float)kept;
	l->writes = add(l->writes, 1);
	l->version[k] = l->writes;
	l->order = m->order;
}

// reach gives the pattern of the order its context: the slot's, or one that has
// gone towards it.
DEVICE void reach(Library *l, Recollection *m) {
	const int i = threadIdx.x, k = m->pattern;
	if (m->order.kind == ORDER_NONE) return;
	const float *slot = l->slot[m->slot];
	if (m->known < 0) {
		if (i < SENSES) l->context[i][k] = slot[i];
		return;
	}
	if (i >= SIDE) return;
	float x = toward(l->context[i][k], m->order.share, slot[i]), y = toward(l->context[i + SIDE][k], m->order.share, slot[i + SIDE]);
	const float length = most(__fsqrt_rn(warp_add(add(mul(x, x), mul(y, y)))), 1);
	l->context[i][k] = __fdiv_rn(x, length);
	l->context[i + SIDE][k] = __fdiv_rn(y, length);
}

// settle_credit turns one slot into a pattern, or into what one is worth.
DEVICE void settle_credit(const Brain *b, Recollection *m) {
	Library *l = b->library;
	const int k = threadIdx.x;
	if (k == 0) choose(l, m);
	EVERYONE;
	if (m->slot < 0) return;
	cosines(l, l->slot[m->slot], m);
	if (k < PATTERNS) m->alike[k] = l->version[k] != 0 && m->cosine[k] > 0.85f && alike(b, m->slot, k);
	EVERYONE;
	if (k == 0) decide(&b->constants->recall, l, m);
	EVERYONE;
	reach(l, m);
}

// remember ends a tick (field.Prep.Remember); a whole block.
DEVICE void remember(const Brain *b, Recollection *m) {
	const RecallRates *r = &b->constants->recall;
	const Cue *cue = &b->frame->cue;
	Library *l = b->library;
	if (!r->match) return;
	if (threadIdx.x == 0) l->order = Order{ORDER_NONE, 0, 0, 0, 0};
	if (cue->due) {
		gather(b, m);
		EVERYONE;
		whiten(l, m);
		match(b, m);
	}
	EVERYONE;
	if (!r->learn) return;
	if (cue->phase == 0) open_slot(l);
	if (cue->outcome != 0) credit(r, l, cue->outcome, cue->phase);
	if (l->order.kind == ORDER_NONE) settle_credit(b, m);
}

// light is the mean of the valid slots from .. from + 7.
DEVICE float light(const Senses *s, int from) {
	float sum = 0, n = 0;
	for (int i = from; i < from + 8; i++) {
		float known, v = sensed(s, i, &known);
		sum = add(sum, v);
		n = add(n, known);
	}
	return __fdiv_rn(sum, most(n, 1));
}

// mark is entry 32 + i of the context (field.Prep.context).
DEVICE float context_mark(const Senses *s, const Drive *d, int i) {
	float known, v = 0;
	switch (i) {
	default:
		v = sensed(s, i, &known);
		return known != 0 ? (float)exact_exp((double)mul(-8.0f, v)) : 0;
	case 8:
		v = sensed(s, 11, &known);
		return known != 0 ? sub(mul(2.0f, v), 1) : 0;
	case 9: return sensed(s, 12, &known);
	case 10:
	case 11: {
		if (d->goal_weight == 0) return 0;
		const double a = (double)limited(d->goal, 100);
		return mul(d->goal_weight, (float)exact_quadrant(a, i == 10));
	}
	case 12: return sub(light(s, 32), light(s, 40));
	case 13: return mul(0.5f, add(light(s, 32), light(s, 40)));
	case 14:
		for (int j = 13; j < 16; j++) v = most(v, sensed(s, j, &known));
		return v;
	case 15: return sensed(s, 25, &known);
	}
}

// cue keeps what the end of the tick needs of the input.
DEVICE void cue(const Brain *b, const Input *in) {
	const RecallRates *r = &b->constants->recall;
	Cue *c = &b->frame->cue;
	const int i = threadIdx.x;
	if (!r->match) return;
	if (i < SENSES / 4) {
		const Drive d = bounded(in->drive);
		c->marks[i] = context_mark(&in->senses, &d, i);
	}
	if (i != SIDE) return;
	const uint64_t every = (uint64_t)(r->context_every * (int)(in->match < 1 ? 1 : in->match));
	c->due = in->tick % every == 0;
	c->phase = (int32_t)(in->tick % (uint64_t)r->slot_every);
	c->most = in->recall == 1 ? 1 : 3;
	c->outcome = in->outcome == in->outcome ? clip(in->outcome, -1, 1) : 0;
}

// carry does what was ordered for channel 32 + j: one block.
DEVICE void carry(const Brain *b, int j, int *kept) {
	Library *l = b->library;
	const Order o = l->order;
	const RecallRates *r = &b->constants->recall;
	if (o.kind == ORDER_NONE) return;
	const int n = r->first[j + 1] - r->first[j], c = FIRST_STRATEGIC + j;
	const bool had = o.had >> j & 1;
	float *slot = (float *)pattern_cells(b, PATTERNS + o.slot, j);
	if (o.kind == ORDER_STORE) {
		if (!had && !(l->slot_kept[o.slot] >> j & 1)) return;
		float *to = (float *)pattern_cells(b, o.pattern, j);
		for (int i = threadIdx.x; i < n; i += blockDim.x)
			to[i] = o.share == 1 ? slot[i] : settle(toward(to[i], o.share, slot[i]));
		return;
	}
	if (threadIdx.x == 0) *kept = 0;
	EVERYONE;
	int any = 0;
	const Sheet *s = &b->constants->sheets[c];
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		int at[3];
		spread(i, s->mask, at);
		const float v = activation(b, c, place(s, at));
		if (v != 0) any = 1;
		if (v != 0 || had) slot[i] = v != 0 ? v : 0;
	}
	if (any) atomicOr(kept, 1);
	EVERYONE;
	if (threadIdx.x == 0 && *kept) atomicOr(&l->slot_kept[o.slot], 1 << j);
}

// lead is how recalled patterns lead channel c in this tick; one thread.
DEVICE Lead lead(const Brain *b, int c, float rate) {
	Lead to = {0, 0, {0, 0, 0}, {0, 0, 0}};
	const Library *l = b->library;
	const Recall *best = &l->best;
	const RecallRates *r = &b->constants->recall;
	if (rate == 0 || best->gate == 0) return to;
	const bool pulls = c >= FIRST_FREE;
	const int j = (pulls ? c : c - HEAD_PREF + HEAD_TRACE) - FIRST_STRATEGIC;
	for (int n = 0; n < 3; n++) {
		const int k = (int)best->index[n];
		if (k < 0 || !((int)l->kept[k] >> j & 1)) continue;
		to.rate = rate;
		to.weight[n] = pulls ? best->weight[n] : mul(mul(best->gate, best->weight[n]), l->score[k]);
		to.from[n] = k * r->first[STRATEGIC] + r->first[j];
	}
	if (pulls) {
		to.pull = 1;
		to.rate = mul(to.rate, best->gate);
	}
	return to;
}

#endif
