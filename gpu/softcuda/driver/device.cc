// The one device, contexts, and what the driver says about itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

namespace softcuda {

namespace {

// The compute capability times ten, from SOFTCUDA_CAPABILITY; 90 by default.
int capability() {
  const char* text = getenv("SOFTCUDA_CAPABILITY");
  int n = text ? atoi(text) : 0;
  return n >= 50 ? n : 90;
}

// Most bytes of shared memory that a block of this capability may ask for.
int sharedOptin() {
  switch (capability()) {
    case 75: return 64 << 10;
    case 80: case 87: return 163 << 10;
    case 86: case 89: return 99 << 10;
    default: return int(kMaxShared);
  }
}

int multiprocessors() {
  const char* text = getenv("SOFTCUDA_MULTIPROCESSORS");
  int n = text ? atoi(text) : 0;
  return n > 0 ? n : 16;
}

}  // namespace

int attribute(CUdevice_attribute what) {
  switch (what) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return kMaxThreads;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return 64;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return 0x7fffffff;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: return 65535;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 65535;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 48 << 10;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return sharedOptin();
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: return sharedOptin() + 1024;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK: return 1024;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: return 64 << 10;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return kWarp;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: return 64 << 10;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: return 64 << 10;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return 2048;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: return 32;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return multiprocessors();
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: return 1000000;         // kHz
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: return 1000000;  // kHz
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: return 64;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: return 4 << 20;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return capability() / 10;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return capability() % 10;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED: return getenv("SOFTCUDA_INTEGRATED") != nullptr;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY: return 1;
    case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: return 1;
    case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED: return !faults().noRegister;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: return 1;
    case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY: return 1;
    case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED: return 1;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: return 1;
    case CU_DEVICE_ATTRIBUTE_MAX_PITCH: return 0x7fffffff;
    default: return 0;
  }
}

CUcontext createContext(unsigned flags) {
  Driver& d = *driver();
  CUcontext c = new CUctx_st();
  c->flags = flags;
  c->null = new CUstream_st{c, 0, 0, {}, false};
  d.streams.insert(c->null);
  d.contexts.insert(c);
  return c;
}

// Ends a context whose streams are empty, with everything in it.
void destroyContext(CUcontext c) {
  Driver& d = *driver();
  for (auto i = d.memory.begin(); i != d.memory.end();) {
    if (i->second.context != c) {
      ++i;
      continue;
    }
    if (faults().leaks) {
      fprintf(stderr, "softcuda: leak: %zu bytes of allocation %llu\n", i->second.bytes, (unsigned long long)i->second.number);
    }
    free(i->second.raw);
    i = d.memory.erase(i);
  }
  for (auto i = d.streams.begin(); i != d.streams.end();) {
    if ((*i)->context == c) {
      delete *i;
      i = d.streams.erase(i);
    } else {
      ++i;
    }
  }
  d.contexts.erase(c);
  delete c;
}

}  // namespace softcuda

using namespace softcuda;

extern "C" {

CUresult cuInit(unsigned flags) {
  Driver& d = *driver();
  std::lock_guard<std::mutex> hold(d.lock);
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (faults().initCode) return CUresult(faults().initCode);
  d.initialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

#define SOFTCUDA_DEVICE(condition)                        \
  Call call(Call::kInit);                                 \
  if (call.result) return call.result;                    \
  if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;         \
  if (!(condition)) return CUDA_ERROR_INVALID_VALUE

CUresult cuDeviceGet(CUdevice* out, int dev) {
  SOFTCUDA_DEVICE(out);
  *out = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  const CUdevice dev = 0;
  SOFTCUDA_DEVICE(count);
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice dev) {
  SOFTCUDA_DEVICE(name && length > 0);
  snprintf(name, size_t(length), "softcuda (software, for tests)");
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice dev) {
  SOFTCUDA_DEVICE(bytes);
  *bytes = size_t{8} << 30;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* out, CUdevice_attribute what, CUdevice dev) {
  SOFTCUDA_DEVICE(out);
  *out = attribute(what);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* out, CUdevice dev) {
  SOFTCUDA_DEVICE(out);
  memcpy(out->bytes, "softcuda-device0", 16);
  return CUDA_SUCCESS;
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  SOFTCUDA_DEVICE(major && minor);
  *major = capability() / 10;
  *minor = capability() % 10;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* out, int length, CUdevice dev) {
  SOFTCUDA_DEVICE(out && length > 12);
  snprintf(out, size_t(length), "0000:00:00.0");
  return CUDA_SUCCESS;
}

}  // extern "C"
