// K3, the end of the tick: it hands back the answer and then lets the library learn.
// The last word that it writes to the page is the number of the request: the client
// polls that word and then reads the answer. Nobody waits for the library.
//
// Launch: one block of 1024 threads. Memory: 25 kB of sums and as much of marginals
// read and written on the device, an answer of 30 kB written to the host.
#ifndef FIELDBRAIN_MOTOR_CUH
#define FIELDBRAIN_MOTOR_CUH

#include "recall.cuh"

enum { WORDS = sizeof(Marginal) / sizeof(int32_t) }; // x, y, z and the total

// finish_sums turns the sums over stored cells into marginals of distinct ones
// and makes room for the next tick's.
DEVICE void finish_sums(const Memory *mem) {
	for (int i = threadIdx.x; i < CHANNELS * WORDS; i += blockDim.x) {
		int c = i / WORDS;
		int32_t *sum = (int32_t *)mem->sums + i, *marginal = (int32_t *)mem->marginals + i;
		if (mem->frame->run[c]) {
			*marginal = *sum / mem->constants->channels[c].repeats;
			*sum = 0;
		}
		((volatile int32_t *)mem->out->marginals)[i] = *marginal;
	}
}

extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_motor(const Memory *mem) {
	FIELDBRAIN_STATIC_SHARED(int, updated, 1);
	FIELDBRAIN_STATIC_SHARED(Recollection, memory, 1);
	const Frame *f = mem->frame;
	const int i = threadIdx.x;
	if (i == 0) updated[0] = 0;
	__syncthreads();
	finish_sums(mem);
	mem->out->obstacle[i] = f->obstacle[i];
	if (i < SIDE) {
		mem->out->blocked[i] = f->blocked[i];
		mem->out->heading[i] = f->heading[i];
	}
	if (i < (int)(sizeof(Prediction) / sizeof(float)))
		((volatile float *)&mem->out->prediction)[i] = ((const float *)&mem->predictor->result)[i];
	if (i < (int)(sizeof(Recall) / sizeof(float)))
		((volatile float *)&mem->out->recall)[i] = ((const float *)&mem->library->best)[i];
	if (i < CHANNELS && f->run[i]) {
		mem->flip[i] ^= 1;
		atomicAdd(&updated[0], 1);
	}
	__syncthreads();
	if (i == 0) {
		mem->out->tick = mem->in->tick;
		mem->out->stats.not_finite = f->not_finite;
		mem->out->stats.updated = updated[0];
	}
	__threadfence_system(); // each thread's own part of the answer
	__syncthreads();
	if (i == 0) {
		__threadfence_system(); // and all of it before the word
		*mem->answered = *mem->request;
	}
	remember(mem, &memory[0]);
}

#endif
