//go:build cuda

#include "planner.h"

CUresult worker_begin(const FieldbrainTick *t, uint32_t which, CUdeviceptr to, const void *job, size_t bytes) {
	CUresult r = cuMemcpyHtoDAsync(to, job, bytes, t->stream);
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < t->count; i++)
		if (which >> i & 1) r = worker_launch(t, &t->kernels[i]);
	return r;
}
