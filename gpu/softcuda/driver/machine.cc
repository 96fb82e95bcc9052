// The machine that runs one block at a time on one processor thread.
//
// Its fibers are CUDA threads. A fiber runs until it must wait, then goes
// directly to the next one that can run: the lanes of a warp in turn, the warps
// of the block in turn. Nothing else schedules, so a block runs the same way
// every time. If nobody can run and not everybody has ended, barriers diverged.
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <atomic>

#include "fiber.h"
#include "fibers.h"

namespace softcuda {

__thread Thread* current;

namespace {

__thread Machine* machine;  // of this processor thread

const char* const kMeetings[] = {"nothing", "__syncwarp", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "a vote", "a reduction"};

// next returns the member of a set that comes after a lane, round the warp.
inline unsigned next(uint32_t set, unsigned lane, bool reverse) {
  if (reverse) {
    uint32_t below = set & ((1u << lane) - 1);
    return 31 - __builtin_clz(below ? below : set);
  }
  uint32_t above = set & (~1u << lane);
  return __builtin_ctz(above ? above : set);
}

// Runs another fiber until somebody comes back to the calling one.
inline void go(Thread* from, Thread* to) {
  if (from == to) return;
  current = to;
  leave(from, to);
  softcuda_switch(&from->sp, to->sp);
  arrive(from);
}

Thread* thread(Warp* w, unsigned lane) {
  return &machine->threads[(w - machine->warps) * kWarp + lane];
}

// Goes to the next warp that can run. The calling fiber waits or has ended.
void otherWarp(Thread* t) {
  Block& b = machine->block;
  unsigned at = t->warp - machine->warps;
  for (unsigned i = 0; i < b.warps; i++) {
    if (machine->reverse) {
      at = at == 0 ? b.warps - 1 : at - 1;
    } else if (++at == b.warps) {
      at = 0;
    }
    Warp* w = &machine->warps[at];
    if (uint32_t set = w->runnable()) {
      unsigned lane = machine->reverse ? 31 - __builtin_clz(set) : __builtin_ctz(set);
      go(t, thread(w, lane));
      return;
    }
  }
  stuck(machine);
}

// The calling fiber cannot go on: somebody else does.
inline void wait(Thread* t) {
  Warp* w = t->warp;
  if (uint32_t set = w->runnable()) {
    go(t, thread(w, next(set, t->lane, machine->reverse)));
  } else if (w->waiting) {
    stuck(machine);  // lanes wait for others that are elsewhere for good
  } else {
    otherWarp(t);
  }
}

// Ends the calling thread's part in the block. Returns for the next block.
void end(Thread* t) {
  Warp* w = t->warp;
  w->ended |= 1u << t->lane;
  if (w->ended == w->exists && ++machine->block.warpsEnded == machine->block.warps) {
    go(t, &machine->host);
    return;
  }
  wait(t);
}

}  // namespace

// What every fiber does: its thread's part of one block after the other.
void live() {
  arrive(current);
  for (;;) {
    Thread* t = current;
    machine->launch->kernel->call(machine->launch->arguments);
    if (!canaryAlive(t->stack)) {
      fail("the stack of %zu bytes overflowed: use fewer local variables", kStack);
    }
    end(t);
  }
}

void begin(Machine* m) {
  machine = m;
  Thread* first = &m->threads[m->reverse ? m->block.threads - 1 : 0];
  go(&m->host, first);
}

void fail(const char* format, ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  report(machine, current, text);
  go(current, &machine->host);  // for good: the block is abandoned
  abort();
}

void stuck(Machine* m) {
  unsigned barred = 0, waiting = 0, ended = 0;
  Meeting meeting = Meeting::kNone;
  for (unsigned i = 0; i < m->block.warps; i++) {
    const Warp& w = m->warps[i];
    barred += __builtin_popcount(w.barred);
    waiting += __builtin_popcount(w.waiting);
    ended += __builtin_popcount(w.ended);
    if (w.waiting) meeting = w.meeting;
  }
  fail("divergent barrier: of %u threads %u wait at __syncthreads, %u at %s, %u have ended",
       m->block.threads, barred, waiting, kMeetings[static_cast<int>(meeting)], ended);
}

void barrier() {
  Thread* t = current;
  Warp* w = t->warp;
  Block& b = machine->block;
  w->barred |= 1u << t->lane;
  if (w->barred == w->exists && ++b.warpsBarred == b.warps) {
    for (unsigned i = 0; i < b.warps; i++) machine->warps[i].barred = 0;
    b.warpsBarred = 0;
    b.barriers++;
    return;
  }
  wait(t);
}

namespace {

// Waits for the warp's other lanes and returns what each brought.
inline __attribute__((always_inline)) const uint64_t* gather(Meeting what, uint32_t mask, uint64_t value) {
  Thread* t = current;
  Warp* w = t->warp;
  if ((mask & w->exists) != w->exists) {
    fail("%s with mask %08x: only full masks are supported", kMeetings[static_cast<int>(what)], mask);
  }
  if (w->waiting == 0) {
    w->meeting = what;
  } else if (w->meeting != what) {
    fail("divergent warp: lane %u is at %s, others are at %s", t->lane, kMeetings[static_cast<int>(what)],
         kMeetings[static_cast<int>(w->meeting)]);
  }
  uint64_t* values = w->values[w->round & 1];
  values[t->lane] = value;
  w->waiting |= 1u << t->lane;
  if (w->waiting == w->exists) {
    w->waiting = 0;
    w->round++;
    if (what == Meeting::kSyncWarp) w->ordered++;
    return values;
  }
  wait(t);
  return values;
}

}  // namespace

const uint64_t* meet(Meeting what, uint32_t mask, uint64_t value) { return gather(what, mask, value); }

uint64_t exchange(Meeting what, uint32_t mask, uint64_t value, int argument, int width) {
  unsigned lane = current->lane, exists = current->warp->exists;
  if (width <= 0 || width > 32 || (width & (width - 1)) != 0) {
    fail("shuffle of width %d: it must be a power of two up to 32", width);
  }
  const uint64_t* values = gather(what, mask, value);
  int first = lane & ~(width - 1), last = first + width - 1, from = lane;
  switch (what) {
    case Meeting::kShuffle: from = first + (argument & (width - 1)); break;
    case Meeting::kShuffleUp: from = int(lane) - argument; break;
    case Meeting::kShuffleDown: from = int(lane) + argument; break;
    default: from = int(lane) ^ argument; break;
  }
  bool outside = from > last || (what == Meeting::kShuffleUp && from < first) || from < 0;
  if (outside) return value;
  if (!(exists >> from & 1)) return uint64_t{kPoison} << 32 | kPoison;
  return values[from];
}

uint32_t ballot(uint32_t mask, bool vote) {
  uint32_t exists = current->warp->exists;
  const uint64_t* values = gather(Meeting::kVote, mask, vote);
  uint32_t set = 0;
  for (unsigned i = 0; i < kWarp; i++) {
    if (exists >> i & 1 && values[i]) set |= 1u << i;
  }
  return set;
}

namespace {
std::atomic<size_t> staticsUsed{0};
}

size_t reserveStatic(size_t bytes, size_t alignment) {
  size_t at, end, old = staticsUsed.load();
  do {
    at = (old + alignment - 1) & ~(alignment - 1);
    end = at + bytes;
    if (end > kMaxStatic) fail("more than %zu bytes of static shared memory", kMaxStatic);
  } while (!staticsUsed.compare_exchange_weak(old, end));
  return at;
}

size_t staticBytes() { return staticsUsed.load(); }

uint64_t nanos() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

}  // namespace softcuda
