//go:build !cuda

#include "job.h"

#if defined(__x86_64__)
#define CHOOSE(NAME, ...)                               \
	switch (isa) {                                      \
	case 1: return rollout_##NAME##_avx2(__VA_ARGS__);   \
	case 2: return rollout_##NAME##_avx512(__VA_ARGS__); \
	}                                                   \
	rollout_##NAME##_sse(__VA_ARGS__);
#else
#define CHOOSE(NAME, ...) rollout_##NAME##_neon(__VA_ARGS__);
#endif

void rollout_drive(int isa, const Job *job, const uint32_t *map, const float *controls, float *costs, int first, int last) {
	CHOOSE(drive, job, map, controls, costs, first, last)
}

void rollout_gather(int isa, const Job *job, const float *controls, const float *weights, float *sums, int first, int last) {
	CHOOSE(gather, job, controls, weights, sums, first, last)
}
