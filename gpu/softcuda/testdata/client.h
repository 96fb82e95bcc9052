// What the client's scenarios share.
#pragma once

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 256 };

// Fails loudly unless a call returns success.
#define MUST(call)                                                             \
  do {                                                                         \
    CUresult must = (call);                                                    \
    if (must != CUDA_SUCCESS) {                                                \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_of(must));     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);           \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

const char* name_of(CUresult r);
CUfunction function(const char* name);
CUdeviceptr device_memory(size_t bytes);
CUresult run(CUfunction f, unsigned blocks, unsigned threads, unsigned shared, CUstream s, void** args);

typedef struct {
  const char* name;
  void (*run)(void);
} Scenario;
extern const Scenario kGood[], kFaulty[];
