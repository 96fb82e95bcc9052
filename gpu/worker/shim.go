//go:build cuda

package worker

/*
#cgo CFLAGS: -O2 -Wall -I/usr/local/cuda/include
#cgo LDFLAGS: -L/usr/local/cuda/lib64 -lcuda
#cgo noescape worker_tick
#cgo nocallback worker_tick
#cgo noescape worker_profile
#cgo nocallback worker_profile
#cgo noescape worker_run
#cgo nocallback worker_run
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// A Fault is an error of the driver. Whatever its number, the context is of no
// use afterwards.
type Fault struct {
	What    string // what was tried
	Code    int    // CUresult, or -1: the kernels ended without an answer
	Name    string // of the code
	Meaning string
}

// Error says what was tried, what the driver says and what to do.
func (f *Fault) Error() string {
	if f.Code < 0 {
		return fmt.Sprintf("worker: %s: %s; kernels and program are of different versions: build both anew", f.What, f.Meaning)
	}
	return fmt.Sprintf("worker: %s: %s (%d), %s; if it comes again, look at dmesg for Xid lines", f.What, f.Name, f.Code, f.Meaning)
}

func fault(what string, code C.CUresult) error {
	if code == C.CUDA_SUCCESS {
		return nil
	}
	return &Fault{What: what, Code: int(int32(code)), Name: C.GoString(C.worker_error(code)), Meaning: C.GoString(C.worker_meaning(code))}
}

// sharedOptin is the attribute that cu does not name: the most shared memory
// that a block may be allowed.
const sharedOptin = cu.DeviceAttribute(C.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)

// register lets the device see host memory; it returns where.
func register(memory unsafe.Pointer, bytes int) (kernels.Address, error) {
	var at C.CUdeviceptr
	err := fault("register the page", C.worker_register(memory, C.size_t(bytes), &at))
	return kernels.Address(at), err
}

func unregister(memory unsafe.Pointer) error {
	return fault("unregister the page", C.worker_unregister(memory))
}

// pin allocates host memory that the device sees.
func pin(bytes int) (unsafe.Pointer, kernels.Address, error) {
	var memory unsafe.Pointer
	var at C.CUdeviceptr
	err := fault(fmt.Sprintf("allocate %d bytes of pinned memory", bytes), C.worker_pin(&memory, C.size_t(bytes), &at))
	return memory, kernels.Address(at), err
}

func unpin(memory unsafe.Pointer) error {
	return fault("free the pinned memory", C.worker_unpin(memory))
}

// A launcher is the tick as C runs it, in C's memory.
type launcher struct {
	c     *C.FieldbrainTick
	nanos [C.FIELDBRAIN_KERNELS]C.uint32_t
	total C.uint32_t
	marks []cu.Event
}

// newLauncher allocates a launcher for a stream. The kernels' argument is the
// memory's address on the device.
func newLauncher(stream cu.Stream, memory kernels.Address, wait gpu.Wait) *launcher {
	p := &launcher{c: (*C.FieldbrainTick)(C.calloc(1, C.sizeof_FieldbrainTick))} // calloc never returns nil to Go
	p.c.stream = C.CUstream(unsafe.Pointer(stream.C()))
	p.c.memory = C.CUdeviceptr(memory)
	p.c.wait = map[gpu.Wait]C.int32_t{
		gpu.WaitSpin: C.FIELDBRAIN_SPIN, gpu.WaitYield: C.FIELDBRAIN_YIELD, gpu.WaitBlock: C.FIELDBRAIN_BLOCK,
	}[wait]
	return p
}

// fill describes a kernel to C and allows it its shared memory.
func fill(to *C.FieldbrainLaunch, m cu.Module, l *kernels.Launch) error {
	f, err := m.Function(l.Kernel)
	if err != nil {
		return fmt.Errorf("worker: kernel %s: %w; the kernels are of another version: run make kernels", l.Kernel, err)
	}
	// A cu.Function is nothing but the driver's handle, which it does not show.
	to.function = *(*C.CUfunction)(unsafe.Pointer(&f))
	to.blocks, to.threads, to.shared = C.uint32_t(l.Blocks), C.uint32_t(l.Threads), C.uint32_t(l.Shared)
	if l.Shared == 0 {
		return nil
	}
	return fault(fmt.Sprintf("allow %s %d bytes of shared memory", l.Kernel, l.Shared), C.worker_allow(to.function, to.shared))
}

// build describes the program's kernels and makes the tick's graph, and the marks
// for profiling.
func (p *launcher) build(m cu.Module, program *kernels.Program, answered *uint64, profile bool) error {
	if len(program.Tick) > C.FIELDBRAIN_KERNELS {
		return fmt.Errorf("worker: a tick of %d kernels, at most %d have room", len(program.Tick), C.FIELDBRAIN_KERNELS)
	}
	errs := []error{fill(&p.c.read, m, &program.Read), fill(&p.c.write, m, &program.Write), fill(&p.c.rest, m, &program.Resume)}
	for i := range program.Tick {
		errs = append(errs, fill(&p.c.kernels[i], m, &program.Tick[i]))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	p.c.count, p.c.overlap = C.uint32_t(len(program.Tick)), flag(program.Overlap)
	p.c.answered = (*C.uint64_t)(answered) // the page's, which is no memory of Go
	if profile {
		if err := p.mark(); err != nil {
			return err
		}
	}
	return fault("build the tick's graph", C.worker_graph(p.c))
}

// mark makes the events around the kernels.
func (p *launcher) mark() error {
	for i := range p.c.count + 1 {
		e, err := cu.MakeEvent(cu.DefaultEvent)
		if err != nil {
			return fmt.Errorf("worker: make an event: %w", err)
		}
		p.marks = append(p.marks, e)
		p.c.marks[i] = *(*C.CUevent)(unsafe.Pointer(&e)) // as above
	}
	return nil
}

// overlaps reports whether this driver lets kernels of a graph overlap.
func overlaps() bool { return C.worker_overlaps() != 0 }

func flag(on bool) C.int32_t {
	if on {
		return 1
	}
	return 0
}

// raise notes that the thread is in real time.
func (p *launcher) raise() { p.c.raised = 1 }

// tick runs one tick through the graph and waits for its answer.
func (p *launcher) tick(request uint32) error {
	return fault("run a tick", C.worker_tick(p.c, C.uint64_t(request)))
}

// profile runs one tick kernel by kernel and returns their times in the order
// of the program, and of all of them.
func (p *launcher) profile() (nanos gpu.Nanos, err error) {
	err = fault("run a tick with profiling", C.worker_profile(p.c, &p.nanos[0], &p.total))
	return gpu.Nanos{Prep: uint32(p.nanos[0]), Evolve: uint32(p.nanos[1]), Motor: uint32(p.nanos[2]), Total: uint32(p.total)}, err
}

// read, write and rest run the kernels of the other orders.
func (p *launcher) read() error  { return fault("read a channel", C.worker_run(p.c, &p.c.read)) }
func (p *launcher) write() error { return fault("write a channel", C.worker_run(p.c, &p.c.write)) }
func (p *launcher) rest() error {
	return fault("put the field to rest", C.worker_run(p.c, &p.c.rest))
}

// free gives back the graph, the marks and the memory.
func (p *launcher) free() error {
	err := fault("free the tick's graph", C.worker_graph_free(p.c))
	for i := range p.marks {
		if e := cu.DestroyEvent(&p.marks[i]); e != nil && err == nil {
			err = fmt.Errorf("worker: free an event: %w", e)
		}
	}
	C.free(unsafe.Pointer(p.c))
	p.c, p.marks = nil, nil
	return err
}
