// What gorgonia.org/cu v0.9.6 lacks of the CUDA driver: host memory that the
// device reads, large shared memory, graphs whose kernels take a parameter, and
// a tick in one call.
#pragma once

#include <cuda.h>
#include <stdint.h>

enum { FIELDBRAIN_KERNELS = 8 }; // of a tick, at most

// Ways to wait for a tick.
enum { FIELDBRAIN_SPIN, FIELDBRAIN_YIELD, FIELDBRAIN_BLOCK };

// What a tick can end with besides the driver's own numbers: all kernels ended
// and the last of them did not answer.
enum { FIELDBRAIN_UNANSWERED = -1 };

typedef struct {
	CUfunction function;
	uint32_t blocks, threads, shared; // shared: bytes of dynamic shared memory
} FieldbrainLaunch;

// What a tick needs, filled in once.
typedef struct {
	FieldbrainLaunch kernels[FIELDBRAIN_KERNELS];
	FieldbrainLaunch read, write, rest; // the other orders
	uint32_t count;
	int32_t overlap;             // 1: a kernel may begin while the one before it runs
	int32_t wait;
	int32_t raised;              // 1: the thread is in real time and must let others run
	uint32_t naps;               // how often it did, for the test of that
	CUdeviceptr memory;           // the kernels' one argument
	const uint64_t *answered;    // the last kernel stores the request's number here
	CUstream stream;
	CUgraph graph;
	CUgraphExec exec;
	CUevent marks[FIELDBRAIN_KERNELS + 1]; // around each kernel, only for worker_profile
} FieldbrainTick;

// Makes host memory readable and writable by the device, at *device there.
CUresult worker_register(void *memory, size_t bytes, CUdeviceptr *device);
CUresult worker_unregister(void *memory);
// Allocates such memory, and frees it.
CUresult worker_pin(void **memory, size_t bytes, CUdeviceptr *device);
CUresult worker_unpin(void *memory);

// Allows a kernel as many bytes of dynamic shared memory.
CUresult worker_allow(CUfunction function, uint32_t shared);

// Whether this driver's graphs have edges that let kernels overlap (12.3 and newer).
int worker_overlaps(void);
// Puts a kernel's node behind another; with overlap it may begin while that one runs,
// and waits for it where its code says so.
CUresult worker_behind(CUgraph graph, CUgraphNode before, CUgraphNode node, int overlap);

// Makes the graph of a tick's kernels, one after the other. What it made is in
// the tick even if it fails; worker_graph_free gives it back.
CUresult worker_graph(FieldbrainTick *tick);
CUresult worker_graph_free(FieldbrainTick *tick);

// Runs one tick and waits for its answer.
CUresult worker_tick(FieldbrainTick *tick, uint64_t request);
// The same in two halves, for the benchmark.
CUresult worker_launch(const FieldbrainTick *tick, const FieldbrainLaunch *kernel);
CUresult worker_await(FieldbrainTick *tick, uint64_t request);
// Runs one tick without its graph; times of the kernels and of all, in ns.
CUresult worker_profile(const FieldbrainTick *tick, uint32_t *nanos, uint32_t *total);
// Runs one kernel on the tick's stream and waits for its end.
CUresult worker_run(const FieldbrainTick *tick, const FieldbrainLaunch *kernel);

// Name of a driver's error, and what it means; never null.
const char *worker_error(CUresult code);
const char *worker_meaning(CUresult code);
