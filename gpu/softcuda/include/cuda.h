// The CUDA driver's interface as far as this project uses it: enough to compile
// gorgonia.org/cu v0.9.6 and a program of ours without NVIDIA's header, for the
// software driver and, being the same binary interface, for the real one (11.8
// and later). Names and numbers are the published ones; a test compares them
// with NVIDIA's header wherever that is installed.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define CUDA_VERSION 11080
#define CU_MEMHOSTALLOC_PORTABLE 1
#define CU_MEMHOSTALLOC_DEVICEMAP 2
#define CU_MEMHOSTALLOC_WRITECOMBINED 4
#define CU_MEMHOSTREGISTER_PORTABLE 1
#define CU_MEMHOSTREGISTER_DEVICEMAP 2
#define CU_MEMHOSTREGISTER_IOMEMORY 4
#define CU_MEMHOSTREGISTER_READ_ONLY 8
#define CU_TRSF_READ_AS_INTEGER 0x1
#define CU_TRSF_NORMALIZED_COORDINATES 0x2
#define CU_TRSA_OVERRIDE_FORMAT 0x1

#include "softcuda/results.h"
#include "softcuda/attributes.h"
#include "softcuda/enums.h"
#include "softcuda/types.h"
#include "softcuda/functions.h"
