//go:build !cuda

#include "dispatch.h"

void vector_step(int isa, const Shape *shape, double *fields, const uint64_t *keys, double *feet,
				 const double *numbers, const int32_t *index, const int32_t *common, const double *params, int32_t first,
				 int32_t last, int32_t n) {
	Shape s = *shape;
	s.feet = feet, s.numbers = numbers, s.index = index, s.common = common, s.params = params;
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

double vector_peak(int isa, int32_t n) {
#if defined(__x86_64__)
	switch (isa) {
	case 1: return vector_peak_avx2(n);
	case 2: return vector_peak_avx512(n);
	}
	return vector_peak_sse(n);
#else
	return vector_peak_neon(n);
#endif
}

int vector_peak_size(int isa) {
#if defined(__x86_64__)
	switch (isa) {
	case 1: return vector_peak_size_avx2();
	case 2: return vector_peak_size_avx512();
	}
	return vector_peak_size_sse();
#else
	return vector_peak_size_neon();
#endif
}

void vector_errors(int isa, int32_t n, double *units, double *normals) {
#if defined(__x86_64__)
	switch (isa) {
	case 1: return vector_errors_avx2(n, units, normals);
	case 2: return vector_errors_avx512(n, units, normals);
	}
	vector_errors_sse(n, units, normals);
#else
	vector_errors_neon(n, units, normals);
#endif
}
