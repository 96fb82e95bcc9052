// Runs grids: blocks are handed out to a crew of processor threads, each with a
// machine of its own. Blocks are independent of each other, so the order does
// not show: only integer atomics connect them.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "fibers.h"
#include "track.h"

namespace softcuda {

namespace {

constexpr unsigned char kGuardByte = 0xc7;

void fill(char* at, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 4) memcpy(at + i, &kPoison, bytes - i < 4 ? bytes - i : 4);
}

bool guardAlive(const char* at) {
  for (size_t i = 0; i < kGuard; i++) {
    if (static_cast<unsigned char>(at[i]) != kGuardByte) return false;
  }
  return true;
}

// Memory from the kernel, zero until it is touched.
char* pages(size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    fprintf(stderr, "softcuda: no %zu bytes of memory for the fibers' stacks\n", bytes);
    abort();
  }
  return static_cast<char*>(p);
}

// The bounds of the processor thread's own stack.
void ownStack(Thread* host) {
  pthread_attr_t attr;
  void* low = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attr) == 0) {
    pthread_attr_getstack(&attr, &low, &bytes);
    pthread_attr_destroy(&attr);
  }
  host->stack = static_cast<char*>(low);
  host->stackBytes = bytes;
}

Machine* newMachine() {
  Machine* m = new Machine();
  m->stacks = pages(kMaxThreads * kStack);
  m->arena = pages(kArena);
  m->block.statics = pages(kMaxStatic);
  fill(m->block.statics, kMaxStatic);
  const char* order = getenv("SOFTCUDA_ORDER");
  m->reverse = order && strcmp(order, "reverse") == 0;
  ownStack(&m->host);
  for (unsigned i = 0; i < kMaxThreads; i++) {
    Thread& t = m->threads[i];
    t.number = i;
    t.lane = i % kWarp;
    t.warp = &m->warps[i / kWarp];
    t.block = &m->block;
    t.stack = m->stacks + i * kStack;
    t.stackBytes = kStack;
  }
  return m;
}

// Puts every fiber back to its start. Needed once, and after a failed block.
void restart(Machine* m) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(m->stacks, kMaxThreads * kStack);
#endif
  for (Thread& t : m->threads) {
    placeCanary(t.stack);
    t.sp = prepare(t.stack, kStack, live);
    t.fake = nullptr;
  }
  m->ready = true;
}

// Sets up everything that a grid's blocks have in common.
void setGrid(Machine* m, const Launch& l) {
  if (!m->ready) restart(m);
  m->launch = &l;
  Block& b = m->block;
  b.grid = l.grid;
  b.dim = l.block;
  b.threads = l.block.x * l.block.y * l.block.z;
  b.warps = (b.threads + kWarp - 1) / kWarp;
  b.kernel = l.kernel->name;
  b.shared = m->arena + kGuard;
  b.sharedBytes = l.shared;
  trackGrid(m);
  memset(m->arena, kGuardByte, kGuard);
  memset(b.shared + l.shared, kGuardByte, kGuard);
  for (unsigned i = 0; i < b.threads; i++) {
    m->threads[i].index = {i % b.dim.x, i / b.dim.x % b.dim.y, i / b.dim.x / b.dim.y};
  }
}

// Runs one block. Returns whether it ended as it should.
bool runBlock(Machine* m, uint64_t number) {
  Block& b = m->block;
  b.index = {unsigned(number % b.grid.x), unsigned(number / b.grid.x % b.grid.y), unsigned(number / b.grid.x / b.grid.y)};
  b.warpsBarred = b.warpsEnded = b.barriers = 0;
  for (unsigned i = 0; i < b.warps; i++) {
    Warp& w = m->warps[i];
    unsigned lanes = b.threads - i * kWarp;
    w.exists = lanes >= kWarp ? ~0u : (1u << lanes) - 1;
    w.waiting = w.barred = w.ended = w.round = w.ordered = 0;
  }
  fill(b.shared, b.sharedBytes);
  fill(b.statics, staticBytes());
  trackBlock(m);
  m->error.clear();
  begin(m);
  if (m->error.empty() && (!guardAlive(m->arena) || !guardAlive(b.shared + b.sharedBytes))) {
    report(m, nullptr, "wrote outside of its dynamic shared memory");
  }
  return m->error.empty();
}

// Who works at the present grid.
struct Crew {
  std::mutex turn;  // one grid at a time
  std::mutex lock;
  std::condition_variable more, done;
  const Launch* launch = nullptr;
  uint64_t blocks = 0;
  std::atomic<uint64_t> next{0};
  std::atomic<bool> failed{false};
  unsigned working = 0, hands = 0;
  uint64_t job = 0;
  std::string error;

  void work();
  void member();
  void hire(unsigned count);
};

// Takes blocks until there are none.
void Crew::work() {
  static thread_local Machine* m = nullptr;
  uint64_t n = next.fetch_add(1);
  if (n >= blocks) return;
  if (!m) m = newMachine();
  setGrid(m, *launch);
  for (; n < blocks && !failed; n = next.fetch_add(1)) {
    if (runBlock(m, n)) continue;
    m->ready = false;
    failed = true;
    std::lock_guard<std::mutex> hold(lock);
    if (error.empty()) error = m->error;
  }
}

void Crew::member() {
  std::unique_lock<std::mutex> hold(lock);
  for (uint64_t seen = 0;;) {
    more.wait(hold, [&] { return job != seen; });
    seen = job;
    hold.unlock();
    work();
    hold.lock();
    if (--working == 0) done.notify_all();
  }
}

// Starts threads that live as long as the process and take no signals.
void Crew::hire(unsigned count) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  for (; hands < count; hands++) std::thread([this] { member(); }).detach();
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

unsigned threadCount() {
  const char* text = getenv("SOFTCUDA_THREADS");
  int n = text ? atoi(text) : int(std::thread::hardware_concurrency());
  return n < 1 ? 1 : n > 64 ? 64 : n;
}

}  // namespace

void report(Machine* m, const Thread* t, const char* text) {
  char where[160];
  const Block& b = m->block;
  int n = snprintf(where, sizeof where, "kernel %s, block (%u,%u,%u)", b.kernel, b.index.x, b.index.y, b.index.z);
  if (t) snprintf(where + n, sizeof where - n, ", thread (%u,%u,%u)", t->index.x, t->index.y, t->index.z);
  m->error = std::string(where) + ": " + text;
}

std::string run(const Launch& launch) {
  static Crew* crew = new Crew();  // never ends
  static const unsigned count = threadCount();
  std::lock_guard<std::mutex> turn(crew->turn);
  std::unique_lock<std::mutex> hold(crew->lock);
  crew->launch = &launch;
  crew->blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
  crew->next = 0;
  crew->failed = false;
  crew->error.clear();
  if (count > 1 && crew->blocks > 1) {
    crew->hire(count - 1);
    crew->working = crew->hands;
    crew->job++;
    crew->more.notify_all();
  }
  hold.unlock();
  crew->work();
  hold.lock();
  crew->done.wait(hold, [&] { return crew->working == 0; });
  return crew->error;
}

}  // namespace softcuda
