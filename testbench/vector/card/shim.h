// The launch of the cars' kernel, with its two arguments.
#pragma once

#include <cuda.h>

#include "../../../gpu/kernels/fleet.h"

// Starts n steps of a job of as many cars on a stream.
CUresult fleet_launch(CUfunction kernel, int cars, CUstream stream, CUdeviceptr job, int n);
