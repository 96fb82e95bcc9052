// The tracker. The kernels are compiled with the calls that GCC makes for a
// kernel's address sanitizer (-fsanitize=kernel-address) before every load and
// store; this file answers them. It finds
//
//   - reads of shared memory that nobody wrote in this block,
//   - accesses beyond shared memory and to memory that the device has not got,
//   - races in shared memory: two threads at one byte, one of them writing, with
//     no __syncthreads (or, within a warp, no __syncwarp) in between. Shuffles
//     and votes do not order memory. SOFTCUDA_RACES=0 switches this off.
#include "track.h"

#ifdef SOFTCUDA_TRACK

#include <algorithm>
#include <stdlib.h>
#include <string.h>

#include <memory>

namespace softcuda {

namespace {

// What happened to one byte of shared memory. Entries of another block, or of
// an earlier barrier, are void.
struct Cell {
  uint32_t block;                  // number of the block it speaks about
  uint32_t writeBarrier, writeOrdered;
  uint32_t readBarrier, readOrdered;
  uint32_t lanes;                  // of the reading warp, that read since its last __syncwarp
  uint16_t writer;                 // thread, plus 1
  uint16_t reader;                 // warp, plus 1
  bool written, atomic, far;       // far: more than one warp read it
};

struct Tracker {
  std::unique_ptr<Cell[]> shared{new Cell[kMaxShared]()}, statics{new Cell[kMaxStatic]()};
  std::vector<std::pair<uintptr_t, uintptr_t>> known;
  size_t last = 0;  // the known memory that was used last
  uint32_t block = 0;
  bool races = true;
};

__thread Tracker* tracker;
__thread Machine* tracked;

enum class Access { kRead, kWrite, kAtomic };
const char* const kVerbs[] = {"reads", "writes", "changes"};

const char* verb(Access a) { return kVerbs[static_cast<int>(a)]; }

bool sinceWrite(const Cell& c, const Thread* t) {
  if (!c.written || c.writer == t->number + 1 || c.writeBarrier != t->block->barriers) return false;
  bool same = unsigned(c.writer - 1) / kWarp == t->number / kWarp;
  return !same || c.writeOrdered == t->warp->ordered;
}

bool sinceReads(const Cell& c, const Thread* t) {
  if (!c.reader || c.readBarrier != t->block->barriers) return false;
  if (c.far || unsigned(c.reader - 1) != t->number / kWarp) return true;
  return c.readOrdered == t->warp->ordered && (c.lanes & ~(1u << t->lane)) != 0;
}

void noteRead(Cell& c, const Thread* t) {
  uint16_t warp = uint16_t(t->number / kWarp + 1);
  if (!c.reader || c.readBarrier != t->block->barriers) {
    c.reader = warp, c.readBarrier = t->block->barriers, c.far = false;
    c.lanes = 0;
  } else if (c.reader != warp) {
    c.far = true;
    return;
  }
  if (c.readOrdered != t->warp->ordered) c.lanes = 0;
  c.readOrdered = t->warp->ordered;
  c.lanes |= 1u << t->lane;
}

void noteWrite(Cell& c, const Thread* t, bool atomic) {
  c.written = true;
  c.atomic = atomic;
  c.writer = uint16_t(t->number + 1);
  c.writeBarrier = t->block->barriers;
  c.writeOrdered = t->warp->ordered;
}

// One access to shared memory.
void inShared(Cell* cells, size_t at, size_t bytes, Access a, const Thread* t, const char* which) {
  for (size_t i = at; i < at + bytes; i++) {
    Cell& c = cells[i];
    if (c.block != tracker->block) {
      c = Cell();
      c.block = tracker->block;
    }
    if (a != Access::kWrite && !c.written) fail("reads byte %zu of %s shared memory, which nobody wrote", i, which);
    if (tracker->races) {
      bool withWrite = sinceWrite(c, t) && !(a == Access::kAtomic && c.atomic);
      if (withWrite) fail("race: %s byte %zu of %s shared memory, which thread %u wrote without a barrier in between", verb(a), i, which, c.writer - 1);
      if (a != Access::kRead && sinceReads(c, t)) fail("race: %s byte %zu of %s shared memory, which others read without a barrier in between", verb(a), i, which);
    }
    if (a == Access::kRead) noteRead(c, t);
    else noteWrite(c, t, a == Access::kAtomic);
  }
}

bool within(uintptr_t at, const void* begin, size_t bytes) { return at - reinterpret_cast<uintptr_t>(begin) < bytes; }

// One access to anything else: the device's memory, or what belongs to the
// machine itself.
void elsewhere(uintptr_t at, size_t bytes, Access a) {
  Machine* m = tracked;
  if (within(at, m->stacks, kMaxThreads * kStack) || within(at, m, sizeof *m)) return;
  if (at + (64 << 10) - reinterpret_cast<uintptr_t>(&current) < (128 << 10)) return;  // thread-local
  auto holds = [&](size_t i) { return at >= tracker->known[i].first && at + bytes <= tracker->known[i].second; };
  auto& known = tracker->known;
  if (tracker->last < known.size() && holds(tracker->last)) return;
  size_t i = size_t(std::upper_bound(known.begin(), known.end(), std::make_pair(at, ~uintptr_t{0})) - known.begin());
  if (i == 0 || !holds(i - 1)) fail("%s %zu bytes at %#zx, where the device has no memory", verb(a), bytes, size_t(at));
  tracker->last = i - 1;
}

void see(uintptr_t at, size_t bytes, Access a) {
  Thread* t = current;
  if (!t || !tracked || t == &tracked->host) return;
  Block& b = *t->block;
  if (within(at, b.statics, kMaxStatic)) {
    inShared(tracker->statics.get(), at - reinterpret_cast<uintptr_t>(b.statics), bytes, a, t, "static");
  } else if (within(at, tracked->arena, kArena)) {
    size_t offset = at - reinterpret_cast<uintptr_t>(b.shared);
    if (offset > b.sharedBytes || bytes > b.sharedBytes - offset) {
      fail("%s %zu bytes at %zd of dynamic shared memory, which has %zu", verb(a), bytes, ptrdiff_t(offset), b.sharedBytes);
    }
    inShared(tracker->shared.get(), offset, bytes, a, t, "dynamic");
  } else {
    elsewhere(at, bytes, a);
  }
}

}  // namespace

void trackAtomic(const volatile void* at, size_t bytes) { see(reinterpret_cast<uintptr_t>(at), bytes, Access::kAtomic); }

void trackGrid(Machine* m) {
  if (!tracker) {
    tracker = new Tracker();
    const char* races = getenv("SOFTCUDA_RACES");
    tracker->races = !races || strcmp(races, "0") != 0;
  }
  tracked = m;
  tracker->known = knownMemory();
  tracker->last = 0;
}

void trackBlock(Machine*) { tracker->block++; }

}  // namespace softcuda

// What the compiler calls.
#define SOFTCUDA_SEES(bytes)                                                                                              \
  extern "C" void __asan_load##bytes##_noabort(uintptr_t at) { softcuda::see(at, bytes, softcuda::Access::kRead); }       \
  extern "C" void __asan_store##bytes##_noabort(uintptr_t at) { softcuda::see(at, bytes, softcuda::Access::kWrite); }
SOFTCUDA_SEES(1)
SOFTCUDA_SEES(2)
SOFTCUDA_SEES(4)
SOFTCUDA_SEES(8)
SOFTCUDA_SEES(16)
extern "C" void __asan_loadN_noabort(uintptr_t at, size_t bytes) { softcuda::see(at, bytes, softcuda::Access::kRead); }
extern "C" void __asan_storeN_noabort(uintptr_t at, size_t bytes) { softcuda::see(at, bytes, softcuda::Access::kWrite); }
extern "C" void __asan_handle_no_return() {}

#endif  // SOFTCUDA_TRACK
