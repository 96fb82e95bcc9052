// What the planner needs of the driver: kernels that are started and not waited
// for.
#pragma once

#include "shim.h"

// Starts those of the program's kernels whose bits are set, one after the other,
// on its stream, and returns at once.
CUresult worker_begin(const FieldbrainTick *program, uint32_t which);
