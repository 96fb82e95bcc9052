// What a CUDA thread, a warp and a block are while they run on a processor.
// Kernels see this through device.h; the driver calls run().
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <string>

namespace softcuda {

constexpr unsigned kWarp = 32;          // lanes of a warp
constexpr unsigned kMaxThreads = 1024;  // threads of a block
constexpr size_t kMaxShared = 227 << 10;  // bytes of dynamic shared memory, as on sm_90
constexpr size_t kMaxStatic = 256 << 10;  // bytes of static shared memory, all kernels together

// Memory that nobody wrote: not a number as float, as double and as half.
constexpr uint32_t kPoison = 0x7ff57ff5;

struct Index {
  unsigned x, y, z;
};

// What the lanes of a warp can meet at. All must be at the same kind.
enum class Meeting : uint8_t { kNone, kSyncWarp, kShuffle, kShuffleUp, kShuffleDown, kShuffleXor, kVote, kReduce };

struct Warp {
  uint32_t exists;   // lanes that this warp has
  uint32_t waiting;  // lanes that have come to the present meeting
  uint32_t barred;   // lanes that wait at __syncthreads
  uint32_t ended;    // lanes that returned from the kernel
  Meeting meeting;
  uint32_t round;    // meetings that are over; its lowest bit says which values are next
  uint32_t ordered;  // of these, the ones that order memory (for the tracker)
  uint64_t values[2][kWarp];

  uint32_t runnable() const { return exists & ~(waiting | barred | ended); }
};

struct Block {
  Index index, dim, grid;  // blockIdx, blockDim, gridDim
  unsigned threads, warps;
  unsigned warpsBarred, warpsEnded;
  uint32_t barriers;  // __syncthreads that are over
  char* shared;       // dynamic shared memory
  size_t sharedBytes;
  char* statics;      // static shared memory
  const char* kernel;
};

// A CUDA thread: a fiber with a stack of its own.
struct Thread {
  Index index;  // threadIdx
  unsigned lane, number;
  Warp* warp;
  Block* block;
  void* sp;       // while it does not run
  char* stack;    // lowest address
  size_t stackBytes;
  void* fake;     // the address sanitizer's
};

// The CUDA thread that runs on this processor thread. A fiber never changes
// its processor thread.
extern __thread Thread* current;

// A kernel: its name and how it is called with the driver's parameter list.
struct Kernel {
  const char* name;
  void (*call)(void* const* arguments);
  const size_t* sizes;  // of the parameters in bytes
  unsigned parameters;
  unsigned bound;       // most threads of a block (__launch_bounds__)
};

struct Launch {
  const Kernel* kernel;
  Index grid, block;
  size_t shared;  // bytes of dynamic shared memory
  void* const* arguments;
};

// Runs a grid to its end. Returns what went wrong, or nothing.
std::string run(const Launch& launch);

// Called by kernels.
void barrier();                                             // __syncthreads
const uint64_t* meet(Meeting what, uint32_t mask, uint64_t value);  // every lane's value
uint64_t exchange(Meeting what, uint32_t mask, uint64_t value, int argument, int width);
uint32_t ballot(uint32_t mask, bool vote);
size_t reserveStatic(size_t bytes, size_t alignment);  // its place among the statics
size_t staticBytes();                                  // reserved by now
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));
uint64_t nanos();  // monotonic

// A wrong answer on order (see faults.h).
void spoil();

// Told by atomic operations, which the tracker must not take for plain ones.
#ifdef SOFTCUDA_TRACK
void trackAtomic(const volatile void* at, size_t bytes);
#else
inline void trackAtomic(const volatile void*, size_t) {}
#endif

}  // namespace softcuda
