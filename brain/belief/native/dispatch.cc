//go:build !cuda

#include "dispatch.h"

#if defined(__x86_64__)
#define CHOOSE(CALL, ...)                             \
	switch (isa) {                                    \
	case 1: return belief_##CALL##_avx2(__VA_ARGS__); \
	case 2: return belief_##CALL##_avx512(__VA_ARGS__); \
	}                                                 \
	return belief_##CALL##_sse(__VA_ARGS__);
#else
#define CHOOSE(CALL, ...) return belief_##CALL##_neon(__VA_ARGS__);
#endif

int64_t belief_fan(int isa, const int8_t *odds, const uint32_t *seen, const int32_t *dirs, const uint32_t *classes,
				   const Fan *fan, int32_t *gain) {
	CHOOSE(fan, odds, seen, dirs, classes, fan, gain)
}

void belief_scan(int isa, uint8_t *mark, const int32_t *dirs, const Scan *scan, const int32_t *until,
				 const int32_t *end, const uint8_t *echo, int32_t *hits) {
	CHOOSE(scan, mark, dirs, scan, until, end, echo, hits)
}

void belief_apply(int isa, int8_t *odds, uint8_t *mark, int32_t cells, const int8_t *weights) {
	CHOOSE(apply, odds, mark, cells, weights)
}
