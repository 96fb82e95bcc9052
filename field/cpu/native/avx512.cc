// The evolve pass for AVX-512 (F, BW, DQ, VL).
#if defined(__x86_64__)
#define LANES 16
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#include "kernel.h"

void fieldbrain_avx512(Field *fd, Scratch *w, int32_t n) { unit(fd, w, n); }
#endif
