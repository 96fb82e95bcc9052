// What Go and the loops share, and the choice of the instruction set.
#ifndef VECTOR_DISPATCH_H
#define VECTOR_DISPATCH_H

#include <stdint.h>

#include "shape.h"

// Counts are instructions: all, and those of them that compute on registers of 256 bits
// or more, with SSE on 128.
typedef struct {
	int64_t all, wide;
} Counts;

#ifdef __cplusplus
extern "C" {
#endif

// vector_step lets the cars of the blocks first .. last-1 take n steps.
void vector_step(int isa, const Shape *shape, double *fields, const uint64_t *keys, double *feet,
				 const double *numbers, const int32_t *index, const int32_t *common, const double *params, int32_t first,
				 int32_t last, int32_t n);

// vector_count is vector_step, and counts its instructions; 0 says that it cannot here.
// One thread at a time.
int vector_count(int isa, const Shape *shape, double *fields, const uint64_t *keys, double *feet,
				 const double *numbers, const int32_t *index, const int32_t *common, const double *params, int32_t first,
				 int32_t last, int32_t n, Counts *c);

// vector_peak executes n times vector_peak_size vector instructions, most of which wait for
// no other.
double vector_peak(int isa, int32_t n);
int vector_peak_size(int isa);

// vector_errors raises what nearly.h's functions are off by, in units and normals.
void vector_errors(int isa, int32_t n, double *units, double *normals);

#define DECLARE(ISA)                                                                 \
	void vector_step_##ISA(const Shape *, double *, const uint64_t *, int, int, int); \
	double vector_peak_##ISA(int);                                                   \
	int vector_peak_size_##ISA(void);                                                \
	void vector_errors_##ISA(int, double *, double *);
DECLARE(sse)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(neon)

#ifdef __cplusplus
}
#endif

#endif
