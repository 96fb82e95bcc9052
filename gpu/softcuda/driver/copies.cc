// Copies and fills. Every one is a box: as CUDA_MEMCPY3D describes it.
#include <string.h>

#include "driver.h"

namespace softcuda {

namespace {

struct Side {
  CUdeviceptr at;  // of the box's first byte
  size_t pitch, slice;
  bool pageable;
};

// One side of a copy. False: no memory, or an array, which there are none of.
bool side(Side* s, CUmemorytype type, CUdeviceptr device, const void* host, size_t x, size_t y, size_t z, size_t pitch,
          size_t height, const CUDA_MEMCPY3D& c) {
  if (type == CU_MEMORYTYPE_ARRAY) return false;
  CUdeviceptr base = type == CU_MEMORYTYPE_HOST ? reinterpret_cast<CUdeviceptr>(host) : device;
  s->pitch = pitch ? pitch : x + c.WidthInBytes;
  s->slice = s->pitch * (height ? height : y + c.Height);
  s->at = base + x + y * s->pitch + z * s->slice;
  size_t span = (c.Depth - 1) * s->slice + (c.Height - 1) * s->pitch + c.WidthInBytes;
  const Memory* m = find(s->at, span);
  s->pageable = !m;
  return base && (m || type == CU_MEMORYTYPE_HOST);
}

bool sides(const CUDA_MEMCPY3D& c, Side* from, Side* to) {
  return side(from, c.srcMemoryType, c.srcDevice, c.srcHost, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight, c) &&
         side(to, c.dstMemoryType, c.dstDevice, c.dstHost, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight, c);
}

// Does a checked copy; needs no lock.
void move(const CUDA_MEMCPY3D& c, const Side& from, const Side& to) {
  for (size_t z = 0; z < c.Depth; z++) {
    for (size_t y = 0; y < c.Height; y++) {
      memmove(reinterpret_cast<void*>(to.at + z * to.slice + y * to.pitch),
              reinterpret_cast<const void*>(from.at + z * from.slice + y * from.pitch), c.WidthInBytes);
    }
  }
}

CUDA_MEMCPY3D line(CUmemorytype to, CUdeviceptr dst, CUmemorytype from, CUdeviceptr src, size_t bytes) {
  CUDA_MEMCPY3D c{};
  c.srcMemoryType = from;
  c.dstMemoryType = to;
  c.srcDevice = src;
  c.dstDevice = dst;
  c.srcHost = reinterpret_cast<const void*>(src);
  c.dstHost = reinterpret_cast<void*>(dst);
  c.WidthInBytes = bytes;
  c.Height = c.Depth = 1;
  return c;
}

CUDA_MEMCPY3D plane(const CUDA_MEMCPY2D& p) {
  CUDA_MEMCPY3D c{};
  c.srcXInBytes = p.srcXInBytes, c.srcY = p.srcY, c.srcMemoryType = p.srcMemoryType;
  c.srcHost = p.srcHost, c.srcDevice = p.srcDevice, c.srcPitch = p.srcPitch;
  c.dstXInBytes = p.dstXInBytes, c.dstY = p.dstY, c.dstMemoryType = p.dstMemoryType;
  c.dstHost = p.dstHost, c.dstDevice = p.dstDevice, c.dstPitch = p.dstPitch;
  c.WidthInBytes = p.WidthInBytes, c.Height = p.Height, c.Depth = 1;
  return c;
}

// Copies in a stream. What lies in ordinary memory is read at once and written
// before the call returns, as the real driver's staging does.
CUresult copy(const CUDA_MEMCPY3D& c, CUstream handle, bool wait) {
  Call call;
  if (call.result) return call.result;
  if (c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0) return CUDA_SUCCESS;
  Side from, to;
  CUstream s = call.stream(handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  if (!sides(c, &from, &to)) return CUDA_ERROR_INVALID_VALUE;
  auto run = [=] {
    move(c, from, to);
    return CUDA_SUCCESS;
  };
  if (from.pageable && !wait && c.Height == 1 && c.Depth == 1) {
    const char* p = reinterpret_cast<const char*>(from.at);
    std::vector<char> staged(p, p + c.WidthInBytes);
    call.issue(s, [to, staged] {
      memcpy(reinterpret_cast<void*>(to.at), staged.data(), staged.size());
      return CUDA_SUCCESS;
    });
    return CUDA_SUCCESS;
  }
  call.issue(s, run);
  return wait || from.pageable || to.pageable ? call.drain(s) : CUDA_SUCCESS;
}

// Fills a box in a stream.
CUresult fill(CUdeviceptr at, size_t pitch, unsigned value, unsigned size, size_t width, size_t height, CUstream handle, bool wait) {
  Call call;
  if (call.result) return call.result;
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  CUstream s = call.stream(handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  if (at % size || !find(at, pitch * (height - 1) + width * size)) return CUDA_ERROR_INVALID_VALUE;
  call.issue(s, [=] {
    fillBox(at, pitch, value, size, width, height);
    return CUDA_SUCCESS;
  });
  return wait ? call.drain(s) : CUDA_SUCCESS;
}

constexpr CUmemorytype kHost = CU_MEMORYTYPE_HOST, kDevice = CU_MEMORYTYPE_DEVICE, kAny = CU_MEMORYTYPE_UNIFIED;
CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

}  // namespace

CUresult copyBox(const CUDA_MEMCPY3D& c) {
  Side from, to;
  {
    std::lock_guard<std::mutex> hold(driver()->lock);
    if (!sides(c, &from, &to)) return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  move(c, from, to);
  return CUDA_SUCCESS;
}

void fillBox(CUdeviceptr at, size_t pitch, unsigned value, unsigned size, size_t width, size_t height) {
  for (size_t y = 0; y < height; y++) {
    for (size_t x = 0; x < width; x++) memcpy(reinterpret_cast<char*>(at + y * pitch + x * size), &value, size);
  }
}

}  // namespace softcuda

using namespace softcuda;

extern "C" {

CUresult cuMemcpy(CUdeviceptr d, CUdeviceptr s, size_t n) { return copy(line(kAny, d, kAny, s, n), nullptr, true); }
CUresult cuMemcpyAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream q) { return copy(line(kAny, d, kAny, s, n), q, false); }
CUresult cuMemcpyHtoD(CUdeviceptr d, const void* s, size_t n) { return copy(line(kDevice, d, kHost, address(s), n), nullptr, true); }
CUresult cuMemcpyHtoDAsync(CUdeviceptr d, const void* s, size_t n, CUstream q) { return copy(line(kDevice, d, kHost, address(s), n), q, false); }
CUresult cuMemcpyDtoH(void* d, CUdeviceptr s, size_t n) { return copy(line(kHost, address(d), kDevice, s, n), nullptr, true); }
CUresult cuMemcpyDtoHAsync(void* d, CUdeviceptr s, size_t n, CUstream q) { return copy(line(kHost, address(d), kDevice, s, n), q, false); }
CUresult cuMemcpyDtoD(CUdeviceptr d, CUdeviceptr s, size_t n) { return copy(line(kDevice, d, kDevice, s, n), nullptr, true); }
CUresult cuMemcpyDtoDAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream q) { return copy(line(kDevice, d, kDevice, s, n), q, false); }

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* p) { return p ? copy(plane(*p), nullptr, true) : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* p) { return cuMemcpy2D(p); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* p, CUstream q) { return p ? copy(plane(*p), q, false) : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* p) { return p ? copy(*p, nullptr, true) : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* p, CUstream q) { return p ? copy(*p, q, false) : CUDA_ERROR_INVALID_VALUE; }

CUresult cuMemsetD8(CUdeviceptr d, unsigned char v, size_t n) { return fill(d, n, v, 1, n, 1, nullptr, true); }
CUresult cuMemsetD16(CUdeviceptr d, unsigned short v, size_t n) { return fill(d, 2 * n, v, 2, n, 1, nullptr, true); }
CUresult cuMemsetD32(CUdeviceptr d, unsigned v, size_t n) { return fill(d, 4 * n, v, 4, n, 1, nullptr, true); }
CUresult cuMemsetD8Async(CUdeviceptr d, unsigned char v, size_t n, CUstream q) { return fill(d, n, v, 1, n, 1, q, false); }
CUresult cuMemsetD16Async(CUdeviceptr d, unsigned short v, size_t n, CUstream q) { return fill(d, 2 * n, v, 2, n, 1, q, false); }
CUresult cuMemsetD32Async(CUdeviceptr d, unsigned v, size_t n, CUstream q) { return fill(d, 4 * n, v, 4, n, 1, q, false); }
CUresult cuMemsetD2D8(CUdeviceptr d, size_t p, unsigned char v, size_t w, size_t h) { return fill(d, p, v, 1, w, h, nullptr, true); }
CUresult cuMemsetD2D16(CUdeviceptr d, size_t p, unsigned short v, size_t w, size_t h) { return fill(d, p, v, 2, w, h, nullptr, true); }
CUresult cuMemsetD2D32(CUdeviceptr d, size_t p, unsigned v, size_t w, size_t h) { return fill(d, p, v, 4, w, h, nullptr, true); }

}  // extern "C"
