// The launches of the cars' kernels: all take a job and, but for one, a number.
#pragma once

#include <cuda.h>

#include "../../../gpu/kernels/learn.h"

// Starts a kernel for so many cars of a job on a stream, in a context; the thread keeps its own.
CUresult fleet_launch(CUcontext context, CUfunction kernel, int cars, CUstream stream, CUdeviceptr job, int n);
// Name of a driver's error; never null.
const char *fleet_error(CUresult code);
