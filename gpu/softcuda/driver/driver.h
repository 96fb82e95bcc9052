// Inside of the driver: contexts, streams and what waits in them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "../include/cuda.h"
#include "faults.h"
#include "machine.h"

// The handles of cuda.h. All are guarded by driver()->lock.

struct CUctx_st {
  CUresult error = CUDA_SUCCESS;  // sticky: every later call returns it
  unsigned flags = 0;
  CUstream null = nullptr;        // its default stream
  size_t stack = 1024;            // limits are remembered, not used
};

struct CUmod_st {
  CUcontext context;
  std::map<std::string, CUfunction> functions;
};

struct CUfunc_st {
  const softcuda::Kernel* kernel;
  CUmodule module;
  int maxDynamic = 48 << 10;  // bytes of dynamic shared memory
};

namespace softcuda {

// Something that a stream does in its turn.
struct Work {
  uint64_t number;                  // in the order of the calls
  std::function<CUresult()> run;
  std::function<bool()> ready;      // may it start? called with the lock; may be empty
};

struct Event {  // shared by its handle and by what waits for it
  uint64_t asked = 0, done = 0;  // records
  uint64_t nanos = 0;            // time of the last one that is done
};

// A piece of memory that kernels may use.
struct Memory {
  enum Kind { kDevice, kPinned, kRegistered, kManaged };
  size_t bytes;
  Kind kind;
  CUcontext context;
  void* raw;  // what malloc returned
  uint64_t number;
  // Allocated with a margin before and behind it that nobody may touch.
  bool guarded() const { return kind == kDevice || kind == kManaged; }
};

}  // namespace softcuda

struct CUstream_st {
  CUcontext context;
  unsigned flags;
  int priority;
  std::deque<softcuda::Work> queue;  // its first is under way or next
  bool busy = false;
};

struct CUevent_st {
  CUcontext context;
  unsigned flags;
  std::shared_ptr<softcuda::Event> state = std::make_shared<softcuda::Event>();
};

namespace softcuda {

// The whole driver. It lives until the process ends.
struct Driver {
  std::mutex lock;
  std::condition_variable work, progress;
  bool initialised = false, running = false;
  uint64_t calls = 0;     // works issued
  uint64_t launches = 0;  // of kernels and graphs, in the order in which they started
  uint64_t allocations = 0;
  std::set<CUcontext> contexts;
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUmodule> modules;
  std::set<CUgraph> graphs;
  std::set<CUgraphExec> execs;
  std::map<uintptr_t, Memory> memory;  // by address
  CUcontext primary = nullptr;
  int primaryUses = 0;
  unsigned primaryFlags = 0;
};
Driver* driver();

// The calling thread's contexts, the current one last.
std::vector<CUcontext>& stack();

// A call's beginning: takes the lock and looks whether the driver is there, a
// context is current and no error sticks to it.
struct Call {
  Driver& d;
  std::unique_lock<std::mutex> lock;
  CUcontext context = nullptr;
  CUresult result;
  enum Needs { kContext, kInit };
  explicit Call(Needs needs = kContext);
  // The stream of a handle: 0 is the context's own. Null: no such stream.
  CUstream stream(CUstream handle);
  // Puts work into a stream.
  void issue(CUstream s, std::function<CUresult()> run, std::function<bool()> ready = nullptr);
  // Waits until a stream has nothing left and returns what happened.
  CUresult drain(CUstream s);
};

// Starting something: its kernels count as one launch and obey the faults.
CUresult start(const std::function<CUresult()>& body);
CUresult launch(const CUfunc_st& f, Index grid, Index block, size_t shared, const std::vector<std::vector<char>>& arguments);
// Checks a launch and copies its arguments.
CUresult prepareLaunch(const CUDA_KERNEL_NODE_PARAMS& p, std::vector<std::vector<char>>* arguments);

// Memory, with the lock held.
const Memory* find(CUdeviceptr at, size_t bytes);
void checkMargins(const char* after, CUresult* result);
CUresult copyBox(const CUDA_MEMCPY3D& c);
void fillBox(CUdeviceptr at, size_t pitch, unsigned value, unsigned size, size_t width, size_t height);
int attribute(CUdevice_attribute what);
void destroyContext(CUcontext c);
CUcontext createContext(unsigned flags);

// What the kernels of this library are (generated, see build.go).
extern const Kernel kKernels[];
extern const size_t kKernelCount;

}  // namespace softcuda
