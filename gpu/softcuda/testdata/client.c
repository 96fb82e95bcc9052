// A program as ours is one: it uses the driver through cuda.h. The first
// argument names what to do.
#include "client.h"

static CUcontext context;
static CUmodule module;

const char* name_of(CUresult r) {
  const char* name = NULL;
  return cuGetErrorName(r, &name) == CUDA_SUCCESS ? name : "no such result";
}

CUfunction function(const char* name) {
  CUfunction f;
  MUST(cuModuleGetFunction(&f, module, name));
  return f;
}

CUdeviceptr device_memory(size_t bytes) {
  CUdeviceptr p;
  MUST(cuMemAlloc(&p, bytes));
  return p;
}

CUresult run(CUfunction f, unsigned blocks, unsigned threads, unsigned shared, CUstream s, void** args) {
  return cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, shared, s, args, NULL);
}

static int find(const Scenario* list, const char* name) {
  for (; list->name; list++) {
    if (strcmp(list->name, name) == 0) {
      list->run();
      return 1;
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  CUresult r = cuInit(0);
  if (r != CUDA_SUCCESS) {
    printf("cuInit: %s\n", name_of(r));
    return 0;
  }
  unsigned image[4] = {0xba55ed50, 0, 0, 0};
  MUST(cuCtxCreate(&context, 0, 0));
  MUST(cuModuleLoadData(&module, image));
  if (!find(kGood, argv[1]) && !find(kFaulty, argv[1])) {
    printf("no scenario %s\n", argv[1]);
    return 2;
  }
  if (cuCtxSynchronize() == CUDA_SUCCESS) MUST(cuCtxDestroy(context));
  puts("end");
  return 0;
}
