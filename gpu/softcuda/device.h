// The CUDA dialect for g++: put before a kernel source, this header lets it be
// compiled as C++17 and run by softcuda. What it declares behaves bit for bit
// as on the card; what it does not declare does not compile.
//
// Compile with -ffp-contract=off and without -ffast-math.
#pragma once

#ifdef __CUDA_ARCH__
#error "device.h stands in for the CUDA compiler: do not include it there"
#endif
#define FIELDBRAIN_SOFTCUDA 1

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "driver/machine.h"

#ifndef SOFTCUDA_LIST  // build.go looks for the kernels in what the preprocessor leaves
#define __global__
#define __launch_bounds__(...)
#else
#define __global__ softcuda_global
#define __launch_bounds__(...) softcuda_bounds(__VA_ARGS__)
#endif
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
// Works inside of a function, but is neither filled with poison nor tracked.
// "extern __shared__" does not compile: use the macros below.
#define __shared__ static thread_local

// Shared memory for both compilers. For nvcc a kernel source defines them as
//   extern __shared__ __align__(16) type name[];
//   __shared__ type name[count];
#define FIELDBRAIN_SHARED(type, name) \
  type* const name = reinterpret_cast<type*>(softcuda::current->block->shared)
#define FIELDBRAIN_STATIC_SHARED(type, name, count)                                                \
  static const size_t name##_at = softcuda::reserveStatic(sizeof(type) * (count), alignof(type)); \
  type* const name = reinterpret_cast<type*>(softcuda::current->block->statics + name##_at)

#define threadIdx (softcuda::current->index)
#define blockIdx (softcuda::current->block->index)
#define blockDim (softcuda::current->block->dim)
#define gridDim (softcuda::current->block->grid)
constexpr int warpSize = softcuda::kWarp;

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

#include "driver/vectors.h"
// The order matters: these use what stands above.
#include "driver/arithmetic.h"
#include "driver/together.h"
