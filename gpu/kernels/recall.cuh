// The pattern library (field/library.go and the files library_*.go). It decides at
// the end of a tick, in K3 after the answer is out; K1 of the next tick copies the
// pattern that it ordered; the recalled patterns lead channels in K2.
//
//   mean' = mean + share (v - mean)    z = clip((v - mean') / sqrt(var' + 1e-3), 3)
//   cos_k = z . context_k              w_k = exp(8 (cos_k - cos_best)), their sum 1
//
// Shapes: context[64][128], a column per pattern; patterns and episodes
// [strategic channel][distinct cells]. One block; a thread per pattern, episode or
// entry of the context. Memory: 33 kB of contexts per match, every 100 ms.
#ifndef FIELDBRAIN_RECALL_CUH
#define FIELDBRAIN_RECALL_CUH

#include "context.cuh"

enum { SEEN, WRITES }; // the two counts of a library: contexts, versions

// rare_exp is exact_exp where it is needed too seldom to be worth its registers.
static __device__ __attribute__((noinline)) double rare_exp(double x) { return exact_exp(x); }

// A Recollection is the scratch of one block.
struct Recollection {
	float raw[NUM_SENSES], z[NUM_SENSES], cosine[PATTERN_ROW];
	int32_t alike[PATTERN_ROW];
	Recall was;
	float worth;
	int32_t episode, pattern, known;
	Order order;
	Cue cue;           // of the tick
	RecallRates rates; // the library's
};

// From here on every thread sees all that the block wrote before.
#define EVERYONE __syncthreads()

DEVICE int episode_back(const Library *l, int n) { return (l->head + MAX_EPISODES - n) % MAX_EPISODES; }

DEVICE const float *pattern_cells(const Memory *mem, int n, int j) {
	const RecallRates *r = &mem->constants->recall;
	return mem->patterns + (int64_t)n * r->first[STRATEGIC] + r->first[j];
}

// gather makes the context.
DEVICE void gather(const Memory *mem, Recollection *m) {
	const int i = threadIdx.x;
	if (i < SIDE) m->raw[i] = mem->frame->blocked[i];
	if (i < NUM_SENSES / 4) m->raw[SIDE + i] = mem->frame->cue.marks[i];
	if (i < NUM_SENSES / 4) {
		float cells = mul((float)mem->marginals[i].total, 1.0f / ONE);
		m->raw[NUM_SENSES - NUM_SENSES / 4 + i] = lowest(1, __fdiv_rn(cells, 5));
	}
}

// whiten turns the raw context into z; 64 threads' work.
DEVICE void whiten(Library *l, Recollection *m) {
	const int i = threadIdx.x;
	if (i == 0) l->count[SEEN] = lowest(add(l->count[SEEN], 1), 500);
	EVERYONE;
	if (i < NUM_SENSES) {
		const float share = highest(__fdiv_rn(1, l->count[SEEN]), 0.002f), v = m->raw[i];
		l->mean[i] = settle(toward(l->mean[i], share, v));
		const float d = sub(v, l->mean[i]);
		l->variance[i] = settle(toward(l->variance[i], share, mul(d, d)));
		m->z[i] = clip(__fdiv_rn(d, __fsqrt_rn(add(l->variance[i], 1e-3f))), -3, 3);
	}
	EVERYONE;
	if (i < SIDE) {
		const float length = highest(__fsqrt_rn(warp_add(add(mul(m->z[i], m->z[i]), mul(m->z[i + SIDE], m->z[i + SIDE])))), 1);
		l->z[i] = __fdiv_rn(m->z[i], length);
		l->z[i + SIDE] = __fdiv_rn(m->z[i + SIDE], length);
	}
	EVERYONE;
}

// cosines sums z times every pattern's context, a thread per pattern.
DEVICE void cosines(const Library *l, const float *z, Recollection *m) {
	const int k = threadIdx.x;
	if (k < MAX_PATTERNS) {
		float sum = 0;
#pragma unroll 1
		for (int i = 0; i < NUM_SENSES; i++) sum = add(sum, mul(z[i], l->context[i][k]));
		m->cosine[k] = sum;
	}
	EVERYONE;
}

// top finds the best patterns in use, ties to the lower index; one thread.
DEVICE Recall top(const Library *l, const Recollection *m, int n) {
	Recall r = {{-1, -1, -1}, {0, 0, 0}, {0, 0, 0}, 0};
#pragma unroll 1
	for (int k = 0; k < MAX_PATTERNS; k++) {
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
DEVICE void match(const Memory *mem, Recollection *m) {
	Library *l = mem->library;
	const int k = threadIdx.x;
	cosines(l, l->z, m);
	if (k < MAX_PATTERNS) l->fresh[k] = settle(mul(l->fresh[k], mem->constants->recall.keep));
	EVERYONE;
	if (k != 0) return;
	m->was = l->best;
	l->best = top(l, m, mem->frame->cue.most);
	if (l->best.gate == 0) return;
	const int best = (int)l->best.index[0];
	l->fresh[best] = 1;
	if (m->was.gate == 0 || m->was.index[0] != l->best.index[0]) l->uses[best] = lowest(add(l->uses[best], 1), 1 << 24);
}

// open_episode begins an episode and orders the one of 1.5 s ago to be filled.
DEVICE void open_episode(Library *l) {
	const int i = threadIdx.x;
	if (i == 0) {
		l->head = (l->head + 1) % MAX_EPISODES;
		if (l->opened < MAX_EPISODES) l->opened++;
		l->credit[l->head] = 0;
		if (l->opened > EPISODES_TO_FILL) {
			const int episode = episode_back(l, EPISODES_TO_FILL);
			l->order = Order{ORDER_FILL, episode, 0, l->episode_kept[episode], 0};
			l->episode_kept[episode] = 0;
		}
	}
	EVERYONE;
	if (i < NUM_SENSES) l->episode[l->head][i] = l->z[i];
	EVERYONE;
}

// credit shares an outcome out among the filled episodes, a thread per episode.
DEVICE void credit(const RecallRates *r, Library *l, float outcome, int phase) {
	const int n = threadIdx.x, age = n * r->episode_every + phase;
	if (n >= EPISODES_TO_FILL && n < l->opened && age > EPISODES_TO_FILL * r->episode_every) {
		float *c = &l->credit[episode_back(l, n)];
		*c = add(*c, mul(outcome, (float)rare_exp(mul((double)age, r->fade))));
	}
	EVERYONE;
}

// alike reports whether the cosine of two profiles of HEAD_TRACE exceeds 0.6.
DEVICE bool alike(const Memory *mem, int episode, int k) {
	const int *first = mem->constants->recall.first, j = HEAD_TRACE - FIRST_STRATEGIC;
	const float *x = pattern_cells(mem, MAX_PATTERNS + episode, j), *y = pattern_cells(mem, k, j);
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

// choose takes the oldest episode with credit, a lane per episode; a whole warp calls it.
// episode is -1 if none has.
DEVICE void choose(Library *l, Recollection *m) {
	static_assert(MAX_EPISODES == SIDE && NUM_SENSES == 2 * SIDE, "a lane per episode and two entries");
	const int lane = threadIdx.x % SIDE, n = MAX_EPISODES - 1 - lane; // the oldest first
	const bool due = n >= EPISODES_TO_FILL && n < l->opened && l->credit[episode_back(l, n)] != 0;
	const uint32_t all = __ballot_sync(0xffffffffu, due);
	if (lane == 0) {
		m->episode = m->known = -1;
		m->order = Order{ORDER_NONE, 0, 0, 0, 0};
	}
	if (all == 0) return;
	const int episode = episode_back(l, MAX_EPISODES - __ffs((int)all));
	const bool kept = l->episode[episode][lane] != 0 || l->episode[episode][lane + SIDE] != 0;
	const bool any = __any_sync(0xffffffffu, kept);
	if (lane != 0) return;
	m->worth = clip(l->credit[episode], -1, 1);
	l->credit[episode] = 0;
	if (any) m->episode = episode;
}

// decide makes of the chosen episode a better score, or a new pattern in the place
// that is worth least; one thread.
DEVICE void decide(const RecallRates *r, Library *l, Recollection *m) {
#pragma unroll 1
	for (int k = 0; k < MAX_PATTERNS; k++)
		if (m->alike[k] && (m->known < 0 || m->cosine[k] > m->cosine[m->known])) m->known = k;
	int k = m->known, kept = l->episode_kept[m->episode];
	if (k >= 0) {
		l->score[k] = toward(l->score[k], 0.5f, m->worth);
		l->fresh[k] = 1;
		m->pattern = k;
		if (r->share == 0) return;
		m->order = Order{ORDER_STORE, m->episode, k, (int)l->kept[k], r->share};
		kept |= (int)l->kept[k];
	} else {
		float value = 0;
#pragma unroll 1
		for (int n = 0; n < MAX_PATTERNS; n++) {
			const float v = mul(mul(fabsf(l->score[n]), l->fresh[n]), add(1, mul(0.1f, l->uses[n])));
			if (l->version[n] != 0 && k >= 0 && !(v < value)) continue;
			k = n;
			value = v;
			if (l->version[n] == 0) break;
		}
		m->pattern = k;
		m->order = Order{ORDER_STORE, m->episode, k, (int)l->kept[k], 1};
		l->score[k] = m->worth;
		l->uses[k] = 0;
		l->fresh[k] = 1;
	}
	l->kept[k] = (float)kept;
	l->count[WRITES] = add(l->count[WRITES], 1);
	l->version[k] = l->count[WRITES];
	l->order = m->order;
}

// reach gives the pattern of the order its context: the episode's, or one that has
// gone towards it.
DEVICE void reach(Library *l, Recollection *m) {
	const int i = threadIdx.x, k = m->pattern;
	if (m->order.kind == ORDER_NONE) return;
	const float *episode = l->episode[m->episode];
	if (m->known < 0) {
		if (i < NUM_SENSES) l->context[i][k] = episode[i];
		return;
	}
	if (i >= SIDE) return;
	float x = toward(l->context[i][k], m->order.share, episode[i]), y = toward(l->context[i + SIDE][k], m->order.share, episode[i + SIDE]);
	const float length = highest(__fsqrt_rn(warp_add(add(mul(x, x), mul(y, y)))), 1);
	l->context[i][k] = __fdiv_rn(x, length);
	l->context[i + SIDE][k] = __fdiv_rn(y, length);
}

// conclude turns one episode into a pattern, or into what a known one is worth.
DEVICE void conclude(const Memory *mem, Recollection *m) {
	Library *l = mem->library;
	const int k = threadIdx.x;
	if (k < SIDE) choose(l, m);
	EVERYONE;
	if (m->episode < 0) return;
	cosines(l, l->episode[m->episode], m);
	if (k < MAX_PATTERNS) m->alike[k] = l->version[k] != 0 && m->cosine[k] > 0.85f && alike(mem, m->episode, k);
	EVERYONE;
	if (k == 0) decide(&mem->constants->recall, l, m);
	EVERYONE;
	reach(l, m);
}

// attend copies what a block needs to remember a tick while it waits for that.
DEVICE void attend(const Memory *mem, Recollection *m) {
	const int i = threadIdx.x;
	if (i < (int)(sizeof(Cue) / 4)) ((int32_t *)&m->cue)[i] = ((const int32_t *)&mem->frame->cue)[i];
	if (i < (int)(sizeof(RecallRates) / 4)) ((int32_t *)&m->rates)[i] = ((const int32_t *)&mem->constants->recall)[i];
}

// remember ends a tick (field.Prep.Remember) that the block has attended; a whole block.
DEVICE void remember(const Memory *mem, Recollection *m) {
	const RecallRates *r = &m->rates;
	const Cue *cue = &m->cue;
	Library *l = mem->library;
	if (!r->match) return;
	if (threadIdx.x == 0) l->order = Order{ORDER_NONE, 0, 0, 0, 0};
	if (cue->due) {
		gather(mem, m);
		EVERYONE;
		whiten(l, m);
		match(mem, m);
	}
	EVERYONE;
	if (!r->learn) return;
	if (cue->phase == 0) open_episode(l);
	if (cue->outcome != 0) credit(r, l, cue->outcome, cue->phase);
	if (l->order.kind == ORDER_NONE) conclude(mem, m);
}

// carry copies channel 32 + j of the pattern that was ordered: one block.
DEVICE void carry(const Memory *mem, int j, int *kept) {
	Library *l = mem->library;
	const Order o = l->order;
	const RecallRates *r = &mem->constants->recall;
	if (o.kind == ORDER_NONE) return;
	const int n = r->first[j + 1] - r->first[j], c = FIRST_STRATEGIC + j;
	const bool had = o.had >> j & 1;
	float *episode = (float *)pattern_cells(mem, MAX_PATTERNS + o.episode, j);
	if (o.kind == ORDER_STORE) {
		if (!had && !(l->episode_kept[o.episode] >> j & 1)) return;
		float *to = (float *)pattern_cells(mem, o.pattern, j);
		for (int i = threadIdx.x; i < n; i += blockDim.x)
			to[i] = o.share == 1 ? episode[i] : settle(toward(to[i], o.share, episode[i]));
		return;
	}
	if (threadIdx.x == 0) *kept = 0;
	EVERYONE;
	int any = 0;
	const PlacedChannel *s = &mem->constants->channels[c];
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		int at[3];
		spread(i, s->mask, at);
		const float v = activation(mem, c, place(s, at));
		if (v != 0) any = 1;
		if (v != 0 || had) episode[i] = v != 0 ? v : 0;
	}
	if (any) atomicOr(kept, 1);
	EVERYONE;
	if (threadIdx.x == 0 && *kept) atomicOr(&l->episode_kept[o.episode], 1 << j);
}

// lead is how recalled patterns lead channel c in this tick, if it is one that follows;
// one thread.
DEVICE Lead lead(const Memory *mem, int c, float rate) {
	Lead to = {0, 0, {0, 0, 0}, {0, 0, 0}};
	const Library *l = mem->library;
	const Recall *best = &l->best;
	const RecallRates *r = &mem->constants->recall;
	const bool pulls = c >= FIRST_FREE;
	const int nth = c - (pulls ? FIRST_FREE : HEAD_PREF); // of those that follow
	if (rate == 0 || best->gate == 0 || nth < 0 || nth >= LEADS / 2) return to;
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
