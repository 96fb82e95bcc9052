//go:build cuda

package worker

/*
#include <stdlib.h>
#include "bench.h"
*/
import "C"

import (
	"errors"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// A load is some kernels in a graph, again and again, in C's memory.
type load struct{ c *C.FieldbrainLoad }

// A node is a kernel and the memory that it works on, or a copy of bytes of the host's
// pinned memory to that.
type node struct {
	launch kernels.Launch
	memory kernels.Address
	from   unsafe.Pointer
	bytes  uintptr

	overlap bool // the kernel may begin while the node before it runs
}

// newLoad builds the graph of a load.
func newLoad(m cu.Module, stream cu.Stream, nodes []node, repeats int) (*load, error) {
	l := &load{c: (*C.FieldbrainLoad)(C.calloc(1, C.sizeof_FieldbrainLoad))}
	l.c.nodes = (*C.FieldbrainNode)(C.calloc(C.size_t(len(nodes)), C.sizeof_FieldbrainNode))
	l.c.count, l.c.repeats = C.uint32_t(len(nodes)), C.uint32_t(repeats)
	l.c.stream = C.CUstream(unsafe.Pointer(stream.C()))
	list := unsafe.Slice(l.c.nodes, len(nodes))
	for i := range list {
		list[i].memory = C.CUdeviceptr(nodes[i].memory)
		list[i].overlap = flag(nodes[i].overlap)
		if list[i].from, list[i].bytes = nodes[i].from, C.size_t(nodes[i].bytes); nodes[i].bytes > 0 {
			continue
		}
		if err := fill(&list[i].kernel, m, &nodes[i].launch); err != nil {
			return nil, errors.Join(err, l.free())
		}
	}
	if err := fault("build a graph to be timed", C.bench_load(l.c)); err != nil {
		return nil, errors.Join(err, l.free())
	}
	return l, nil
}

// span runs the load twice and returns the microseconds of one repetition of the
// second time.
func (l *load) span() (float64, error) {
	err := fault("run a graph to be timed", C.bench_span(l.c))
	return float64(l.c.milliseconds) * 1e3 / float64(l.c.repeats), err
}

func (l *load) free() error {
	err := fault("free a graph", C.bench_load_free(l.c))
	C.free(unsafe.Pointer(l.c.nodes))
	C.free(unsafe.Pointer(l.c))
	return err
}

// A path is one way for a tick from the host's memory and back, in C's memory.
type path struct{ c *C.FieldbrainPath }

// newPath makes a path of a launcher's tick, without copies, waiting as w says.
func newPath(p *launcher, second cu.Stream, w gpu.Wait) (*path, error) {
	t := &path{c: (*C.FieldbrainPath)(C.calloc(1, C.sizeof_FieldbrainPath))}
	t.c.tick = *p.c
	t.c.tick.wait = waitOf(w)
	t.c.second = C.CUstream(unsafe.Pointer(second.C()))
	if err := fault("make events", C.bench_path(t.c)); err != nil {
		return nil, errors.Join(err, t.free())
	}
	return t, nil
}

// copies lets the path copy on one stream or on two: the input from a page on
// the host to one on the device, the answer back.
func (t *path) copies(host *gpu.Page, device kernels.Address, two bool) {
	t.c.copies = C.FIELDBRAIN_ONE_STREAM
	if two {
		t.c.copies = C.FIELDBRAIN_TWO_STREAMS
	}
	in, out := unsafe.Offsetof(host.In), unsafe.Offsetof(host.Out)
	t.c.in, t.c.out = C.CUdeviceptr(device)+C.CUdeviceptr(in), C.CUdeviceptr(device)+C.CUdeviceptr(out)
	t.c.host_in, t.c.host_out = unsafe.Pointer(&host.In), unsafe.Pointer(&host.Out) // never Go's memory
	t.c.in_bytes, t.c.out_bytes = C.size_t(unsafe.Sizeof(host.In)), C.size_t(unsafe.Sizeof(host.Out))
}

// plain launches the kernels one by one instead of the graph.
func (t *path) plain() { t.c.plain = 1 }

// tick runs one tick and waits for its end.
func (t *path) tick(request uint32) error {
	return fault("run a tick to be timed", C.bench_tick(t.c, C.uint64_t(request)))
}

// ring runs ticks with as many under way as depth says.
func (t *path) ring(depth, ticks int) error {
	return fault("run ticks to be timed", C.bench_ring(t.c, C.uint32_t(depth), C.uint32_t(ticks)))
}

func (t *path) free() error {
	err := fault("free events", C.bench_path_free(t.c))
	C.free(unsafe.Pointer(t.c))
	return err
}

func waitOf(w gpu.Wait) C.int32_t {
	return map[gpu.Wait]C.int32_t{
		gpu.WaitSpin: C.FIELDBRAIN_SPIN, gpu.WaitYield: C.FIELDBRAIN_YIELD, gpu.WaitBlock: C.FIELDBRAIN_BLOCK,
	}[w]
}
