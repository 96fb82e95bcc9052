// Inside of the machine: shared by machine.cc (what fibers do) and grid.cc (what
// happens between blocks).
#pragma once

#include <string>

#include "fiber.h"
#include "machine.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace softcuda {

// Shared memory has this many bytes before and after it that stay as they are.
constexpr size_t kGuard = 256;
constexpr size_t kArena = kGuard + kMaxShared + kGuard;

struct Machine {
  Block block;
  const Launch* launch;
  bool reverse;  // lanes and warps take turns from the last to the first
  bool ready;     // the fibers stand at their start or at the end of a block
  Thread host;   // who started the block
  Warp warps[kMaxThreads / kWarp];
  Thread threads[kMaxThreads];
  char* arena;  // guard, dynamic shared memory, guard
  char* stacks;
  std::string error;
};

void live();
void begin(Machine* m);  // runs the prepared block until it ends or fails
[[noreturn]] void stuck(Machine* m);
void report(Machine* m, const Thread* t, const char* text);

// The address sanitizer wants to know which stack is in use.
#if defined(__SANITIZE_ADDRESS__)
inline void leave(Thread* from, Thread* to) {
  __sanitizer_start_switch_fiber(&from->fake, to->stack, to->stackBytes);
}
inline void arrive(Thread* t) { __sanitizer_finish_switch_fiber(t->fake, nullptr, nullptr); }
#else
inline void leave(Thread*, Thread*) {}
inline void arrive(Thread*) {}
#endif

}  // namespace softcuda
