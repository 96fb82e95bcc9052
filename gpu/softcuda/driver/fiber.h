// Switching between stacks.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace softcuda {

// Bytes of one stack. Not a power of two: otherwise the tops of all stacks
// would fall into the same few sets of the cache.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kStack = (256 << 10) + 13 * 64; // its red zones make frames several times as large
#else
constexpr size_t kStack = (64 << 10) + 13 * 64;
#endif

// Saves the running context and goes on with another. save receives the stack
// pointer, load is one that an earlier switch (or prepare) returned.
extern "C" void softcuda_switch(void** save, void* load);

// Makes a fresh stack whose first switch enters a function that never returns.
void* prepare(char* stack, size_t bytes, void (*enter)());

// The lowest words of a stack: writing them means that it overflowed.
void placeCanary(char* stack);
bool canaryAlive(const char* stack);

}  // namespace softcuda
