// Contexts.
#include <algorithm>

#include "driver.h"

using namespace softcuda;

namespace {

// Waits for all streams of a context. With a launch that hangs, for ever.
CUresult drainAll(Call& call, CUcontext c) {
  std::vector<CUstream> all;
  for (CUstream s : call.d.streams) {
    if (s->context == c) all.push_back(s);
  }
  for (CUstream s : all) call.drain(s);
  return c->error;
}

void leave(CUcontext c) {
  std::vector<CUcontext>& s = stack();
  s.erase(std::remove(s.begin(), s.end(), c), s.end());
}

CUresult endPrimary(Call& call) {
  CUcontext c = call.d.primary;
  drainAll(call, c);
  destroyContext(c);
  call.d.primary = nullptr;
  call.d.primaryUses = 0;
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuCtxCreate(CUcontext* out, unsigned flags, CUdevice dev) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (!out || flags > CU_CTX_FLAGS_MASK) return CUDA_ERROR_INVALID_VALUE;
  *out = createContext(flags);
  stack().push_back(*out);
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext c) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (!call.d.contexts.count(c)) return CUDA_ERROR_INVALID_CONTEXT;
  CUresult r = drainAll(call, c);
  leave(c);
  destroyContext(c);
  return r;
}

CUresult cuCtxSetCurrent(CUcontext c) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (c && !call.d.contexts.count(c)) return CUDA_ERROR_INVALID_CONTEXT;
  std::vector<CUcontext>& s = stack();
  if (!s.empty()) s.pop_back();
  if (c) s.push_back(c);
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext c) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (!call.d.contexts.count(c)) return CUDA_ERROR_INVALID_CONTEXT;
  stack().push_back(c);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* out) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (out) *out = stack().back();
  stack().pop_back();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* out) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = call.context;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* out) {
  Call call;
  if (!call.context) return call.result;
  *out = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned* out) {
  Call call;
  if (call.result) return call.result;
  *out = call.context->flags;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned* out) {
  *out = 3020;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(void) {
  Call call;
  return call.result ? call.result : drainAll(call, call.context);
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  Call call;
  if (call.result) return call.result;
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetLimit(size_t* out, CUlimit what) {
  Call call;
  if (call.result) return call.result;
  if (what != CU_LIMIT_STACK_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *out = call.context->stack;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetLimit(CUlimit what, size_t value) {
  Call call;
  if (call.result) return call.result;
  if (what != CU_LIMIT_STACK_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  call.context->stack = value;
  return CUDA_SUCCESS;
}
// Preferences about caches change nothing here.
CUresult cuCtxGetCacheConfig(CUfunc_cache* out) {
  *out = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) { return Call().result; }
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* out) {
  *out = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig) { return Call().result; }
CUresult cuCtxResetPersistingL2Cache(void) { return Call().result; }

CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice dev) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (!call.d.primary) call.d.primary = createContext(call.d.primaryFlags);
  call.d.primaryUses++;
  *out = call.d.primary;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice dev) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (!call.d.primary) return CUDA_ERROR_INVALID_CONTEXT;
  return --call.d.primaryUses > 0 ? CUDA_SUCCESS : endPrimary(call);
}
CUresult cuDevicePrimaryCtxReset(CUdevice dev) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
  return call.d.primary ? endPrimary(call) : CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned flags) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
  call.d.primaryFlags = flags;
  if (call.d.primary) call.d.primary->flags = flags;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned* flags, int* active) {
  Call call(Call::kInit);
  if (call.result) return call.result;
  if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
  *flags = call.d.primaryFlags;
  *active = call.d.primary != nullptr;
  return CUDA_SUCCESS;
}

}  // extern "C"
