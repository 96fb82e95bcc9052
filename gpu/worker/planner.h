// The planner's part of the driver: kernels that the worker starts and does not wait
// for.
#pragma once

#include "shim.h"

// Copies the job to the device and starts those of the program's kernels whose bits are
// set, one after the other, on its stream, and returns at once.
CUresult worker_begin(const FieldbrainTick *program, uint32_t which, CUdeviceptr to, const void *job, size_t bytes);
