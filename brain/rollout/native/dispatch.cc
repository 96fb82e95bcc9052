//go:build !cuda

#include "job.h"

int rollout_supported(int isa) {
#if defined(__x86_64__)
	switch (isa) {
	case 0: return __builtin_cpu_supports("sse4.1") != 0;
	case 1: return __builtin_cpu_supports("avx2") != 0;
	case 2: return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
				   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
	}
	return 0;
#elif defined(__aarch64__)
	return isa == 3;
#else
	return 0;
#endif
}

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
