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

// Marginals are read and written four words at a time: x, y, z and the total of a channel
// have 97, so that a quad may be of two channels.
enum { WORDS = sizeof(Marginal) / sizeof(int32_t), QUADS = CHANNELS * WORDS / 4, ROUNDS = (QUADS + PLANE - 1) / PLANE };
static_assert(CHANNELS * WORDS % 4 == 0 && offsetof(Answer, marginals) % 16 == 0, "whole quads");

struct alignas(16) Quad {
	int32_t v[4];
};

// A Settling is what the end of a tick knows of each channel: whether it ran, and by
// how many bits the sum over its stored cells exceeds that over its distinct ones.
struct Settling {
	int32_t run[CHANNELS], shift[CHANNELS], updated;
};

// A Part is a thread's share of the marginals.
struct Part {
	Quad v[ROUNDS];
};

// settled is a quad of marginals: of sums over stored cells where its channel ran, which
// become sums over distinct ones. A cell is stored once, or 32 times per axis on which its
// channel is uniform.
DEVICE Quad settled(const Settling *s, int quad, const Quad &sums, const Quad &before) {
	Quad out;
#pragma unroll
	for (int j = 0; j < 4; j++) {
		const int c = (4 * quad + j) / WORDS;
		out.v[j] = s->run[c] ? sums.v[j] >> s->shift[c] : before.v[j];
	}
	return out;
}

// marginals writes the marginals to the page. A thread takes all its quads before it gives
// any.
DEVICE Part marginals(const Memory *mem, const Settling *s) {
	Part sums, before;
#pragma unroll
	for (int n = 0; n < ROUNDS; n++) {
		const int i = threadIdx.x + n * PLANE;
		if (i >= QUADS) break;
		sums.v[n] = ((const Quad *)mem->sums)[i];
		before.v[n] = ((const Quad *)mem->marginals)[i];
	}
#pragma unroll
	for (int n = 0; n < ROUNDS; n++) {
		const int i = threadIdx.x + n * PLANE;
		if (i >= QUADS) break;
		sums.v[n] = settled(s, i, sums.v[n], before.v[n]);
		((Quad *)mem->out->marginals)[i] = sums.v[n];
	}
	return sums;
}

// keep leaves them on the device, too, and makes room for the next tick's sums; there are
// none of a channel that did not run.
DEVICE void keep(const Memory *mem, const Part &w) {
	const Quad none = {{0, 0, 0, 0}};
#pragma unroll
	for (int n = 0; n < ROUNDS; n++) {
		const int i = threadIdx.x + n * PLANE;
		if (i >= QUADS) break;
		((Quad *)mem->marginals)[i] = w.v[n];
		((Quad *)mem->sums)[i] = none;
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
	await(mem->frame, mem->overlap, STAGE_PREP);
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
	attend(mem, &recollection[0]);
	const uint32_t request = mem->frame->request;
	await(mem->frame, mem->overlap, STAGE_EVOLVE);
	await(mem->frame, mem->overlap, STAGE_LEARN); // long since; the next tick needs it, and begins behind this kernel
	stamp(mem, STAMP_MOTOR, 1);
	const Part part = marginals(mem, s);
	stamp(mem, STAMP_MOTOR, 2);
	__syncthreads(); // every thread's part of the answer is written
	if (i == 0) {
		mem->out->stats.not_finite = mem->frame->not_finite;
		mem->out->stats.updated = s->updated;
		release_to_host(); // all of it, seen through the barrier, before the word
		*mem->answered = request;
	}
	stamp(mem, STAMP_MOTOR, 3);
	keep(mem, part);
	if (i < CHANNELS && s->run[i]) mem->flip[i] ^= 1;
	__syncthreads();
	remember(mem, &recollection[0]);
	stamp(mem, STAMP_MOTOR, 4);
}

#endif
