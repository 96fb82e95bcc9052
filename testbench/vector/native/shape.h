// What does not change between two calls, for the processor's loops and for the kernel.
#ifndef VECTOR_SHAPE_H
#define VECTOR_SHAPE_H

#include <stdint.h>

#include "fields.h"

// A Shape is a fleet without its cars. native.go has the same.
typedef struct {
	int32_t cars, most, sonars, sensing; // most is how many movers a car has room for
	double bearings[SONARS];             // rad
	double *feet;                        // filled in by vector_step
	const double *numbers;
	const int32_t *index;
	const int32_t *common; // of each block, the site of all its cars, -1 where they differ
	const double *params;  // the parameters of the first sites, BLOCK times each
	int32_t shares;        // how many sites that are
} Shape;

#endif
