// The launch of the cars' kernel, with its two arguments.
#pragma once

#include <cuda.h>

#include "../../../gpu/kernels/fleet.h"

// Starts n steps of a job of as many cars on a stream, in a context; the thread keeps its own.
CUresult fleet_launch(CUcontext context, CUfunction kernel, int cars, CUstream stream, CUdeviceptr job, int n);
// Name of a driver's error; never null.
const char *fleet_error(CUresult code);
