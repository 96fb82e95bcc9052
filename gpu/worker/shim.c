//go:build cuda

#define _GNU_SOURCE // RTLD_DEFAULT
#include "shim.h"

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

CUresult worker_register(void *memory, size_t bytes, CUdeviceptr *device) {
	CUresult r = cuMemHostRegister(memory, bytes, CU_MEMHOSTREGISTER_DEVICEMAP);
	if (r != CUDA_SUCCESS) return r;
	r = cuMemHostGetDevicePointer(device, memory, 0);
	if (r != CUDA_SUCCESS) cuMemHostUnregister(memory);
	return r;
}

CUresult worker_unregister(void *memory) { return cuMemHostUnregister(memory); }

CUresult worker_pin(void **memory, size_t bytes, CUdeviceptr *device) {
	CUresult r = cuMemHostAlloc(memory, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
	if (r != CUDA_SUCCESS) return r;
	r = cuMemHostGetDevicePointer(device, *memory, 0);
	if (r != CUDA_SUCCESS) cuMemFreeHost(*memory);
	return r;
}

CUresult worker_unpin(void *memory) { return cuMemFreeHost(memory); }

CUresult worker_allow(CUfunction function, uint32_t shared) {
	return cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared);
}

// An Edge is CUgraphEdgeData of CUDA 12.3, and Connect what takes it there: older headers
// and drivers have neither.
typedef struct {
	unsigned char from_port, to_port, type, reserved[5];
} Edge;
typedef CUresult (*Connect)(CUgraph, const CUgraphNode *, const CUgraphNode *, const Edge *, size_t);

// From the port at which all blocks of a kernel have begun (or ended), to code that waits.
static const Edge PROGRAMMATIC = {1, 0, 1, {0}};

static Connect connect_by(void) { return (Connect)dlsym(RTLD_DEFAULT, "cuGraphAddDependencies_v2"); }

int worker_overlaps(void) { return connect_by() != NULL; }

CUresult worker_behind(CUgraph graph, CUgraphNode before, CUgraphNode node, int overlap) {
	if (overlap) return connect_by()(graph, &before, &node, &PROGRAMMATIC, 1);
	return cuGraphAddDependencies(graph, &before, &node, 1);
}

CUresult worker_graph(FieldbrainTick *t) {
	CUresult r = cuGraphCreate(&t->graph, 0);
	void *parameters[] = {&t->memory};
	CUgraphNode last = NULL;
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < t->count; i++) {
		const FieldbrainLaunch *k = &t->kernels[i];
		CUDA_KERNEL_NODE_PARAMS p = {0};
		p.func = k->function;
		p.gridDimX = k->blocks, p.gridDimY = 1, p.gridDimZ = 1;
		p.blockDimX = k->threads, p.blockDimY = 1, p.blockDimZ = 1;
		p.sharedMemBytes = k->shared;
		p.kernelParams = parameters; // copied by the call
		CUgraphNode node;
		r = cuGraphAddKernelNode(&node, t->graph, NULL, 0, &p);
		if (r == CUDA_SUCCESS && i > 0) r = worker_behind(t->graph, last, node, t->overlap);
		last = node;
	}
	if (r == CUDA_SUCCESS) r = cuGraphInstantiateWithFlags(&t->exec, t->graph, 0);
	if (r == CUDA_SUCCESS) r = cuGraphUpload(t->exec, t->stream);
	if (r == CUDA_SUCCESS) r = cuStreamSynchronize(t->stream);
	return r;
}

CUresult worker_graph_free(FieldbrainTick *t) {
	CUresult r = CUDA_SUCCESS;
	if (t->exec) r = cuGraphExecDestroy(t->exec);
	if (t->graph) {
		CUresult also = cuGraphDestroy(t->graph);
		if (r == CUDA_SUCCESS) r = also;
	}
	t->exec = NULL;
	t->graph = NULL;
	return r;
}

static int has_answered(const FieldbrainTick *t, uint64_t request) {
	return __atomic_load_n(t->answered, __ATOMIC_ACQUIRE) == request;
}

static void breathe(void) {
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

// The ordinary class gets nothing from a yield of a thread in real time, only
// while that sleeps: so it does after POLL ns, for NAP ns between two looks.
enum { POLL = 200000, NAP = 20000 };

static void nap(void) {
	const struct timespec t = {0, NAP};
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

// worker_await looks at memory and every so often at the stream: a kernel that
// failed never answers.
CUresult worker_await(FieldbrainTick *t, uint64_t request) {
	const int yields = t->wait == FIELDBRAIN_YIELD, looks = yields ? 64 : 4096;
	const int64_t began = now();
	for (;;) {
		for (int i = 0; i < looks; i++) {
			if (has_answered(t, request)) return CUDA_SUCCESS;
			if (yields && t->raised && now() - began >= POLL) {
				nap();
				t->naps++;
				break; // the stream, after every nap
			}
			if (yields) sched_yield();
			else breathe();
		}
		CUresult r = cuStreamQuery(t->stream);
		if (r == CUDA_ERROR_NOT_READY) continue;
		if (r != CUDA_SUCCESS) return r;
		return has_answered(t, request) ? CUDA_SUCCESS : (CUresult)FIELDBRAIN_UNANSWERED;
	}
}

CUresult worker_tick(FieldbrainTick *t, uint64_t request) {
	CUresult r = cuGraphLaunch(t->exec, t->stream);
	if (r != CUDA_SUCCESS) return r;
	if (t->wait != FIELDBRAIN_BLOCK) return worker_await(t, request);
	r = cuStreamSynchronize(t->stream);
	if (r != CUDA_SUCCESS) return r;
	return has_answered(t, request) ? CUDA_SUCCESS : (CUresult)FIELDBRAIN_UNANSWERED;
}

CUresult worker_launch(const FieldbrainTick *t, const FieldbrainLaunch *k) {
	CUdeviceptr memory = t->memory;
	void *parameters[] = {&memory};
	return cuLaunchKernel(k->function, k->blocks, 1, 1, k->threads, 1, 1, k->shared, t->stream, parameters, NULL);
}

static CUresult span(CUevent from, CUevent to, uint32_t *nanos) {
	float milliseconds = 0;
	CUresult r = cuEventElapsedTime(&milliseconds, from, to);
	*nanos = (uint32_t)(milliseconds * 1e6f);
	return r;
}

CUresult worker_profile(const FieldbrainTick *t, uint32_t *nanos, uint32_t *total) {
	CUresult r = cuEventRecord(t->marks[0], t->stream);
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < t->count; i++) {
		r = worker_launch(t, &t->kernels[i]);
		if (r == CUDA_SUCCESS) r = cuEventRecord(t->marks[i + 1], t->stream);
	}
	if (r == CUDA_SUCCESS) r = cuStreamSynchronize(t->stream);
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < t->count; i++) r = span(t->marks[i], t->marks[i + 1], &nanos[i]);
	if (r == CUDA_SUCCESS) r = span(t->marks[0], t->marks[t->count], total);
	return r;
}

CUresult worker_run(const FieldbrainTick *t, const FieldbrainLaunch *k) {
	CUresult r = worker_launch(t, k);
	return r == CUDA_SUCCESS ? cuStreamSynchronize(t->stream) : r;
}

const char *worker_error(CUresult code) {
	const char *name = NULL;
	return cuGetErrorName(code, &name) == CUDA_SUCCESS && name ? name : "an error without a name";
}

const char *worker_meaning(CUresult code) {
	const char *text = NULL;
	if ((int)code == FIELDBRAIN_UNANSWERED) return "the kernels ended without an answer";
	return cuGetErrorString(code, &text) == CUDA_SUCCESS && text ? text : "its meaning is not known";
}
