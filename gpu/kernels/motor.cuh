// K3, the end of the tick: it hands back the answer and then lets the library learn.
// The last word that it writes to the page is the number of the request: the client
// polls that word and then reads the answer. Nobody waits for the library.
//
// Launch: one block of 1024 threads. Nothing is read from the host: what the answer
// needs of the input lies in the frame. Where kernels overlap it writes what it knows from
// K1 while K2 runs. Memory: 25 kB of sums and as much of marginals read and written on the
// device, an answer of 30 kB written to the host.
#ifndef FIELDBRAIN_MOTOR_CUH
#define FIELDBRAIN_MOTOR_CUH

#include "overlap.cuh"
#include "recall.cuh"

enum { WORDS = sizeof(Marginal) / sizeof(int32_t) }; // x, y, z and the total
enum { ROUNDS = (CHANNELS * WORDS + PLANE - 1) / PLANE };

// A Settling is what the end of a tick knows of each channel: whether it ran, and by
// how many bits the sum over its stored cells exceeds that over its distinct ones.
struct Settling {
	int32_t run[CHANNELS], shift[CHANNELS], updated;
};

// Words are a thread's share of the marginals.
struct Part {
	int32_t v[ROUNDS];
};

// marginals turns the sums over stored cells into marginals of distinct ones and writes
// them to the page. A thread takes all its words before it gives any. A cell is stored
// once, or 32 times per axis on which its channel is uniform.
DEVICE Part marginals(const Memory *mem, const Settling *s) {
	Part w;
#pragma unroll
	for (int n = 0; n < ROUNDS; n++) {
		const int i = threadIdx.x + n * PLANE;
		if (i < CHANNELS * WORDS) w.v[n] = ((const int32_t *)(s->run[i / WORDS] ? mem->sums : mem->marginals))[i];
	}
#pragma unroll
	for (int n = 0; n < ROUNDS; n++) {
		const int i = threadIdx.x + n * PLANE, c = i / WORDS;
		if (i >= CHANNELS * WORDS) break;
		if (s->run[c]) w.v[n] >>= s->shift[c];
		((volatile int32_t *)mem->out->marginals)[i] = w.v[n];
	}
	return w;
}

// keep leaves them on the device, too, and makes room for the next tick's sums.
DEVICE void keep(const Memory *mem, const Settling *s, const Part &w) {
#pragma unroll
	for (int n = 0; n < ROUNDS; n++) {
		const int i = threadIdx.x + n * PLANE;
		if (i >= CHANNELS * WORDS || !s->run[i / WORDS]) continue;
		((int32_t *)mem->marginals)[i] = w.v[n];
		((int32_t *)mem->sums)[i] = 0;
	}
}

// tell writes to the page what the answer has of the preparation.
DEVICE void tell(const Memory *mem) {
	const Frame *f = mem->frame;
	const int i = threadIdx.x;
	mem->out->obstacle[i] = f->obstacle[i];
	if (i < SIDE) {
		mem->out->blocked[i] = f->blocked[i];
		mem->out->heading[i] = f->heading[i];
	}
	if (i < (int)(sizeof(Prediction) / sizeof(float)))
		((volatile float *)&mem->out->prediction)[i] = ((const float *)&mem->predictor->result)[i];
	if (i < (int)(sizeof(Recall) / sizeof(float)))
		((volatile float *)&mem->out->recall)[i] = ((const float *)&mem->library->best)[i];
	if (i == 0) mem->out->tick = f->tick;
}

extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_motor(const Memory *memory) {
	FIELDBRAIN_STATIC_SHARED(Settling, room, 1);
	FIELDBRAIN_STATIC_SHARED(Recollection, recollection, 1);
	FIELDBRAIN_STATIC_SHARED(Memory, hand, 1);
	const Memory *mem = at_hand(memory, &hand[0]);
	stamp(mem, STAMP_MOTOR, 0);
	Settling *s = &room[0];
	const int i = threadIdx.x;
	if (i == CHANNELS) s->updated = 0;
	await(mem->frame, mem->overlap, PREP);
	tell(mem);
	if (i < CHANNELS) {
		s->run[i] = mem->frame->run[i];
		s->shift[i] = __ffs(mem->constants->channels[i].repeats) - 1;
	}
	__syncthreads();
	if (i < CHANNELS) {
		const int updated = warp_sum(s->run[i]);
		if (i % SIDE == 0) atomicAdd(&s->updated, updated);
	}
	const uint32_t request = mem->frame->request;
	await(mem->frame, mem->overlap, EVOLVE);
	stamp(mem, STAMP_MOTOR, 1);
	const Part part = marginals(mem, s);
	stamp(mem, STAMP_MOTOR, 2);
	__syncthreads(); // every thread's part of the answer is written
	if (i == 0) {
		mem->out->stats.not_finite = mem->frame->not_finite;
		mem->out->stats.updated = s->updated;
		__threadfence_system(); // all of it, seen through the barrier, before the word
		*mem->answered = request;
	}
	stamp(mem, STAMP_MOTOR, 3);
	keep(mem, s, part);
	if (i < CHANNELS && s->run[i]) mem->flip[i] ^= 1;
	__syncthreads();
	remember(mem, &recollection[0]);
	stamp(mem, STAMP_MOTOR, 4);
}

#endif
