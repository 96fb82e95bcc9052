//go:build !cuda

#include "dispatch.h"

int vector_supported(int isa) {
#if defined(__x86_64__)
	switch (isa) {
	case 0: return __builtin_cpu_supports("sse4.1") != 0;
	case 1: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
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

void vector_step(int isa, const Shape *shape, double *fields, const uint64_t *keys, double *feet,
				 const double *numbers, const int32_t *index, int32_t first, int32_t last, int32_t n) {
	Shape s = *shape;
	s.feet = feet, s.numbers = numbers, s.index = index;
#if defined(__x86_64__)
	switch (isa) {
	case 1: return vector_step_avx2(&s, fields, keys, first, last, n);
	case 2: return vector_step_avx512(&s, fields, keys, first, last, n);
	}
	vector_step_sse(&s, fields, keys, first, last, n);
#else
	vector_step_neon(&s, fields, keys, first, last, n);
#endif
}
