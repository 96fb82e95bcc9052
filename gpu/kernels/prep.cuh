// K1: all of a tick that does not touch each cell of the field (field/prep.go and
// the functions that it calls).
//
// Shapes: profiles[stimulus][axis][32], projections[coupling][distinct cells of the
// target], displaced activations[distinct cell]. Launch: blocks of 512 threads, each
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
#include "overlap.cuh"
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
// for it: a word per thread and round, all of them at once.
DEVICE void bring(const Memory *mem, Input *in, uint64_t launch) {
	enum { ROUNDS_OF_INPUT = (INPUT_WORDS + PREP_THREADS - 1) / PREP_THREADS };
	Frame *f = mem->frame;
	uint64_t word[ROUNDS_OF_INPUT];
	const bool last = threadIdx.x == PREP_THREADS - 1;
	const uint32_t request = last ? *mem->request : 0;
#pragma unroll
	for (int n = 0; n < ROUNDS_OF_INPUT; n++) {
		const int i = threadIdx.x + n * PREP_THREADS;
		if (i < INPUT_WORDS) word[n] = ((const volatile uint64_t *)mem->in)[i];
	}
#pragma unroll
	for (int n = 0; n < ROUNDS_OF_INPUT; n++) {
		const int i = threadIdx.x + n * PREP_THREADS;
		if (i < INPUT_WORDS) ((uint64_t *)&f->input)[i] = ((uint64_t *)in)[i] = word[n];
	}
	if (last) f->request = request;
	__syncthreads();
	if (!last) return; // the first warps have more to do
	__threadfence();   // all of it, seen through the barrier, before the word
	*(volatile uint64_t *)&f->brought = launch;
}

// arrive gives a block its turn: it counts as begun.
DEVICE void arrive(const Memory *mem, Arrival *a) {
	if (threadIdx.x == 0) {
		const uint64_t ticket = atomicAdd((unsigned long long *)&mem->frame->began[PREP], 1ull);
		a->launch = ticket / gridDim.x + 1;
		a->first = ticket % gridDim.x == 0;
	}
	__syncthreads();
}

// fetch copies words of the input from the frame once they lie there, a word per thread
// and round; `word` says which. Each read of the page is a journey to the host, and
// journeys to one place wait for each other, 0.8 us each on an H200: so the first block to
// begin goes for all. The others wait for a block that runs already, in whatever order
// the card starts them.
template <class Word>
DEVICE void fetch(const Memory *mem, Input *in, const Arrival *a, int words, const Word &word) {
	if (a->first) return; // it has all of it
	if (threadIdx.x == 0) {
		while (*(const volatile uint64_t *)&mem->frame->brought < a->launch) {}
		__threadfence();
	}
	__syncthreads();
	for (int i = threadIdx.x; i < words; i += blockDim.x) {
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

// walk_term walks the profile of a term along one axis, as walk n; a whole warp calls it.
DEVICE void walk_term(const Term *t, int mask, int axis, Walks *walks, int n, bool real) {
	walk(walks, n, real, t->centre[axis], mask >> axis & 1 ? t->sigma[axis] : 0, axis == 0);
}

// profile_terms draws the profiles of 32 stimuli along one axis: walked in the lanes of
// four warps, rounded and kept by a warp each.
DEVICE void profile_terms(const Memory *mem, Input *in, const Arrival *a, const Task *task, Walks *walks) {
	const int first = SIDE * task->part, words = (MAX_TERMS - first < SIDE ? MAX_TERMS - first : SIDE) * TERM_WORDS;
	fetch(mem, in, a, words + 1, [&](int i) -> int { return i == words ? (int)INPUT_REST : INPUT_TERMS + first * TERM_WORDS + i; });
	const int n = threadIdx.x / LANES_OF_WALK, terms = count_of(in->num_terms, MAX_TERMS);
	if (n < SIDE) {
		const Term *t = &in->terms[first + n]; // fetched, whether there is one or not
		walk_term(t, mem->constants->channels[t->channel & (CHANNELS - 1)].mask, task->of, walks, n, first + n < terms);
	}
	__syncthreads();
	const int cell = threadIdx.x % SIDE;
	for (int row = threadIdx.x / SIDE; row < SIDE && first + row < terms; row += blockDim.x / SIDE)
		mem->frame->rows[first + row][task->of][cell] = faded(walks->of[row].cell[cell]);
}

// A Sorting is what the order of stimuli is made from, at hand for every thread.
struct Sorting {
	int32_t channel[MAX_TERMS];              // of the stimuli
	float novelty[MAX_SPOTS], s[MAX_SPOTS];  // of the spots' slots; 0: as expected, or no spot
	Spot spot[MAX_SPOTS];
	int32_t spots, mask; // how many spots there are; axes of NOVELTY
};

// spots copies what surprises need of the constants while the input is under way.
DEVICE void spots(const Memory *mem, Sorting *m) {
	const Constants *k = mem->constants;
	const int i = threadIdx.x;
	if (i < (int)(sizeof(m->spot) / 4)) ((int32_t *)m->spot)[i] = ((const int32_t *)k->spots)[i];
	if (i == blockDim.x - 1) {
		m->spots = k->num_spots;
		m->mask = k->channels[NOVELTY].mask;
	}
	__syncthreads();
}

// Threads that enter surprises, four to a spot along X or Y; those that find a stimulus's
// place, and those that read the spots' slots.
enum { FIRST_PLACE = 4 * SIDE, FIRST_SPOT = 8 * SIDE, FIRST_SURPRISE = 12 * SIDE };
static_assert(2 * MAX_SPOTS <= SIDE && MAX_TERMS <= FIRST_SPOT - FIRST_PLACE && CHANNELS < FIRST_PLACE, "who does what");

// surprising counts the spots before n whose slot was not as expected.
DEVICE int surprising(const Sorting *m, int n) {
	int count = 0;
	for (int j = 0; j < n; j++) count += m->novelty[j] != 0;
	return count;
}

// surprise walks one axis of spot n; a whole warp calls it, spots that are not there or not
// surprising included.
DEVICE void surprise(const Sorting *m, int n, int axis, Walks *walks) {
	const bool real = m->novelty[n] != 0;
	if (!__any_sync(0xffffffffu, real)) return;
	const Spot *spot = &m->spot[n];
	const float s = m->s[n];
	Term t = {NOVELTY, 0, {add(spot->x, mul(spot->turn, s)), spot->y, 0}, {spot->width, spot->width, 0}, 0};
	if (spot->ranging) t.centre[1] = (float)range_bin((double)add(mul(4.0f, s), spot->y));
	walk_term(&t, m->mask, axis, walks, axis * MAX_SPOTS + n, real);
}

// enter_spot enters spot n into NOVELTY, as one of the last terms there.
DEVICE void enter_spot(const Memory *mem, const Sorting *m, int terms, int n) {
	if (m->novelty[n] == 0) return;
	int at = 1 + surprising(m, n); // the heading input and the spots before
#pragma unroll 4
	for (int j = 0; j < terms; j++) at += m->channel[j] <= NOVELTY;
	mem->frame->index[at] = MAX_TERMS + 1 + n;
	mem->frame->amp[MAX_TERMS + 1 + n] = m->novelty[n];
}

// draw_surprises rounds and keeps the profiles of surprises; along Z they are ones, as
// those of the heading input along Y and Z.
DEVICE void draw_surprises(const Memory *mem, const Sorting *m, const Walks *walks) {
	Frame *f = mem->frame;
	const int cell = threadIdx.x % SIDE, spots = m->spots;
	for (int row = threadIdx.x / SIDE; row < SIDE; row += blockDim.x / SIDE) {
		const int n = row % MAX_SPOTS;
		if (row < 2) f->rows[MAX_TERMS][1 + row][cell] = 1;
		if (n >= spots) continue;
		if (m->novelty[n] != 0) f->rows[MAX_TERMS + 1 + n][row / MAX_SPOTS][cell] = faded(walks->of[row].cell[cell]);
		if (row < MAX_SPOTS) f->rows[MAX_TERMS + 1 + row][2][cell] = 1;
	}
}

// terms sorts the stimuli by channel, keeping their order. The heading input is the
// last term of its channel.
DEVICE void terms(const Memory *mem, const Input *in, Sorting *m, Walks *walks) {
	Frame *f = mem->frame;
	const int i = threadIdx.x, n = count_of(in->num_terms, MAX_TERMS);
	const int mine = i - FIRST_PLACE, spot = i - FIRST_SPOT, four = (i - FIRST_SURPRISE) / LANES_OF_WALK;
	if (i < n) m->channel[i] = (int)in->terms[i].channel;
	if (spot >= 0 && spot < MAX_SPOTS) {
		const int slot = m->spot[spot].slot & (NUM_SENSES - 1);
		m->novelty[spot] = spot < m->spots ? mem->predictor->result.novelty[slot] : 0;
		m->s[spot] = mem->predictor->s[slot];
	}
	__syncthreads();
	const int surprises = surprising(m, m->spots);
	if (i <= CHANNELS) {
		int count = (i > HEADING) + (i > NOVELTY ? surprises : 0);
#pragma unroll 4
		for (int j = 0; j < n; j++) count += m->channel[j] < i;
		f->start[i] = count;
		if (i == HEADING + 1) f->index[count - 1] = MAX_TERMS;
	}
	if (mine >= 0 && mine < n) {
		const int c = m->channel[mine], of = in->terms[mine].of;
		int at = (c > HEADING) + (c > NOVELTY ? surprises : 0);
#pragma unroll 4
		for (int j = 0; j < n; j++) at += m->channel[j] < c || (m->channel[j] == c && j < mine);
		f->index[at] = mine;
		f->amp[mine] = of <= 0 || of > NUM_SENSES ? in->terms[mine].a : mul(in->terms[mine].a, add(1, mem->predictor->boost[of - 1]));
	}
	if (i >= FIRST_SURPRISE) surprise(m, four % MAX_SPOTS, four / MAX_SPOTS, walks);
	if (spot >= 0 && spot < m->spots) enter_spot(mem, m, n, spot);
	if (i == FIRST_SPOT) f->amp[MAX_TERMS] = 1;
	__syncthreads();
	draw_surprises(mem, m, walks);
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

extern "C" __global__ void __launch_bounds__(PREP_THREADS, 2) fieldbrain_prep(const Memory *memory) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(int, bins, PLANE);
	FIELDBRAIN_STATIC_SHARED(MapScratch, maps, 1);
	FIELDBRAIN_STATIC_SHARED(Now, now, 1);
	FIELDBRAIN_STATIC_SHARED(Sorting, sorting, 1);
	FIELDBRAIN_STATIC_SHARED(Walks, walks, 1);
	FIELDBRAIN_STATIC_SHARED(Arrival, arrival, 1);
	FIELDBRAIN_STATIC_SHARED(Memory, hand, 1);
	const Memory *mem = at_hand(memory, &hand[0]);
	const Task *task = &mem->tasks[blockIdx.x];
	Input *in = (Input *)&room[0];
	stamp(mem, STAMP_PREP, 0);
	arrive(mem, arrival);
	let_next_begin(); // this block is counted
	if (arrival->first) bring(mem, in, arrival->launch);
	stamp(mem, STAMP_PREP, 1);
	switch (task->kind) {
	case TASK_MAPS:
		prepare(mem, &maps[0]);
		fetch(mem, in, arrival, INPUT_TERMS + INPUT_WORDS - INPUT_REST, [](int i) -> int { return i < INPUT_TERMS ? i : i - INPUT_TERMS + INPUT_REST; });
		stamp(mem, STAMP_PREP, 2);
		schedule(mem, in);
		update_maps(mem, in, &maps[0], &walks[0]);
		break;
	case TASK_TERMS:
		spots(mem, &sorting[0]);
		fetch(mem, in, arrival, INPUT_WORDS, [](int i) -> int { return i; });
		stamp(mem, STAMP_PREP, 2);
		cue(mem, in);
		predict(mem, in, &now[0]);
		stamp(mem, STAMP_PREP, 3);
		terms(mem, in, &sorting[0], &walks[0]);
		break;
	case TASK_PROFILES: profile_terms(mem, in, arrival, task, &walks[0]); break;
	case TASK_COUPLE: couple(mem, task, bins); break;
	case TASK_DISPLACE:
		fetch(mem, in, arrival, INPUT_TERMS, [](int i) -> int { return i; });
		displace(mem, in, task, bins);
		break;
	case TASK_CARRY:
		for (int j = task->of; j < task->of + CARRIED && j < STRATEGIC; j++) carry(mem, j, bins);
	}
	ended(mem->frame, mem->overlap, PREP);
	stamp(mem, STAMP_PREP, 5);
}

#endif
