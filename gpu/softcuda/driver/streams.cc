// Streams and events.
#include "driver.h"

using namespace softcuda;

extern "C" {

CUresult cuStreamCreateWithPriority(CUstream* out, unsigned flags, int priority) {
  Call call;
  if (call.result) return call.result;
  if (!out || flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
  *out = new CUstream_st{call.context, flags, priority, {}, false};
  call.d.streams.insert(*out);
  return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream* out, unsigned flags) { return cuStreamCreateWithPriority(out, flags, 0); }

#define SOFTCUDA_STREAM                 \
  Call call;                            \
  if (call.result) return call.result;  \
  CUstream s = call.stream(handle);     \
  if (!s) return CUDA_ERROR_INVALID_HANDLE

CUresult cuStreamDestroy(CUstream handle) {
  SOFTCUDA_STREAM;
  if (!handle) return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = call.drain(s);
  call.d.streams.erase(s);
  delete s;
  return r;
}
CUresult cuStreamSynchronize(CUstream handle) {
  SOFTCUDA_STREAM;
  return call.drain(s);
}
CUresult cuStreamQuery(CUstream handle) {
  SOFTCUDA_STREAM;
  return s->queue.empty() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
CUresult cuStreamGetPriority(CUstream handle, int* out) {
  SOFTCUDA_STREAM;
  *out = s->priority;
  return CUDA_SUCCESS;
}
CUresult cuStreamGetFlags(CUstream handle, unsigned* out) {
  SOFTCUDA_STREAM;
  *out = s->flags;
  return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream handle, CUcontext* out) {
  SOFTCUDA_STREAM;
  *out = s->context;
  return CUDA_SUCCESS;
}
CUresult cuLaunchHostFunc(CUstream handle, CUhostFn fn, void* data) {
  SOFTCUDA_STREAM;
  if (!fn) return CUDA_ERROR_INVALID_VALUE;
  call.issue(s, [=] {
    fn(data);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned) {
  SOFTCUDA_STREAM;
  if (!call.d.events.count(event)) return CUDA_ERROR_INVALID_HANDLE;
  auto state = event->state;
  uint64_t asked = state->asked;
  call.issue(s, [] { return CUDA_SUCCESS; }, [=] { return state->done >= asked; });
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* out, unsigned flags) {
  Call call;
  if (call.result) return call.result;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = new CUevent_st{call.context, flags};
  call.d.events.insert(*out);
  return CUDA_SUCCESS;
}

#define SOFTCUDA_EVENT                  \
  Call call;                            \
  if (call.result) return call.result;  \
  if (!call.d.events.count(event)) return CUDA_ERROR_INVALID_HANDLE

CUresult cuEventDestroy(CUevent event) {
  SOFTCUDA_EVENT;
  call.d.events.erase(event);
  delete event;
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream handle) {
  SOFTCUDA_EVENT;
  CUstream s = call.stream(handle);
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  auto state = event->state;
  uint64_t number = ++state->asked;
  call.issue(s, [=] {
    std::lock_guard<std::mutex> hold(driver()->lock);
    state->done = number;
    state->nanos = nanos();
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent event) {
  SOFTCUDA_EVENT;
  return event->state->done == event->state->asked ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
CUresult cuEventSynchronize(CUevent event) {
  SOFTCUDA_EVENT;
  auto state = event->state;
  uint64_t asked = state->asked;
  CUcontext c = call.context;
  call.d.progress.wait(call.lock, [&] { return state->done >= asked || c->error != CUDA_SUCCESS; });
  return c->error;
}
CUresult cuEventElapsedTime(float* out, CUevent start, CUevent event) {
  SOFTCUDA_EVENT;
  if (!call.d.events.count(start)) return CUDA_ERROR_INVALID_HANDLE;
  if ((start->flags | event->flags) & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
  Event &a = *start->state, &b = *event->state;
  if (!a.asked || !b.asked) return CUDA_ERROR_INVALID_HANDLE;
  if (a.done != a.asked || b.done != b.asked) return CUDA_ERROR_NOT_READY;
  *out = float(double(int64_t(b.nanos - a.nanos)) * 1e-6);
  return CUDA_SUCCESS;
}

}  // extern "C"
