// Scenarios in which something goes wrong, and what the client sees of it.
#include <stdint.h>
#include <unistd.h>

#include "client.h"

// Runs one kernel on 64 threads and 256 bytes of shared memory.
static void wrong(const char* name) {
  CUdeviceptr out = device_memory(64 * 4);
  void* args[] = {&out};
  MUST(run(function(name), 1, 64, 256, NULL, args));
  printf("%s: %s\n", name, name_of(cuCtxSynchronize()));
}
static void divergent(void) { wrong("divergent"); }
static void mixed(void) { wrong("mixed"); }
static void unwritten(void) { wrong("unwritten"); }
static void beyond(void) { wrong("beyond"); }
static void race(void) { wrong("race"); }
static void nowhere(void) { wrong("nowhere"); }

// Four launches, each waited for, then calls of other kinds: a broken context
// answers all of them alike.
static void launches(void) {
  int by = 1, sum = -1;
  CUdeviceptr p = device_memory(4);
  CUstream s;
  MUST(cuStreamCreate(&s, 0));
  MUST(cuMemsetD32(p, 0, 1));
  void* args[] = {&p, &by};
  for (int i = 1; i <= 4; i++) {
    CUresult r = run(function("add"), 1, 32, 0, s, args);
    CUresult w = cuStreamSynchronize(s);
    printf("launch %d: %s, %s\n", i, name_of(r), name_of(w));
    if (w != CUDA_SUCCESS) break;
  }
  CUresult r = cuMemcpyDtoH(&sum, p, 4);
  printf("copy: %s, sum %d\n", name_of(r), sum);
  printf("allocate: %s\n", name_of(cuMemAlloc(&p, 4)));
  printf("query: %s\n", name_of(cuStreamQuery(s)));
}

extern uint64_t softcuda_launches(void);

static void hang(void) {
  int by = 1;
  CUdeviceptr p = device_memory(4);
  CUevent e;
  void* args[] = {&p, &by};
  MUST(cuEventCreate(&e, 0));
  MUST(run(function("add"), 1, 32, 0, NULL, args));
  MUST(cuEventRecord(e, NULL));
  while (softcuda_launches() == 0) usleep(1000);
  usleep(20000);
  CUresult r = cuEventQuery(e);
  printf("event: %s, stream: %s\n", name_of(r), name_of(cuStreamQuery(NULL)));
  exit(0);  // nothing else ends it
}

static void allocations(void) {
  CUdeviceptr p;
  for (int i = 1; i <= 3; i++) printf("allocation %d: %s\n", i, name_of(cuMemAlloc(&p, 4096)));
}

typedef struct {
  unsigned long long number;
  int value, half;
} Answer;

static void answers(void) {
  Answer* page;
  int by = 10;
  CUdeviceptr sum = device_memory(4), answer;
  MUST(cuMemHostAlloc((void**)&page, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
  MUST(cuMemHostGetDevicePointer(&answer, page, 0));
  MUST(cuMemsetD32(sum, 0, 1));
  memset(page, 0, sizeof *page);
  void *args[] = {&sum, &by}, *tell[] = {&sum, &answer};
  for (unsigned i = 1; i <= 3; i++) {
    MUST(run(function("add"), 1, 32, 0, NULL, args));
    MUST(run(function("answer"), 1, 32, 0, NULL, tell));
    while (__atomic_load_n(&page->number, __ATOMIC_ACQUIRE) != i) {
    }
    printf("answer %u: %d %d\n", i, page->value, page->half);
  }
}

static void registration(void) {
  static char page[8192] __attribute__((aligned(4096)));
  printf("register: %s\n", name_of(cuMemHostRegister(page, sizeof page, CU_MEMHOSTREGISTER_DEVICEMAP)));
}

static void leak(void) { device_memory(1234); }

const Scenario kFaulty[] = {{"divergent", divergent}, {"mixed", mixed},     {"unwritten", unwritten}, {"beyond", beyond},
                            {"race", race},           {"nowhere", nowhere}, {"launches", launches},   {"hang", hang},
                            {"allocations", allocations}, {"answers", answers}, {"registration", registration}, {"leak", leak},
                            {NULL, NULL}};
