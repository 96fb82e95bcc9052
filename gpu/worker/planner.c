//go:build cuda

#include "planner.h"

CUresult worker_begin(const FieldbrainTick *t, uint32_t which) {
	CUresult r = CUDA_SUCCESS;
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < t->count; i++)
		if (which >> i & 1) r = worker_launch(t, &t->kernels[i]);
	return r;
}
