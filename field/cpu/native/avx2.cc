// The evolve pass for AVX2.
#if defined(__x86_64__)
#define LANES 8
#pragma GCC target("avx2")
#include "kernel.h"

void fieldbrain_avx2(Field *fd, Scratch *w, int32_t n) { unit(fd, w, n); }
#endif
