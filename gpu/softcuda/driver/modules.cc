// Modules, functions and single launches. An image only has to look like one:
// the kernels are those that this library was built from.
#include <stdio.h>
#include <string.h>

#include "driver.h"

using namespace softcuda;

namespace softcuda {

CUresult prepareLaunch(const CUDA_KERNEL_NODE_PARAMS& p, std::vector<std::vector<char>>* arguments) {
  if (!p.func || p.extra) return p.func ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_HANDLE;
  const Kernel& k = *p.func->kernel;
  uint64_t threads = uint64_t(p.blockDimX) * p.blockDimY * p.blockDimZ;
  bool grid = p.gridDimX && p.gridDimY && p.gridDimZ && p.gridDimX <= 0x7fffffffu && p.gridDimY <= 65535 && p.gridDimZ <= 65535;
  bool block = threads && p.blockDimX <= 1024 && p.blockDimY <= 1024 && p.blockDimZ <= 64 && threads <= k.bound;
  if (!grid || !block || p.sharedMemBytes > unsigned(p.func->maxDynamic) || (k.parameters && !p.kernelParams)) {
    fprintf(stderr,
            "softcuda: launch of %s refused: grid (%u,%u,%u), block (%u,%u,%u) of at most %u threads, %u bytes of shared memory of "
            "at most %d\n",
            k.name, p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX, p.blockDimY, p.blockDimZ, k.bound, p.sharedMemBytes,
            p.func->maxDynamic);
    return CUDA_ERROR_INVALID_VALUE;
  }
  for (unsigned i = 0; i < k.parameters; i++) {
    if (!p.kernelParams[i]) return CUDA_ERROR_INVALID_VALUE;
    const char* at = static_cast<const char*>(p.kernelParams[i]);
    arguments->emplace_back(at, at + k.sizes[i]);
  }
  return CUDA_SUCCESS;
}

}  // namespace softcuda

extern "C" {

CUresult cuModuleLoadDataEx(CUmodule* out, const void* image, unsigned, CUjit_option*, void**) {
  Call call;
  if (call.result) return call.result;
  if (!out || !image) return CUDA_ERROR_INVALID_VALUE;
  uint32_t magic;
  memcpy(&magic, image, sizeof magic);
  if (magic != 0xba55ed50) {
    fprintf(stderr, "softcuda: the module's image does not begin as a fat binary does: %08x\n", magic);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *out = new CUmod_st{call.context, {}};
  call.d.modules.insert(*out);
  for (size_t i = 0; i < kKernelCount; i++) (*out)->functions[kKernels[i].name] = new CUfunc_st{&kKernels[i], *out};
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule* out, const void* image) { return cuModuleLoadDataEx(out, image, 0, nullptr, nullptr); }
CUresult cuModuleLoadFatBinary(CUmodule* out, const void* image) { return cuModuleLoadData(out, image); }

CUresult cuModuleLoad(CUmodule* out, const char* path) {
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  FILE* f = fopen(path, "rb");
  if (!f) return CUDA_ERROR_FILE_NOT_FOUND;
  uint32_t magic = 0;
  size_t n = fread(&magic, sizeof magic, 1, f);
  fclose(f);
  return n == 1 ? cuModuleLoadData(out, &magic) : CUDA_ERROR_INVALID_IMAGE;
}

CUresult cuModuleUnload(CUmodule m) {
  Call call;
  if (call.result) return call.result;
  if (!call.d.modules.erase(m)) return CUDA_ERROR_INVALID_HANDLE;
  for (auto& [name, f] : m->functions) delete f;
  delete m;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* out, CUmodule m, const char* name) {
  Call call;
  if (call.result) return call.result;
  if (!call.d.modules.count(m)) return CUDA_ERROR_INVALID_HANDLE;
  if (!out || !name) return CUDA_ERROR_INVALID_VALUE;
  auto i = m->functions.find(name);
  if (i == m->functions.end()) return CUDA_ERROR_NOT_FOUND;
  *out = i->second;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr*, size_t*, CUmodule, const char*) {
  CUresult r = Call().result;
  return r ? r : CUDA_ERROR_NOT_FOUND;
}

CUresult cuFuncGetAttribute(int* out, CUfunction_attribute what, CUfunction f) {
  Call call;
  if (call.result) return call.result;
  if (!out || !f) return CUDA_ERROR_INVALID_VALUE;
  switch (what) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *out = int(f->kernel->bound); break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *out = f->maxDynamic; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *out = 32; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *out = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
      break;
    default: *out = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute what, int value) {
  Call call;
  if (call.result) return call.result;
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  if (what == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) return CUDA_SUCCESS;
  if (what != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
  if (value < 0 || value > attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)) return CUDA_ERROR_INVALID_VALUE;
  f->maxDynamic = value;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return Call().result; }
CUresult cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig) { return Call().result; }
CUresult cuFuncGetModule(CUmodule* out, CUfunction f) {
  Call call;
  if (call.result) return call.result;
  if (!out || !f) return CUDA_ERROR_INVALID_VALUE;
  *out = f->module;
  return CUDA_SUCCESS;
}

// As many blocks as threads and shared memory allow; registers are not known.
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* out, CUfunction f, int threads, size_t shared, unsigned) {
  Call call;
  if (call.result) return call.result;
  if (!out || !f || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  int byThreads = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / threads;
  int byShared = int(size_t(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)) / (shared + 1024));
  *out = byThreads < byShared ? byThreads : byShared;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* out, CUfunction f, int threads, size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out, f, threads, shared, 0);
}

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream handle, void** parameters, void** extra) {
  Call call;
  if (call.result) return call.result;
  CUstream s = call.stream(handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  std::vector<std::vector<char>> arguments;
  CUresult r = prepareLaunch({f, gx, gy, gz, bx, by, bz, shared, parameters, extra}, &arguments);
  if (r) return r;
  call.issue(s, [=, kernel = *f] {
    return start([&] { return launch(kernel, {gx, gy, gz}, {bx, by, bz}, shared, arguments); });
  });
  return CUDA_SUCCESS;
}

}  // extern "C"
