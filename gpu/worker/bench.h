// What only the benchmark needs of the driver: graphs of many repetitions timed
// by events, and ticks with copies around them.
#pragma once

#include "shim.h"

// A kernel on the memory that it works on: each stage alone has one of its own,
// so that it leaves the field as it is. Or, where there are bytes, a copy of the host's
// memory to that of the device.
typedef struct {
	FieldbrainLaunch kernel;
	CUdeviceptr memory;
	const void *from;
	size_t bytes;
	int32_t overlap; // 1: the kernel may begin while the node before it runs
} FieldbrainNode;

// A load is a graph of nodes, one after the other, again and again.
typedef struct {
	FieldbrainNode *nodes;
	uint32_t count;   // of nodes
	uint32_t repeats; // of all of them
	CUstream stream;
	CUgraph graph;
	CUgraphExec exec;
	CUevent from, to;
	float milliseconds; // of the newest run
} FieldbrainLoad;

// Makes the graph and the events. What it made is in the load even if it fails;
// bench_load_free gives it back.
CUresult bench_load(FieldbrainLoad *load);
CUresult bench_load_free(FieldbrainLoad *load);
// Runs the load twice and takes the second one's time on the device: the first
// brings its memory into the caches, and hides how long the host takes to launch.
CUresult bench_span(FieldbrainLoad *load);

// What a path copies around a tick.
enum { FIELDBRAIN_NO_COPIES, FIELDBRAIN_ONE_STREAM, FIELDBRAIN_TWO_STREAMS };

// A path is one way for a tick to go from the host's memory and back.
typedef struct {
	FieldbrainTick tick; // a copy: the program owns what is in it
	int32_t plain;       // 1: kernel by kernel, without the graph
	int32_t copies;
	CUdeviceptr in, out;
	void *host_in, *host_out;
	size_t in_bytes, out_bytes;
	CUstream second;           // for the copies
	CUevent arrived, computed; // between the streams
	CUevent asleep;            // to sleep on, whatever the context's way of waiting
} FieldbrainPath;

CUresult bench_path(FieldbrainPath *path);
CUresult bench_path_free(FieldbrainPath *path);
// Runs one tick along a path and waits for its end. Without copies the answer
// must be to the request.
CUresult bench_tick(FieldbrainPath *path, uint64_t request);
// Runs ticks through their graph, at most `depth` of them under way (1 or 2).
CUresult bench_ring(const FieldbrainPath *path, uint32_t depth, uint32_t ticks);
