// Memory that kernels may use: allocated with guards on both sides and full of
// poison, or the caller's own, registered.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace softcuda {

namespace {

constexpr size_t kMargin = 256;  // bytes before and after, also the alignment
constexpr unsigned char kMarginByte = 0xc7;
constexpr uint64_t kTotal = uint64_t{8} << 30;

[[maybe_unused]] bool intact(const char* at) {
  for (size_t i = 0; i < kMargin; i++) {
    if (static_cast<unsigned char>(at[i]) != kMarginByte) return false;
  }
  return true;
}

uint64_t used(const Driver& d) {
  uint64_t sum = 0;
  for (auto& [at, m] : d.memory) sum += m.kind == Memory::kRegistered ? 0 : m.bytes;
  return sum;
}

// Allocates; the lock is held.
CUresult allocate(Call& call, void** out, size_t bytes, Memory::Kind kind) {
  if (!out || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (++call.d.allocations == faults().oomAt) {
    fprintf(stderr, "softcuda: allocation %llu of %zu bytes fails, as SOFTCUDA_OOM_AT wants\n",
            (unsigned long long)call.d.allocations, bytes);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (bytes > kTotal || used(call.d) + bytes > kTotal) return CUDA_ERROR_OUT_OF_MEMORY;
  size_t alignment = kind == Memory::kPinned ? size_t(sysconf(_SC_PAGESIZE)) : kMargin;
  size_t margin = kind == Memory::kPinned ? 0 : kMargin;
  void* raw = nullptr;
  if (posix_memalign(&raw, alignment, bytes + 2 * margin) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
  char* at = static_cast<char*>(raw) + margin;
  if (kind == Memory::kPinned) {
    memset(at, 0, bytes);
  } else {
    for (size_t i = 0; i < bytes; i += 4) memcpy(at + i, &kPoison, bytes - i < 4 ? bytes - i : 4);
  }
  memset(at - margin, kMarginByte, margin);
  memset(at + bytes, kMarginByte, margin);
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(at - margin, margin);
  __asan_poison_memory_region(at + bytes, margin);
#endif
  call.d.memory[reinterpret_cast<uintptr_t>(at)] = {bytes, kind, call.context, raw, call.d.allocations};
  *out = at;
  return CUDA_SUCCESS;
}

// Frees what begins at a place. The lock is held.
CUresult release(Driver& d, uintptr_t at, bool pinned) {
  auto i = d.memory.find(at);
  if (i == d.memory.end() || (i->second.kind == Memory::kPinned) != pinned || i->second.kind == Memory::kRegistered) {
    fprintf(stderr, "softcuda: free of %p, where no such memory begins\n", reinterpret_cast<void*>(at));
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult r = CUDA_SUCCESS;
  checkMargins("before it was freed", &r);
  size_t margin = pinned ? 0 : kMargin;
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(i->second.raw, i->second.bytes + 2 * margin);
#endif
  memset(i->second.raw, 0xc7, i->second.bytes + 2 * margin);
  free(i->second.raw);
  d.memory.erase(i);
  return r;
}

// Waits for everything in a context: freeing does.
void finish(Call& call) {
  std::vector<CUstream> all;
  for (CUstream s : call.d.streams) {
    if (s->context == call.context) all.push_back(s);
  }
  for (CUstream s : all) call.drain(s);
}

}  // namespace

const Memory* find(CUdeviceptr at, size_t bytes) {
  Driver& d = *driver();
  auto i = d.memory.upper_bound(at);
  if (i == d.memory.begin()) return nullptr;
  --i;
  uint64_t offset = at - i->first;
  return offset <= i->second.bytes && bytes <= i->second.bytes - offset ? &i->second : nullptr;
}

void checkMargins(const char* after, CUresult* result) {
#if !defined(__SANITIZE_ADDRESS__)  // it watches them itself
  for (auto& [at, m] : driver()->memory) {
    if (!m.guarded()) continue;
    const char* p = reinterpret_cast<const char*>(at);
    bool before = intact(p - kMargin), behind = intact(p + m.bytes);
    if (before && behind) continue;
    fprintf(stderr, "softcuda: %s: somebody wrote %s device memory of %zu bytes (allocation %llu)\n", after,
            before ? "behind" : "before", m.bytes, (unsigned long long)m.number);
    memset(const_cast<char*>(p) - kMargin, kMarginByte, kMargin);
    memset(const_cast<char*>(p) + m.bytes, kMarginByte, kMargin);
    *result = CUDA_ERROR_ILLEGAL_ADDRESS;
  }
#endif
}

}  // namespace softcuda

using namespace softcuda;

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* out, size_t bytes) {
  Call call;
  if (call.result) return call.result;
  void* p = nullptr;
  CUresult r = allocate(call, &p, bytes, Memory::kDevice);
  if (r == CUDA_SUCCESS) *out = reinterpret_cast<CUdeviceptr>(p);
  return r;
}

CUresult cuMemAllocManaged(CUdeviceptr* out, size_t bytes, unsigned) {
  Call call;
  if (call.result) return call.result;
  void* p = nullptr;
  CUresult r = allocate(call, &p, bytes, Memory::kManaged);
  if (r == CUDA_SUCCESS) *out = reinterpret_cast<CUdeviceptr>(p);
  return r;
}

CUresult cuMemFree(CUdeviceptr at) {
  Call call;
  if (call.result || at == 0) return call.result;
  finish(call);
  return release(call.d, at, false);
}

CUresult cuMemHostAlloc(void** out, size_t bytes, unsigned) {
  Call call;
  return call.result ? call.result : allocate(call, out, bytes, Memory::kPinned);
}

CUresult cuMemAllocHost(void** out, size_t bytes) { return cuMemHostAlloc(out, bytes, 0); }

CUresult cuMemFreeHost(void* p) {
  Call call;
  if (call.result || !p) return call.result;
  finish(call);
  return release(call.d, reinterpret_cast<uintptr_t>(p), true);
}

CUresult cuMemHostRegister(void* p, size_t bytes, unsigned flags) {
  Call call;
  if (call.result) return call.result;
  if (!p || bytes == 0 || flags > 15) return CUDA_ERROR_INVALID_VALUE;
  if (faults().noRegister) return CUDA_ERROR_NOT_SUPPORTED;
  uintptr_t at = reinterpret_cast<uintptr_t>(p);
  auto next = call.d.memory.lower_bound(at);
  bool taken = next != call.d.memory.end() && next->first < at + bytes;
  if (next != call.d.memory.begin()) {
    --next;
    taken = taken || next->first + next->second.bytes > at;
  }
  if (taken) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  call.d.memory[at] = {bytes, Memory::kRegistered, call.context, nullptr, ++call.d.calls};
  return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void* p) {
  Call call;
  if (call.result) return call.result;
  finish(call);
  auto i = call.d.memory.find(reinterpret_cast<uintptr_t>(p));
  if (i == call.d.memory.end() || i->second.kind != Memory::kRegistered) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  call.d.memory.erase(i);
  return CUDA_SUCCESS;
}

// Host and device share their addresses here.
CUresult cuMemHostGetDevicePointer(CUdeviceptr* out, void* p, unsigned flags) {
  Call call;
  if (call.result) return call.result;
  CUdeviceptr at = reinterpret_cast<CUdeviceptr>(p);
  const Memory* m = find(at, 1);
  if (!out || flags || !m || m->guarded()) return CUDA_ERROR_INVALID_VALUE;
  *out = at;
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned* flags, void* p) {
  Call call;
  if (call.result) return call.result;
  const Memory* m = find(reinterpret_cast<CUdeviceptr>(p), 1);
  if (!flags || !m || m->guarded()) return CUDA_ERROR_INVALID_VALUE;
  *flags = CU_MEMHOSTALLOC_DEVICEMAP;
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(size_t* free, size_t* total) {
  Call call;
  if (call.result) return call.result;
  if (free) *free = kTotal - used(call.d);
  if (total) *total = kTotal;
  return CUDA_SUCCESS;
}

// For tests: how many allocations live, and how many launches were started.
uint64_t softcuda_live_allocations(void) {
  std::lock_guard<std::mutex> hold(driver()->lock);
  uint64_t n = 0;
  for (auto& [at, m] : driver()->memory) n += m.kind != Memory::kRegistered;
  return n;
}
uint64_t softcuda_launches(void) {
  std::lock_guard<std::mutex> hold(driver()->lock);
  return driver()->launches;
}

}  // extern "C"
