// All kernels, one module. Compiled by nvcc for the card and by g++ for the
// software driver (gpu/softcuda).
#ifdef __CUDACC__
#define FIELDBRAIN_SHARED(TYPE, NAME) extern __shared__ __align__(16) TYPE NAME[]
#define FIELDBRAIN_STATIC_SHARED(TYPE, NAME, COUNT) __shared__ TYPE NAME[COUNT]
#endif
#define DEVICE_MEMBER __device__ __forceinline__

#include "prep.cuh"
#include "evolve.cuh"
#include "motor.cuh"
#include "channel.cuh"
#include "bicycle.cuh"
#include "bench.cuh"
#include "learn.cuh"
