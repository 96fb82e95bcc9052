// Scenarios in which everything is right.
#include <stdint.h>
#include <sys/mman.h>

#include "client.h"

// Numbers that neither end sums up by chance.
static int number(int i) { return (int)((unsigned)i * 2654435761u % 1000) - 300; }

static void reductions(void) {
  enum { kBlocks = 37, kCount = kBlocks * kThreads - 5 };
  static int in[kCount], out[kBlocks];
  for (int i = 0; i < kCount; i++) in[i] = number(i);
  CUdeviceptr from = device_memory(sizeof in), to = device_memory(sizeof out);
  MUST(cuMemcpyHtoD(from, in, sizeof in));
  int n = kCount;
  void* args[] = {&from, &to, &n};
  MUST(run(function("sum_blocks"), kBlocks, kThreads, 0, NULL, args));
  MUST(cuMemcpyDtoH(out, to, sizeof out));
  for (int b = 0; b < kBlocks; b++) {
    int want = 0;
    for (int i = b * kThreads; i < (b + 1) * kThreads && i < kCount; i++) want += in[i];
    CHECK(out[b] == want);
  }
  MUST(cuMemFree(from));
  MUST(cuMemFree(to));
}

static void warps(void) {
  enum { kCount = 12 * kThreads };
  static int in[kCount], scan[kCount];
  static unsigned odd[kCount / 32];
  for (int i = 0; i < kCount; i++) in[i] = number(i);
  CUdeviceptr from = device_memory(sizeof in), sums = device_memory(sizeof scan), votes = device_memory(sizeof odd), count = device_memory(4);
  MUST(cuMemcpyHtoD(from, in, sizeof in));
  MUST(cuMemsetD32(count, 0, 1));
  void* args[] = {&from, &sums, &votes, &count};
  MUST(run(function("warps"), 12, kThreads, 0, NULL, args));
  MUST(cuMemcpyDtoH(scan, sums, sizeof scan));
  MUST(cuMemcpyDtoH(odd, votes, sizeof odd));
  unsigned counted, want = 0;
  MUST(cuMemcpyDtoH(&counted, count, 4));
  for (int w = 0; w < kCount / 32; w++) {
    int sum = 0, any = 0;
    unsigned bits = 0;
    for (int lane = 0; lane < 32; lane++) {
      sum += in[w * 32 + lane];
      bits |= (unsigned)(in[w * 32 + lane] & 1) << lane;
      any |= sum > 0;
      CHECK(scan[w * 32 + lane] == sum);
    }
    CHECK(odd[w] == bits);
    want += any ? 32 : 0;
  }
  CHECK(counted == want);
}

static void transpose(void) {
  float m[24][24];
  for (int i = 0; i < 24 * 24; i++) m[i / 24][i % 24] = (float)number(i);
  CUdeviceptr p = device_memory(sizeof m);
  MUST(cuMemcpyHtoD(p, m, sizeof m));
  void* args[] = {&p};
  MUST(cuLaunchKernel(function("transpose"), 1, 1, 1, 24, 24, 1, sizeof m, NULL, args, NULL));
  MUST(cuMemcpyDtoH(m, p, sizeof m));
  for (int i = 0; i < 24 * 24; i++) CHECK(m[i % 24][i / 24] == (float)number(i));
}

typedef struct {
  unsigned long long number;
  int value, half;
} Answer;

static CUgraph tick(CUdeviceptr sum, CUdeviceptr answer) {
  static int by = 3;
  CUgraph g;
  CUgraphNode first, second, last;
  void *args[] = {&sum, &by}, *tell[] = {&sum, &answer};
  CUDA_KERNEL_NODE_PARAMS p = {function("add"), 1, 1, 1, 32, 1, 1, 0, args, NULL};
  MUST(cuGraphCreate(&g, 0));
  MUST(cuGraphAddKernelNode(&first, g, NULL, 0, &p));
  by = 4;
  MUST(cuGraphAddKernelNode(&second, g, &first, 1, &p));
  p.func = function("answer");
  p.kernelParams = tell;
  MUST(cuGraphAddKernelNode(&last, g, &second, 1, &p));
  by = 1000;  // the nodes have copies
  return g;
}

// A tick as the worker does it: a graph whose last kernel answers in memory
// that both sides share, polled by the client.
static void graph(void) {
  Answer* page = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CUdeviceptr sum = device_memory(4), answer;
  CUgraphExec exec;
  CUstream s;
  CUevent before, after;
  float ms;
  MUST(cuMemHostRegister(page, 1 << 16, CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_PORTABLE));
  CHECK(cuMemHostRegister((char*)page + 4096, 4096, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  MUST(cuMemHostGetDevicePointer(&answer, page, 0));
  MUST(cuMemsetD32(sum, 0, 1));
  MUST(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, -5));
  CUgraph g = tick(sum, answer);
  MUST(cuGraphInstantiateWithFlags(&exec, g, 0));
  MUST(cuGraphDestroy(g));
  MUST(cuEventCreate(&before, 0));
  MUST(cuEventCreate(&after, 0));
  CHECK(cuEventElapsedTime(&ms, before, after) == CUDA_ERROR_INVALID_HANDLE);
  for (int i = 1; i <= 20; i++) {
    MUST(cuEventRecord(before, s));
    MUST(cuGraphLaunch(exec, s));
    MUST(cuEventRecord(after, s));
    while (__atomic_load_n(&page->number, __ATOMIC_ACQUIRE) != (unsigned long long)i) {
    }
    CHECK(page->value == 7 * i && page->half == 7 * i / 2);
    MUST(cuEventSynchronize(after));
    MUST(cuEventQuery(after));
    MUST(cuEventElapsedTime(&ms, before, after));
    CHECK(ms >= 0 && ms < 60000);
  }
  MUST(cuGraphExecDestroy(exec));
  MUST(cuMemHostUnregister(page));
  CHECK(cuMemHostUnregister(page) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  MUST(cuStreamDestroy(s));
}

static void bump(void* data) { ++*(int*)data; }

// Streams that wait for each other, and nodes that are not kernels.
static void streams(void) {
  CUstream a, b;
  CUevent e;
  int calls = 0, value = 5, back[8];
  CUdeviceptr sum = device_memory(32);
  MUST(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreateWithPriority(&b, CU_STREAM_NON_BLOCKING, -1));
  MUST(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
  MUST(cuMemsetD32Async(sum, 1, 8, a));
  MUST(cuLaunchHostFunc(a, bump, &calls));
  void* args[] = {&sum, &value};
  MUST(run(function("add"), 1, 32, 0, a, args));
  MUST(cuEventRecord(e, a));
  MUST(cuStreamWaitEvent(b, e, 0));
  MUST(cuMemcpyDtoHAsync(back, sum, sizeof back, b));
  MUST(cuStreamSynchronize(b));
  CHECK(calls == 1 && back[0] == 6 && back[7] == 1);
  CUgraph g;
  CUgraphExec x;
  CUgraphNode nodes[3];
  CUDA_MEMSET_NODE_PARAMS fill = {sum, 0, 9, 4, 4, 1};
  CUDA_HOST_NODE_PARAMS host = {bump, &calls};
  CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = sum, .dstMemoryType = CU_MEMORYTYPE_HOST,
                        .dstHost = back, .WidthInBytes = sizeof back, .Height = 1, .Depth = 1};
  MUST(cuGraphCreate(&g, 0));
  MUST(cuGraphAddMemcpyNode(&nodes[2], g, NULL, 0, &copy, NULL));
  MUST(cuGraphAddMemsetNode(&nodes[0], g, NULL, 0, &fill, NULL));
  MUST(cuGraphAddHostNode(&nodes[1], g, &nodes[0], 1, &host));
  MUST(cuGraphAddDependencies(g, &nodes[1], &nodes[2], 1));
  MUST(cuGraphInstantiate(&x, g, NULL, NULL, 0));
  MUST(cuGraphLaunch(x, a));
  MUST(cuStreamSynchronize(a));
  CHECK(calls == 2 && back[0] == 9 && back[3] == 9 && back[4] == 1);
  MUST(cuGraphAddDependencies(g, &nodes[2], &nodes[0], 1));
  CHECK(cuGraphInstantiate(&x, g, NULL, NULL, 0) == CUDA_ERROR_INVALID_VALUE);  // a circle
}

// CUDA 12.3's edges, which older headers lack; who uses them looks them up.
struct Edge {
  unsigned char from_port, to_port, type, reserved[5];
};
extern CUresult cuGraphAddDependencies_v2(CUgraph, const CUgraphNode*, const CUgraphNode*, const struct Edge*, size_t);

// Kernels that may overlap run one after the other here; edges that no driver knows are
// refused.
static void overlaps(void) {
  CUstream a;
  CUgraph g;
  CUgraphExec x;
  CUgraphNode nodes[3];
  int value = 5, more = 7, back[8];
  CUdeviceptr sum = device_memory(32);
  void *first[] = {&sum, &value}, *second[] = {&sum, &more};
  CUDA_KERNEL_NODE_PARAMS p = {.func = function("add"), .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1,
                               .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1, .kernelParams = first};
  CUDA_MEMSET_NODE_PARAMS fill = {sum, 0, 9, 4, 8, 1};
  const struct Edge full = {0}, programmatic = {1, 0, 1, {0}}, no_port = {0, 0, 1, {0}}, no_type = {1, 0, 0, {0}}, unknown = {1, 0, 2, {0}};
  MUST(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
  MUST(cuGraphCreate(&g, 0));
  MUST(cuGraphAddKernelNode(&nodes[2], g, NULL, 0, &p));
  p.kernelParams = second;
  MUST(cuGraphAddKernelNode(&nodes[1], g, NULL, 0, &p));
  MUST(cuGraphAddMemsetNode(&nodes[0], g, NULL, 0, &fill, NULL));
  MUST(cuGraphAddDependencies_v2(g, &nodes[0], &nodes[1], &full, 1));
  MUST(cuGraphAddDependencies_v2(g, &nodes[1], &nodes[2], &programmatic, 1));
  CHECK(cuGraphAddDependencies_v2(g, &nodes[0], &nodes[2], &programmatic, 1) == CUDA_ERROR_INVALID_VALUE);  // no kernel
  CHECK(cuGraphAddDependencies_v2(g, &nodes[1], &nodes[2], &no_port, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuGraphAddDependencies_v2(g, &nodes[1], &nodes[2], &no_type, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuGraphAddDependencies_v2(g, &nodes[1], &nodes[2], &unknown, 1) == CUDA_ERROR_INVALID_VALUE);
  MUST(cuGraphInstantiateWithFlags(&x, g, 0));
  MUST(cuGraphLaunch(x, a));
  MUST(cuStreamSynchronize(a));
  MUST(cuMemcpyDtoH(back, sum, sizeof back));
  CHECK(back[0] == 21 && back[7] == 9);
}

extern uint64_t softcuda_live_allocations(void);

// What must be refused, and what is counted.
static void refusals(void) {
  CUfunction f;
  CUmodule m;
  CUcontext c;
  CUdeviceptr p = device_memory(100), null = 0;
  unsigned char image[16] = "no fat binary", poison[100];
  void* args[] = {&p};
  CHECK(cuModuleLoadData(&m, image) == CUDA_ERROR_INVALID_IMAGE);
  CHECK(run(function("transpose"), 1, 1025, 0, NULL, args) == CUDA_ERROR_INVALID_VALUE);
  CHECK(run(function("sum_blocks"), 1, 257, 0, NULL, args) == CUDA_ERROR_INVALID_VALUE);  // its launch bound
  CHECK(run(function("transpose"), 1, 32, 50000, NULL, args) == CUDA_ERROR_INVALID_VALUE);
  f = function("transpose");
  MUST(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100 << 10));
  CHECK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(p + 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyHtoD(p, poison, 101) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuStreamSynchronize((CUstream)&p) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuMemAlloc(&null, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAlloc(&null, (size_t)1 << 40) == CUDA_ERROR_OUT_OF_MEMORY);
  MUST(cuMemcpyDtoH(poison, p, 100));
  float value;
  memcpy(&value, poison, 4);
  CHECK(value != value);  // fresh memory is not a number
  CHECK(softcuda_live_allocations() == 1);
  MUST(cuMemFree(p));
  CHECK(softcuda_live_allocations() == 0);
  MUST(cuDevicePrimaryCtxRetain(&c, 0));
  MUST(cuCtxPushCurrent(c));
  MUST(cuCtxPopCurrent(NULL));
  MUST(cuDevicePrimaryCtxRelease(0));
  CHECK(cuCtxPushCurrent(c) == CUDA_ERROR_INVALID_CONTEXT);
}

const Scenario kGood[] = {{"reductions", reductions}, {"warps", warps},       {"transpose", transpose}, {"graph", graph},
                          {"streams", streams},       {"overlaps", overlaps}, {"refusals", refusals},   {NULL, NULL}};
