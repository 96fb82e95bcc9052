// K3: what the tick hands back, and the end of the tick. The last word written to
// the page is the number of the request: whoever polls it may read the answer.
// What is remembered of the tick is nobody's to wait for.
#ifndef FIELDBRAIN_MOTOR_CUH
#define FIELDBRAIN_MOTOR_CUH

#include "recall.cuh"

enum { WORDS = sizeof(Marginal) / sizeof(int32_t) }; // x, y, z and the total

// settle_sums turns the sums over stored cells into marginals of distinct ones
// and makes room for the next tick's.
DEVICE void settle_sums(const Brain *b) {
	for (int i = threadIdx.x; i < CHANNELS * WORDS; i += blockDim.x) {
		int c = i / WORDS;
		int32_t *sum = (int32_t *)b->sums + i, *marginal = (int32_t *)b->marginals + i;
		if (b->frame->run[c]) {
			*marginal = *sum / b->constants->sheets[c].repeats;
			*sum = 0;
		}
		((volatile int32_t *)b->out->marginals)[i] = *marginal;
	}
}

extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_motor(const Brain *b) {
	FIELDBRAIN_STATIC_SHARED(int, updated, 1);
	FIELDBRAIN_STATIC_SHARED(Recollection, memory, 1);
	const Frame *f = b->frame;
	const int i = threadIdx.x;
	if (i == 0) updated[0] = 0;
	__syncthreads();
	settle_sums(b);
	b->out->obstacle[i] = f->obstacle[i];
	if (i < SIDE) {
		b->out->blocked[i] = f->blocked[i];
		b->out->heading[i] = f->heading[i];
	}
	if (i < (int)(sizeof(Prediction) / sizeof(float)))
		((volatile float *)&b->out->prediction)[i] = ((const float *)&b->predictor->result)[i];
	if (i < (int)(sizeof(Recall) / sizeof(float)))
		((volatile float *)&b->out->recall)[i] = ((const float *)&b->library->best)[i];
	if (i < CHANNELS && f->run[i]) {
		b->flip[i] ^= 1;
		atomicAdd(&updated[0], 1);
	}
	__syncthreads();
	if (i == 0) {
		b->out->tick = b->in->tick;
		b->out->stats.not_finite = f->not_finite;
		b->out->stats.updated = updated[0];
	}
	__threadfence_system(); // each thread's own part of the answer
	__syncthreads();
	if (i == 0) {
		__threadfence_system(); // and all of it before the word
		*b->answered = *b->request;
	}
	remember(b, &memory[0]);
}

#endif
