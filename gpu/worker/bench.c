//go:build cuda

#include "bench.h"

#include <stddef.h>

// first keeps the first of two results that is no success.
static CUresult first(CUresult a, CUresult b) { return a != CUDA_SUCCESS ? a : b; }

// copying adds a copy to a graph.
static CUresult copying(CUgraph graph, CUgraphNode *node, FieldbrainNode *n) {
	CUDA_MEMCPY3D p = {0};
	p.srcMemoryType = CU_MEMORYTYPE_HOST, p.srcHost = n->from;
	p.dstMemoryType = CU_MEMORYTYPE_DEVICE, p.dstDevice = n->memory;
	p.WidthInBytes = n->bytes, p.Height = 1, p.Depth = 1;
	CUcontext context;
	CUresult r = cuCtxGetCurrent(&context);
	return r == CUDA_SUCCESS ? cuGraphAddMemcpyNode(node, graph, NULL, 0, &p, context) : r;
}

// running adds a kernel to a graph, likewise.
static CUresult running(CUgraph graph, CUgraphNode *node, FieldbrainNode *n) {
	void *parameters[] = {&n->memory};
	CUDA_KERNEL_NODE_PARAMS p = {0};
	p.func = n->kernel.function;
	p.gridDimX = n->kernel.blocks, p.gridDimY = 1, p.gridDimZ = 1;
	p.blockDimX = n->kernel.threads, p.blockDimY = 1, p.blockDimZ = 1;
	p.sharedMemBytes = n->kernel.shared;
	p.kernelParams = parameters; // copied by the call
	return cuGraphAddKernelNode(node, graph, NULL, 0, &p);
}

CUresult bench_load(FieldbrainLoad *l) {
	CUresult r = cuGraphCreate(&l->graph, 0);
	CUgraphNode last = NULL;
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < l->count * l->repeats; i++) {
		FieldbrainNode *n = &l->nodes[i % l->count];
		CUgraphNode node;
		r = n->bytes ? copying(l->graph, &node, n) : running(l->graph, &node, n);
		if (r == CUDA_SUCCESS && i > 0) r = worker_behind(l->graph, last, node, n->overlap);
		last = node;
	}
	if (r == CUDA_SUCCESS) r = cuGraphInstantiateWithFlags(&l->exec, l->graph, 0);
	if (r == CUDA_SUCCESS) r = cuGraphUpload(l->exec, l->stream);
	if (r == CUDA_SUCCESS) r = cuEventCreate(&l->from, CU_EVENT_DEFAULT);
	if (r == CUDA_SUCCESS) r = cuEventCreate(&l->to, CU_EVENT_DEFAULT);
	return r == CUDA_SUCCESS ? cuStreamSynchronize(l->stream) : r;
}

CUresult bench_load_free(FieldbrainLoad *l) {
	CUresult r = CUDA_SUCCESS;
	if (l->exec) r = first(r, cuGraphExecDestroy(l->exec));
	if (l->graph) r = first(r, cuGraphDestroy(l->graph));
	if (l->from) r = first(r, cuEventDestroy(l->from));
	if (l->to) r = first(r, cuEventDestroy(l->to));
	return r;
}

CUresult bench_span(FieldbrainLoad *l) {
	CUresult r = cuGraphLaunch(l->exec, l->stream);
	if (r == CUDA_SUCCESS) r = cuEventRecord(l->from, l->stream);
	if (r == CUDA_SUCCESS) r = cuGraphLaunch(l->exec, l->stream);
	if (r == CUDA_SUCCESS) r = cuEventRecord(l->to, l->stream);
	if (r == CUDA_SUCCESS) r = cuEventSynchronize(l->to);
	return r == CUDA_SUCCESS ? cuEventElapsedTime(&l->milliseconds, l->from, l->to) : r;
}

CUresult bench_path(FieldbrainPath *p) {
	CUresult r = cuEventCreate(&p->arrived, CU_EVENT_DISABLE_TIMING);
	if (r == CUDA_SUCCESS) r = cuEventCreate(&p->computed, CU_EVENT_DISABLE_TIMING);
	if (r == CUDA_SUCCESS) r = cuEventCreate(&p->asleep, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC);
	return r;
}

CUresult bench_path_free(FieldbrainPath *p) {
	CUresult r = CUDA_SUCCESS;
	if (p->arrived) r = first(r, cuEventDestroy(p->arrived));
	if (p->computed) r = first(r, cuEventDestroy(p->computed));
	if (p->asleep) r = first(r, cuEventDestroy(p->asleep));
	return r;
}

// compute starts the tick's kernels.
static CUresult compute(const FieldbrainPath *p) {
	if (!p->plain) return cuGraphLaunch(p->tick.exec, p->tick.stream);
	CUresult r = CUDA_SUCCESS;
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < p->tick.count; i++) r = worker_launch(&p->tick, &p->tick.kernels[i]);
	return r;
}

// hop makes one stream wait for what was given to another.
static CUresult hop(CUstream from, CUstream to, CUevent by) {
	CUresult r = cuEventRecord(by, from);
	return r == CUDA_SUCCESS ? cuStreamWaitEvent(to, by, 0) : r;
}

// copied brings the input, computes and takes the answer away.
static CUresult copied(const FieldbrainPath *p) {
	const int two = p->copies == FIELDBRAIN_TWO_STREAMS;
	CUstream copies = two ? p->second : p->tick.stream;
	CUresult r = cuMemcpyHtoDAsync(p->in, p->host_in, p->in_bytes, copies);
	if (r == CUDA_SUCCESS && two) r = hop(copies, p->tick.stream, p->arrived);
	if (r == CUDA_SUCCESS) r = compute(p);
	if (r == CUDA_SUCCESS && two) r = hop(p->tick.stream, copies, p->computed);
	if (r == CUDA_SUCCESS) r = cuMemcpyDtoHAsync(p->host_out, p->out, p->out_bytes, copies);
	return r == CUDA_SUCCESS ? cuStreamSynchronize(copies) : r;
}

CUresult bench_tick(FieldbrainPath *p, uint64_t request) {
	if (p->copies != FIELDBRAIN_NO_COPIES) return copied(p);
	CUresult r = compute(p);
	if (r != CUDA_SUCCESS) return r;
	if (p->tick.wait == FIELDBRAIN_BLOCK) {
		r = cuEventRecord(p->asleep, p->tick.stream);
		if (r == CUDA_SUCCESS) r = cuEventSynchronize(p->asleep);
	}
	return r == CUDA_SUCCESS ? worker_await(&p->tick, request) : r;
}

CUresult bench_ring(const FieldbrainPath *p, uint32_t depth, uint32_t ticks) {
	CUevent ends[2] = {p->arrived, p->computed};
	CUresult r = CUDA_SUCCESS;
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < ticks; i++) {
		if (i >= depth) r = cuEventSynchronize(ends[i % depth]);
		if (r == CUDA_SUCCESS) r = cuGraphLaunch(p->tick.exec, p->tick.stream);
		if (r == CUDA_SUCCESS) r = cuEventRecord(ends[i % depth], p->tick.stream);
	}
	return r == CUDA_SUCCESS ? cuStreamSynchronize(p->tick.stream) : r;
}
