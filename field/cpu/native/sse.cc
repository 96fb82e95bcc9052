// The evolve pass for SSE4.1 (any x86-64 of the last fifteen years).
#if defined(__x86_64__)
#define LANES 4
#pragma GCC target("sse4.1")
#include "kernel.h"

void fieldbrain_sse(Field *fd, Scratch *w, int32_t n) { unit(fd, w, n); }
#endif
