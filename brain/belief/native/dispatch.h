// What Go and the loops share, and the choice of the instruction set. Fan and
// Scan mirror the structs of native.go; a test compares their sizes.
#ifndef BELIEF_DISPATCH_H
#define BELIEF_DISPATCH_H

#include "shared.h"

enum {
	WIDE = AZIMUTHS + COLUMNS, // azimuths of one row of the directions
	PER_AXIS = ROWS * WIDE,
};

typedef struct {
	int32_t at, part[3], cell[3], first, row, count, stride, spare;
	int64_t visits;
} Fan;

typedef struct {
	int32_t at, part[3], cell[3], first, rows[ROWS];
} Scan;

#ifdef __cplusplus
extern "C" {
#endif

// belief_fan adds the gain of every ray to its azimuth's and returns the cells
// looked at. seen may be null.
int64_t belief_fan(int isa, const int8_t *odds, const uint32_t *seen, const int32_t *dirs, const uint32_t *classes,
				   const Fan *fan, int32_t *gain);
// belief_scan marks the cells before `until` of every ray and stores the cell in
// which a ray with an echo ends, 0 for none.
void belief_scan(int isa, uint8_t *mark, const int32_t *dirs, const Scan *scan, const int32_t *until,
				 const int32_t *end, const uint8_t *echo, int32_t *hits);
// belief_apply moves marked cells by their weight and takes the marks away.
void belief_apply(int isa, int8_t *odds, uint8_t *mark, int32_t cells, const int8_t *weights);

#define DECLARE(ISA)                                                                                         \
	int64_t belief_fan_##ISA(const int8_t *, const uint32_t *, const int32_t *, const uint32_t *, const Fan *, \
							 int32_t *);                                                                     \
	void belief_scan_##ISA(uint8_t *, const int32_t *, const Scan *, const int32_t *, const int32_t *,        \
						   const uint8_t *, int32_t *);                                                      \
	void belief_apply_##ISA(int8_t *, uint8_t *, int32_t, const int8_t *);
DECLARE(sse)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(neon)

#ifdef __cplusplus
}
#endif

#endif
