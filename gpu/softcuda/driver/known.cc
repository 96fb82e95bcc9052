// What the driver knows about addresses.
#include <link.h>

#include <algorithm>

#include "driver.h"
#include "track.h"

namespace softcuda {

namespace {

// Adds the parts of this library, where the kernels' tables lie.
int addLibrary(dl_phdr_info* info, size_t, void* to) {
  auto* known = static_cast<std::vector<std::pair<uintptr_t, uintptr_t>>*>(to);
  size_t before = known->size();
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = begin + info->dlpi_phdr[i].p_memsz;
    known->emplace_back(begin, end);
    uintptr_t here = reinterpret_cast<uintptr_t>(&kKernelCount);
    ours = ours || (here >= begin && here < end);
  }
  if (!ours) known->resize(before);
  return ours;
}

}  // namespace

std::vector<std::pair<uintptr_t, uintptr_t>> knownMemory() {
  std::vector<std::pair<uintptr_t, uintptr_t>> known;
  dl_iterate_phdr(addLibrary, &known);
  std::lock_guard<std::mutex> hold(driver()->lock);
  for (auto& [at, m] : driver()->memory) known.emplace_back(at, at + m.bytes);
  std::sort(known.begin(), known.end());
  return known;
}

}  // namespace softcuda

using namespace softcuda;

extern "C" {

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr at) {
  Call call;
  if (call.result) return call.result;
  const Memory* m = find(at, 1);
  if (!m) return CUDA_ERROR_NOT_FOUND;
  auto i = --call.d.memory.upper_bound(at);
  if (base) *base = i->first;
  if (size) *size = m->bytes;
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void* out, CUpointer_attribute what, CUdeviceptr at) {
  Call call;
  if (call.result) return call.result;
  const Memory* m = find(at, 1);
  if (!out || !m) return CUDA_ERROR_INVALID_VALUE;
  switch (what) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(out) = m->guarded() ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      *static_cast<CUdeviceptr*>(out) = at;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(out) = m->context;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned*>(out) = m->kind == Memory::kManaged;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

}  // extern "C"
