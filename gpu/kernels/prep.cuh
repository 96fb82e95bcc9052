// K1: all of a tick that does not touch each cell of the field (field/prep.go and
// the functions that it calls).
//
// Shapes: profiles[stimulus][axis][32], projections[coupling][distinct cells of the
// target], displaced activations[distinct cell]. Launch: blocks of 1024 threads, each
// with a task of its own (kernels.Task), none of which reads memory that another
// writes, and none of which is long: one for the maps and the heading input; one for
// the prediction and the stimuli that it shapes; one per axis and 32 stimuli for their
// profiles; several per coupling and per displaced channel, where these are large; one
// per channel that patterns keep. Memory: the first block to begin brings the input,
// 4.3 kB on the host, in one journey, the others read what they need of it; per displaced distinct cell four cells read,
// which meet in the caches, and 4 bytes written.
#ifndef FIELDBRAIN_PREP_CUH
#define FIELDBRAIN_PREP_CUH

#include "maps.cuh"
#include "motion.cuh"
#include "predict.cuh"
#include "recall.cuh"

// The input in words of 8 bytes: what stands before its stimuli, these, and the rest.
enum { INPUT_TERMS = offsetof(Input, terms) / 8, INPUT_REST = offsetof(Input, num_terms) / 8, INPUT_WORDS = sizeof(Input) / 8 };
enum { TERM_WORDS = sizeof(Term) / 8 };

// An Arrival is what a block knows of the others of its launch.
struct Arrival {
	uint64_t launch; // its number, from 1
	bool first;      // this block was the first to begin
};

// bring copies the input from the page into the frame, and into the block's own place
// for it: a word per thread, all of them at once.
DEVICE void bring(const Memory *mem, Input *in, uint64_t launch) {
	Frame *f = mem->frame;
	const int i = threadIdx.x;
	if (i < INPUT_WORDS) ((uint64_t *)&f->input)[i] = ((uint64_t *)in)[i] = ((const volatile uint64_t *)mem->in)[i];
	if (i == PLANE - 1) f->request = *mem->request;
	__syncthreads();
	if (i != 0) return;
	__threadfence(); // all of it, seen through the barrier, before the word
	*(volatile uint64_t *)&f->brought = launch;
}

// arrive lets the first block to begin bring the input. Each read of the page is a
// journey to the host, and journeys to one place wait for each other, 0.8 us each on an
// H200: so one block goes for all.
DEVICE void arrive(const Memory *mem, Input *in, Arrival *a) {
	if (threadIdx.x == 0) {
		const uint64_t ticket = atomicAdd((unsigned long long *)&mem->frame->arrived, 1ull);
		a->launch = ticket / gridDim.x + 1;
		a->first = ticket % gridDim.x == 0;
	}
	__syncthreads();
	if (a->first) bring(mem, in, a->launch);
}

// fetch copies words of the input from the frame once they lie there, a word per thread;
// `word` says which. It waits for a block that runs already, in whatever order the card
// starts them.
template <class Word>
DEVICE void fetch(const Memory *mem, Input *in, const Arrival *a, int words, const Word &word) {
	if (threadIdx.x == 0) {
		while (*(const volatile uint64_t *)&mem->frame->brought < a->launch) {}
		__threadfence();
	}
	__syncthreads();
	const int i = threadIdx.x;
	if (i < words && !a->first) {
		const int at = word(i);
		((uint64_t *)in)[at] = ((const uint64_t *)&mem->frame->input)[at];
	}
	__syncthreads();
}

// every is the update period of a channel in ticks; 1 where the input says nonsense.
DEVICE int every(const Input *in, const PlacedChannel *s) {
	int64_t n = 1;
	switch (s->every) {
	case EVERY_PERCEPTION: n = in->quality.perception; break;
	case EVERY_TRACES: n = in->quality.traces; break;
	case EVERY_ASSOCIATIVE: n = in->quality.associative; break;
	}
	return n < 1 ? 1 : n > 1 << 20 ? 1 << 20 : (int)n;
}

// turn is how many ticks before the others of its part channel c runs
// (field.Quality).
DEVICE int turn(const PlacedChannel *s, int c) { return s->every == EVERY_TRACES ? 4 * c : c; }

enum { FIRST_SCHEDULED = 4 * SIDE }; // the first thread that schedules, while warp 0 draws profiles

// schedule decides which channels run and with which rates, and keeps the number of
// the tick for the end of it.
DEVICE void schedule(const Memory *mem, const Input *in) {
	Frame *f = mem->frame;
	const int c = (int)threadIdx.x - FIRST_SCHEDULED;
	if (c >= 0 && c < CHANNELS) {
		int n = every(in, &mem->constants->channels[c]);
		f->run[c] = (in->tick + turn(&mem->constants->channels[c], c)) % n == 0;
		f->coef[c] = c == HEADING && in->drive.on_line ? mem->constants->line_coef
													  : mem->constants->coef[n < 2 ? 0 : n < 4 ? 1 : n < 8 ? 2 : 3][c];
	}
	if (c == CHANNELS) {
		f->tick = in->tick;
		f->tick_key = mix((uint32_t)in->tick ^ mix((uint32_t)(in->tick >> 32) ^ mem->constants->key));
		f->not_finite = 0;
		f->moving = limited(in->forward, 1) != 0 || limited(in->turn, (float)(2 * PI)) != 0;
	}
}

// draw draws the profile of a term along one axis.
DEVICE void draw(const Memory *mem, const Term *t, int row, int axis) {
	bool local = mem->constants->channels[t->channel & (CHANNELS - 1)].mask >> axis & 1;
	gaussian(mem->frame->rows[row][axis], t->centre[axis], local ? t->sigma[axis] : 0, axis == 0);
}

// profile_terms draws the profiles of 32 stimuli along one axis, in the lanes of one
// warp.
DEVICE void profile_terms(const Memory *mem, Input *in, const Arrival *a, const Task *task) {
	const int first = SIDE * task->part, words = (MAX_TERMS - first < SIDE ? MAX_TERMS - first : SIDE) * TERM_WORDS;
	fetch(mem, in, a, words + 1, [&](int i) -> int { return i == words ? (int)INPUT_REST : INPUT_TERMS + first * TERM_WORDS + i; });
	const int i = first + threadIdx.x;
	if (threadIdx.x < SIDE && i < count_of(in->num_terms, MAX_TERMS)) draw(mem, &in->terms[i], i, task->of);
}

// surprising counts the spots before n whose slot was not as expected.
DEVICE int surprising(const Memory *mem, int n) {
	int count = 0;
	for (int j = 0; j < n; j++) count += mem->predictor->result.novelty[mem->constants->spots[j].slot] != 0;
	return count;
}

// surprise enters one axis of spot n into NOVELTY, as the last terms there.
DEVICE void surprise(const Memory *mem, const Input *in, int n, int axis) {
	const Spot *spot = &mem->constants->spots[n];
	float amplitude = mem->predictor->result.novelty[spot->slot], s = mem->predictor->s[spot->slot];
	if (amplitude == 0) return;
	Term t = {NOVELTY, amplitude, {add(spot->x, mul(spot->turn, s)), spot->y, 0}, {spot->width, spot->width, 0}, 0};
	if (spot->ranging) t.centre[1] = (float)range_bin((double)add(mul(4.0f, s), spot->y));
	draw(mem, &t, MAX_TERMS + 1 + n, axis);
	if (axis != 0) return;
	int at = 1 + surprising(mem, n); // the heading input and the spots before
	for (int j = 0; j < count_of(in->num_terms, MAX_TERMS); j++) at += in->terms[j].channel <= NOVELTY;
	mem->frame->index[at] = MAX_TERMS + 1 + n;
	mem->frame->amp[MAX_TERMS + 1 + n] = amplitude;
}

// Threads that enter surprises: lanes of one warp, a spot along X or Y each; those
// that make their profiles along Z, which are ones; those of the heading input.
enum { FIRST_SURPRISE = 512, FIRST_FLAT = FIRST_SURPRISE + 2 * SIDE, FIRST_HEADING = FIRST_FLAT + MAX_SPOTS };
static_assert(2 * MAX_SPOTS <= SIDE, "the lanes of surprises");

// terms sorts the stimuli by channel, keeping their order. The heading input is the
// last term of its channel.
DEVICE void terms(const Memory *mem, const Input *in) {
	Frame *f = mem->frame;
	const int i = threadIdx.x, n = count_of(in->num_terms, MAX_TERMS), spots = mem->constants->num_spots;
	const int surprises = surprising(mem, spots);
	if (i <= CHANNELS) {
		int count = (i > HEADING) + (i > NOVELTY ? surprises : 0);
		for (int j = 0; j < n; j++) count += (int)in->terms[j].channel < i;
		f->start[i] = count;
		if (i == HEADING + 1) f->index[count - 1] = MAX_TERMS;
	}
	if (i < n) {
		const int c = (int)in->terms[i].channel, of = in->terms[i].of;
		int at = (c > HEADING) + (c > NOVELTY ? surprises : 0);
		for (int j = 0; j < n; j++) at += in->terms[j].channel < c || (in->terms[j].channel == c && j < i);
		f->index[at] = i;
		f->amp[i] = of <= 0 || of > NUM_SENSES ? in->terms[i].a : mul(in->terms[i].a, add(1, mem->predictor->boost[of - 1]));
	}
	const int lane = i - FIRST_SURPRISE;
	if (lane >= 0 && lane < 2 * MAX_SPOTS && lane % MAX_SPOTS < spots) surprise(mem, in, lane % MAX_SPOTS, lane / MAX_SPOTS);
	if (i >= FIRST_FLAT && i < FIRST_FLAT + spots)
		for (int j = 0; j < SIDE; j++) f->rows[MAX_TERMS + 1 + i - FIRST_FLAT][2][j] = 1;
	if (i == FIRST_HEADING) f->amp[MAX_TERMS] = 1;
	if (i >= FIRST_HEADING && i < FIRST_HEADING + SIDE) f->rows[MAX_TERMS][1][i - FIRST_HEADING] = f->rows[MAX_TERMS][2][i - FIRST_HEADING] = 1;
}

// couple projects a part of one source's present outputs onto its target: summed over
// the axes that only the source has, repeated along those that only the target has. A
// part owns some of the bins along the axes that both have.
DEVICE void couple(const Memory *mem, const Task *task, int *bins) {
	const int n = task->of;
	const PlacedCoupling k = mem->constants->couplings[n];
	const PlacedChannel *from = &mem->constants->channels[k.from];
	const int to = mem->constants->channels[k.to].mask, mask = from->mask, shared = mask & to;
	const bool silent = mem->marginals[k.from].total == 0;
	if (threadIdx.x == 0 && task->part == 0) mem->frame->weight[n] = silent ? 0 : k.weight;
	if (silent) return;
	const int own = distinct(shared) / task->parts, first = task->part * own;
	const int each = distinct(mask & ~shared), copies = distinct(to & ~shared);
	for (int i = threadIdx.x; i < own; i += blockDim.x) bins[i] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < own * each; i += blockDim.x) {
		int at[3], over[3];
		spread(first + i / each, shared, at);
		spread(i % each, mask & ~shared, over);
		for (int axis = 0; axis < 3; axis++) at[axis] += over[axis];
		int q = present(mem, k.from, place(from, at));
		if (each >= SIDE) { // a warp's cells are of one bin
			q = warp_sum(q);
			if (threadIdx.x % SIDE != 0) q = 0;
		}
		if (q != 0) atomicAdd(&bins[i / each], q);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < own * copies; i += blockDim.x) {
		int at[3], over[3];
		spread(first + i / copies, shared, at);
		spread(i % copies, to & ~shared, over);
		for (int axis = 0; axis < 3; axis++) at[axis] += over[axis];
		const int sum = bins[i / copies];
		mem->frame->proj[n][pack(at, to)] = mul((float)(sum < ONE ? sum : ONE), 1.0f / ONE);
	}
}

extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_prep(const Memory *mem) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(int, bins, PLANE);
	FIELDBRAIN_STATIC_SHARED(MapScratch, maps, 1);
	FIELDBRAIN_STATIC_SHARED(Now, now, 1);
	FIELDBRAIN_STATIC_SHARED(Arrival, arrival, 1);
	const Task *task = &mem->tasks[blockIdx.x];
	Input *in = (Input *)&room[0];
	stamp(mem, STAMP_PREP, 0);
	arrive(mem, in, arrival);
	stamp(mem, STAMP_PREP, 1);
	switch (task->kind) {
	case TASK_MAPS:
		fetch(mem, in, arrival, INPUT_TERMS + INPUT_WORDS - INPUT_REST, [](int i) -> int { return i < INPUT_TERMS ? i : i - INPUT_TERMS + INPUT_REST; });
		schedule(mem, in);
		update_maps(mem, in, &maps[0]);
		break;
	case TASK_TERMS:
		fetch(mem, in, arrival, INPUT_WORDS, [](int i) -> int { return i; });
		cue(mem, in);
		predict(mem, in, &now[0]);
		terms(mem, in);
		break;
	case TASK_PROFILES: profile_terms(mem, in, arrival, task); break;
	case TASK_COUPLE: couple(mem, task, bins); break;
	case TASK_DISPLACE:
		fetch(mem, in, arrival, INPUT_TERMS, [](int i) -> int { return i; });
		displace(mem, in, task, bins);
		break;
	case TASK_CARRY: carry(mem, task->of, bins);
	}
	stamp(mem, STAMP_PREP, 2);
}

#endif
