// The executor: one thread that does what waits in the streams, one work after
// the other: the stream of the highest priority first, within a priority the
// oldest. The context's default stream waits for the others and they for it,
// unless they were made non-blocking.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <thread>

#include "driver.h"

namespace softcuda {

Driver* driver() {
  static Driver* d = new Driver();
  return d;
}

std::vector<CUcontext>& stack() {
  static thread_local std::vector<CUcontext>* s = new std::vector<CUcontext>();
  return *s;
}

namespace {

// May this stream's first work start?
bool eligible(Driver& d, CUstream s) {
  if (s->queue.empty()) return false;
  const Work& first = s->queue.front();
  if (s->context->error == CUDA_SUCCESS && first.ready && !first.ready()) return false;
  bool null = s == s->context->null;
  if (!null && s->flags & CU_STREAM_NON_BLOCKING) return true;
  for (CUstream other : d.streams) {
    if (other == s || other->context != s->context || other->queue.empty()) continue;
    bool linked = null ? !(other->flags & CU_STREAM_NON_BLOCKING) : other == s->context->null;
    if (linked && other->queue.front().number < first.number) return false;
  }
  return true;
}

CUstream choose(Driver& d) {
  CUstream best = nullptr;
  for (CUstream s : d.streams) {
    if (!eligible(d, s)) continue;
    if (!best || s->priority < best->priority ||
        (s->priority == best->priority && s->queue.front().number < best->queue.front().number)) {
      best = s;
    }
  }
  return best;
}

void execute() {
  Driver& d = *driver();
  std::unique_lock<std::mutex> hold(d.lock);
  for (;;) {
    CUstream s = choose(d);
    if (!s) {
      d.work.wait(hold);
      continue;
    }
    CUcontext c = s->context;
    if (c->error == CUDA_SUCCESS) {  // a broken context does nothing any more
      s->busy = true;
      auto run = s->queue.front().run;
      hold.unlock();
      CUresult r = run();
      hold.lock();
      s->busy = false;
      if (r != CUDA_SUCCESS && c->error == CUDA_SUCCESS) c->error = r;
    }
    s->queue.pop_front();
    d.progress.notify_all();
  }
}

// Starts the executor, which takes no signals.
void hire(Driver& d) {
  if (d.running) return;
  d.running = true;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  std::thread(execute).detach();
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

// The word of the answer that SOFTCUDA_WRONG_RESULT means: in the first
// registered memory, or in the first pinned one when there is none.
uint32_t* answerWord() {
  Driver& d = *driver();
  std::lock_guard<std::mutex> hold(d.lock);
  const Memory* best = nullptr;
  uintptr_t at = 0;
  for (auto& [address, m] : d.memory) {
    if (m.kind != Memory::kRegistered && m.kind != Memory::kPinned) continue;
    bool better = !best || (m.kind == Memory::kRegistered && best->kind == Memory::kPinned) ||
                  (m.kind == best->kind && m.number < best->number);
    if (better) best = &m, at = address;
  }
  if (!best || faults().wrongOffset + 4 > best->bytes) {
    fprintf(stderr, "softcuda: SOFTCUDA_WRONG_RESULT: no shared memory has offset %llu\n", (unsigned long long)faults().wrongOffset);
    return nullptr;
  }
  return reinterpret_cast<uint32_t*>(at + faults().wrongOffset);
}

}  // namespace

Call::Call(Needs needs) : d(*driver()), lock(d.lock), result(CUDA_SUCCESS) {
  if (!d.initialised) {
    result = CUDA_ERROR_NOT_INITIALIZED;
    return;
  }
  std::vector<CUcontext>& s = stack();
  if (!s.empty() && d.contexts.count(s.back())) context = s.back();
  if (needs == kInit) return;
  if (!context) {
    result = s.empty() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_CONTEXT_IS_DESTROYED;
  } else {
    result = context->error;
  }
}

CUstream Call::stream(CUstream handle) {
  if (!handle) return context->null;
  return d.streams.count(handle) && handle->context == context ? handle : nullptr;
}

void Call::issue(CUstream s, std::function<CUresult()> run, std::function<bool()> ready) {
  hire(d);
  s->queue.push_back({++d.calls, std::move(run), std::move(ready)});
  d.work.notify_all();
}

CUresult Call::drain(CUstream s) {
  uint64_t last = d.calls;
  CUcontext c = s->context;
  d.progress.wait(lock, [&] { return !d.streams.count(s) || s->queue.empty() || s->queue.front().number > last; });
  return c->error;
}

CUresult start(const std::function<CUresult()>& body) {
  const Faults& f = faults();
  uint64_t n;
  {
    std::lock_guard<std::mutex> hold(driver()->lock);
    n = ++driver()->launches;
  }
  if (n == f.hangAt) {
    fprintf(stderr, "softcuda: launch %llu hangs, as SOFTCUDA_HANG_LAUNCH wants\n", (unsigned long long)n);
    for (;;) pause();
  }
  if (f.slowMs && (n == f.slowAt || f.slowAt == ~uint64_t{0})) {
    timespec t = {time_t(f.slowMs / 1000), long(f.slowMs % 1000 * 1000000)};
    nanosleep(&t, nullptr);
  }
  if (n == f.failAt) {
    fprintf(stderr, "softcuda: launch %llu fails with %llu, as SOFTCUDA_FAIL_LAUNCH wants\n", (unsigned long long)n,
            (unsigned long long)f.failCode);
    return CUresult(f.failCode);
  }
  bool wrong = f.wrongAt && (n == f.wrongAt || (f.wrongOn && n > f.wrongAt));
  if (wrong) setWrongWord(answerWord());
  CUresult r = body();
  if (wrong) {
    spoil();
    setWrongWord(nullptr);
  }
  return r;
}

CUresult launch(const CUfunc_st& f, Index grid, Index block, size_t shared, const std::vector<std::vector<char>>& arguments) {
  std::vector<void*> pointers;
  for (auto& a : arguments) pointers.push_back(const_cast<char*>(a.data()));
  std::string error = run({f.kernel, grid, block, shared, pointers.data()});
  CUresult r = CUDA_SUCCESS;
  if (!error.empty()) {
    fprintf(stderr, "softcuda: %s\n", error.c_str());
    r = CUDA_ERROR_LAUNCH_FAILED;
  }
  std::lock_guard<std::mutex> hold(driver()->lock);
  checkMargins(f.kernel->name, &r);
  return r;
}

}  // namespace softcuda
