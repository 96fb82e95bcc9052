// How facts_*.c assert the CUDA 11.8 driver interface.
#pragma once

#include <cuda.h>
#include <stddef.h>

#define IS(name, value) _Static_assert((long long)(name) == value, #name)
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == offset, #type)
#define SIZE(type, size) _Static_assert(sizeof(type) == size, #type)
#define TAKES(function, ...) _Static_assert(_Generic(&function, CUresult (*)(__VA_ARGS__): 1, default: 0), #function)

