// K1: all of a tick that does not touch each cell of the field (field/prep.go and
// the functions that it calls).
//
// Shapes: profiles[stimulus][axis][32], projections[coupling][distinct cells of the
// target], displaced activations[distinct cell]. Launch: blocks of 512 threads, each
// with a task of its own (kernels.Task), none of which reads what another writes but for
// the input, and none of which is long: one brings the input, 4.3 kB on the host, in one
// journey, and the others read what they need of it; one for the maps and the heading
// input; one for the prediction and the stimuli that it shapes; one per axis and 32
// stimuli for their profiles; several per coupling and per displaced channel, where these
// are large; one per channel that patterns keep. Memory: per displaced distinct cell four
// cells read, which meet in the caches, and 4 bytes written.
#ifndef FIELDBRAIN_PREP_CUH
#define FIELDBRAIN_PREP_CUH

#include "maps.cuh"
#include "motion.cuh"
#include "overlap.cuh"
#include "predict.cuh"
#include "recall.cuh"

// The input in words of 8 bytes: what stands before its stimuli, these, and the rest.
enum { INPUT_TERMS = offsetof(Input, terms) / 8, INPUT_REST = offsetof(Input, num_terms) / 8, INPUT_WORDS = sizeof(Input) / 8 };
enum { TERM_WORDS = sizeof(Term) / 8, ROUNDS_OF_INPUT = (INPUT_WORDS + PREP_THREADS - 1) / PREP_THREADS };

// An Arrival is what a block knows of the others of its launch.
struct Arrival {
	uint64_t launch; // its number, from 1
	bool first;      // this block brings the input
};

// A Journey is a thread's share of the input on its way from the host: a word per round,
// all of them at once; and of the last thread the number of the request, and how often the
// input had been brought.
struct Journey {
	uint64_t word[ROUNDS_OF_INPUT], brought;
	uint32_t request;

	static DEVICE_MEMBER bool last() { return threadIdx.x == PREP_THREADS - 1; }
	DEVICE_MEMBER void set_out(const Memory *mem) {
		request = last() ? *mem->request : 0;
		brought = last() ? mem->frame->brought : 0;
#pragma unroll
		for (int n = 0; n < ROUNDS_OF_INPUT; n++) {
			const int i = threadIdx.x + n * PREP_THREADS;
			if (i < INPUT_WORDS) word[n] = ((const volatile uint64_t *)mem->in)[i];
		}
	}
	// end leaves the input in the frame and in the block's own place for it, and says so.
	DEVICE_MEMBER void end(Frame *f, Input *in) const {
#pragma unroll
		for (int n = 0; n < ROUNDS_OF_INPUT; n++) {
			const int i = threadIdx.x + n * PREP_THREADS;
			if (i < INPUT_WORDS) ((uint64_t *)&f->input)[i] = ((uint64_t *)in)[i] = word[n];
		}
		if (last()) f->request = request;
		__syncthreads();
		if (!last()) return; // the first warps have more to do
		release();           // all of it, seen through the barrier, before the word
		*(volatile uint64_t *)&f->brought = brought + 1;
	}
};

// count counts a block of a stage among those that ever began and returns how many had.
DEVICE uint64_t count(Frame *f, int stage) { return atomicAdd((unsigned long long *)&f->began[stage], 1ull); }

// arrive gives a block its turn: it counts as begun. Where all blocks run at once, one has
// nothing else to do than to bring the input and sets out before anything else; nobody
// counts it, since nobody waits for its end. Elsewhere whoever begins first brings it.
DEVICE void arrive(const Memory *mem, int kind, Arrival *a, Journey *j) {
	Frame *f = mem->frame;
	const bool together = mem->together;
	const int i = threadIdx.x;
	if (together && kind == TASK_BRING) {
		j->set_out(mem);
		if (i == 0) a->first = true;
		__syncthreads();
		return;
	}
	if (i == 0) {
		const uint64_t ticket = count(f, STAGE_PREP), blocks = gridDim.x - (together ? 1 : 0);
		a->launch = ticket / blocks + 1;
		a->first = !together && ticket % blocks == 0;
	}
	if (i == SIDE && mem->overlap && (kind == TASK_DISPLACE || kind == TASK_TERMS)) {
		count(f, kind == TASK_TERMS ? STAGE_LEARN : STAGE_MOVE);
		release(); // the next kernel's blocks find it counted
	}
	__syncthreads();
	if (a->first) j->set_out(mem);
}

// fetch copies words of the input from the frame once they lie there, a word per thread
// and round; `word` says which. Each read of the page is a journey to the host, and
// journeys to one place wait for each other, 0.8 us each on an H200: so one block goes for
// all. The others wait for a block that runs already, in whatever order the card starts
// them, or that will, because each has a multiprocessor.
template <class Word>
DEVICE void fetch(const Memory *mem, Input *in, const Arrival *a, int words, const Word &word) {
	if (a->first) return; // it has all of it
	if (threadIdx.x == 0) {
		while (acquired(&mem->frame->brought) < a->launch) {}
	}
	__syncthreads();
	uint64_t v[ROUNDS_OF_INPUT];
#pragma unroll
	for (int n = 0; n < ROUNDS_OF_INPUT; n++) {
		const int i = threadIdx.x + n * PREP_THREADS;
		if (i < words) v[n] = ((const uint64_t *)&mem->frame->input)[word(i)];
	}
#pragma unroll
	for (int n = 0; n < ROUNDS_OF_INPUT; n++) {
		const int i = threadIdx.x + n * PREP_THREADS;
		if (i < words) ((uint64_t *)in)[word(i)] = v[n];
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

enum { FIRST_SCHEDULED = 4 * SIDE }; // the first thread that schedules, while one warp makes the heading input

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
	Spot spot[MAX_SPOTS];
	int32_t spots, mask; // how many spots there are; axes of NOVELTY
	int32_t last;        // how many of the input's stimuli stand before the surprises
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
}

// Threads that find a stimulus's place, that judge the senses, and that walk surprises,
// four to a spot along X or Y.
enum { FIRST_PLACE = 4 * SIDE, FIRST_JUDGE = 8 * SIDE, FIRST_SURPRISE = 12 * SIDE };
static_assert(2 * MAX_SPOTS <= SIDE && MAX_TERMS <= FIRST_JUDGE - FIRST_PLACE && CHANNELS < FIRST_PLACE, "who does what");

DEVICE int slot_of(const Sorting *m, int n) { return m->spot[n].slot & (NUM_SENSES - 1); }

// surprising is the set of spots whose slot was not as expected; a whole warp calls it.
DEVICE uint32_t surprising(const Sorting *m, const Now *now) {
	const int n = threadIdx.x % SIDE;
	return __ballot_sync(0xffffffffu, n < m->spots && now->novelty[slot_of(m, n < MAX_SPOTS ? n : 0)] != 0);
}

// surprise walks one axis of spot n, whether it turns out to be surprising or not; a whole
// warp calls it, spots that are not there included. The senses are those of the input, if
// it has new ones.
DEVICE void surprise(const Sorting *m, const Input *in, const Now *now, int n, int axis, Walks *walks) {
	const Spot *spot = &m->spot[n];
	float known;
	const float s = framed(now, in) ? sensed(&in->senses, slot_of(m, n), &known) : now->s[slot_of(m, n)];
	Term t = {NOVELTY, 0, {add(spot->x, mul(spot->turn, s)), spot->y, 0}, {spot->width, spot->width, 0}, 0};
	if (spot->ranging) t.centre[1] = (float)range_bin((double)add(mul(4.0f, s), spot->y));
	walk_term(&t, m->mask, axis, walks, axis * MAX_SPOTS + n, n < m->spots);
}

// before counts the stimuli that come before the j-th of channel c, or before all of it: j = 0.
DEVICE int before(const Input *in, int stimuli, int c, int j) {
	int count = 0;
#pragma unroll 4
	for (int n = 0; n < stimuli; n++) {
		const int channel = (int)in->terms[n].channel;
		count += channel < c || (channel == c && n < j);
	}
	return count;
}

// enter_spot enters surprising spot n into NOVELTY, as one of the last terms there; `others`
// are those before it.
DEVICE void enter_spot(Frame *f, const Sorting *m, const Now *now, int n, int others) {
	const int at = 1 + m->last + others; // behind the heading input, too
	f->index[at] = MAX_TERMS + 1 + n;
	f->amp[MAX_TERMS + 1 + n] = now->novelty[slot_of(m, n)];
}

// draw_surprises rounds and keeps the profiles of surprises; along Z they are ones, as
// those of the heading input along Y and Z.
DEVICE void draw_surprises(Frame *f, uint32_t which, const Walks *walks) {
	const int cell = threadIdx.x % SIDE;
	for (int row = threadIdx.x / SIDE; row < SIDE; row += blockDim.x / SIDE) {
		const int n = row % MAX_SPOTS;
		if (row < 2) f->rows[MAX_TERMS][1 + row][cell] = 1;
		if (!(which >> n & 1)) continue;
		f->rows[MAX_TERMS + 1 + n][row / MAX_SPOTS][cell] = faded(walks->of[row].cell[cell]);
		if (row < MAX_SPOTS) f->rows[MAX_TERMS + 1 + row][2][cell] = 1;
	}
}

// terms judges a new frame of the senses and sorts the stimuli by channel, keeping their
// order. The heading input is the last term of its channel. First everything that nobody
// has to wait for, then what depends on which senses were surprising.
DEVICE void terms(const Memory *mem, const Input *in, Sorting *m, Now *now, Walks *walks) {
	Frame *f = mem->frame;
	const int i = threadIdx.x, n = count_of(in->num_terms, MAX_TERMS);
	const int mine = i - FIRST_PLACE, sense = i - FIRST_JUDGE, four = (i - FIRST_SURPRISE) / LANES_OF_WALK;
	const bool placed = mine >= 0 && mine < n;
	const int c = placed ? (int)in->terms[mine].channel : i;
	int at = 0;
	if (i <= CHANNELS || placed) at = before(in, n, c, placed ? mine : 0);
	if (i == NOVELTY + 1) m->last = at;
	if (framed(now, in) && sense >= 0 && sense < NUM_SENSES) judge(mem->predictor, &in->senses, now, sense);
	if (i >= FIRST_SURPRISE) surprise(m, in, now, four % MAX_SPOTS, four / MAX_SPOTS, walks);
	__syncthreads();
	stamp(mem, STAMP_PREP, 3);
	const uint32_t which = surprising(m, now);
	at += (c > HEADING) + (c > NOVELTY ? __popc(which) : 0);
	if (i <= CHANNELS) f->start[i] = at;
	if (i == HEADING + 1) f->index[at - 1] = MAX_TERMS;
	if (placed) {
		const int of = in->terms[mine].of;
		f->index[at] = mine;
		f->amp[mine] = of <= 0 || of > NUM_SENSES ? in->terms[mine].a : mul(in->terms[mine].a, add(1, now->boost[of - 1]));
	}
	if (sense >= 0 && sense < MAX_SPOTS && (which >> sense & 1)) enter_spot(f, m, now, sense, __popc(which & ((1u << sense) - 1)));
	if (i == FIRST_SURPRISE) f->amp[MAX_TERMS] = 1;
	if (framed(now, in) && i / SIDE == FIRST_JUDGE / SIDE + 1) summarise(&mem->predictor->result);
	draw_surprises(f, which, walks);
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
	FIELDBRAIN_STATIC_SHARED(Displacement, displacing, 1);
	FIELDBRAIN_STATIC_SHARED(Walks, walks, 1);
	FIELDBRAIN_STATIC_SHARED(Arrival, arrival, 1);
	FIELDBRAIN_STATIC_SHARED(Memory, hand, 1);
	const Memory *mem = at_hand(memory, &hand[0]);
	const Task *task = &mem->tasks[blockIdx.x];
	Input *in = (Input *)&room[0];
	const int kind = task->kind;
	Journey journey;
	stamp(mem, STAMP_PREP, 0);
	arrive(mem, kind, arrival, &journey);
	let_next_begin(); // this block is counted
	stamp(mem, STAMP_PREP, 1);
	if (kind == TASK_MAPS) prepare(mem, &maps[0]);
	if (kind == TASK_TERMS) {
		spots(mem, &sorting[0]);
		expect(mem, &now[0]);
	}
	if (kind == TASK_DISPLACE) displacement(mem, task->of, &displacing[0]);
	if (arrival->first) journey.end(mem->frame, in);
	if (kind == TASK_BRING) stamp(mem, STAMP_PREP, 2);
	if (kind == TASK_BRING && mem->together) return;
	switch (kind) {
	case TASK_MAPS:
		fetch(mem, in, arrival, INPUT_TERMS + INPUT_WORDS - INPUT_REST, [](int i) -> int { return i < INPUT_TERMS ? i : i - INPUT_TERMS + INPUT_REST; });
		stamp(mem, STAMP_PREP, 2);
		update_maps(mem, in, &maps[0], &walks[0]);
		if (threadIdx.x / SIDE != HEADING_WARP) schedule(mem, in);
		break;
	case TASK_TERMS:
		fetch(mem, in, arrival, INPUT_WORDS, [](int i) -> int { return i; });
		stamp(mem, STAMP_PREP, 2);
		cue(mem, in);
		terms(mem, in, &sorting[0], &now[0], &walks[0]);
		break;
	case TASK_PROFILES: profile_terms(mem, in, arrival, task, &walks[0]); break;
	case TASK_COUPLE: couple(mem, task, bins); break;
	case TASK_DISPLACE:
		fetch(mem, in, arrival, INPUT_TERMS, [](int i) -> int { return i; });
		displace(mem, in, task, &displacing[0]);
		ended(mem->frame, mem->overlap, STAGE_MOVE);
		break;
	case TASK_CARRY:
		for (int j = task->of; j < task->of + CARRIED && j < STRATEGIC; j++) carry(mem, j, bins);
	}
	ended(mem->frame, mem->overlap, STAGE_PREP);
	stamp(mem, STAMP_PREP, 5);
	if (kind != TASK_TERMS) return;
	study(mem, in, &now[0]);
	ended(mem->frame, mem->overlap, STAGE_LEARN);
	stamp(mem, STAMP_PREP, 6);
}

#endif
