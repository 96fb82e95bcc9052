//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
)

// A rig is what the benchmark and the self-test work on: a worker and a page of
// its own, without a client.
type rig struct {
	*Worker
	options  Options
	software bool
	burst    int // units in a timed graph
	steps    int // ticks in a turn on the host's clock
	inputs   *exercise.Sequence
	frozen   field.Input     // what the timed ticks repeat
	scratch  kernels.Address // two fields, then sums, marginals and flips for nothing else
	made     []func() error  // what gives the extras back
}

// The scratch memory's parts.
const (
	fieldBytes   = 4 * field.Cells * field.Channels
	scratchSums  = 2 * fieldBytes
	sumsBytes    = field.Channels * int(unsafe.Sizeof(field.Marginal{}))
	scratchFlip  = scratchSums + 2*sumsBytes
	scratchBytes = scratchFlip + 4*field.Channels
)

// openRig opens a worker on a page of its own. The calling goroutine is locked
// to its thread.
func openRig(setup *gpu.Setup, image []byte) (*rig, error) {
	memory, err := unix.Mmap(-1, 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS|unix.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("worker: map %d bytes: %w", pageBytes, err)
	}
	unmap := func() error { return unix.Munmap(memory) }
	r := &rig{
		options: Options{Setup: setup, Page: (*gpu.Page)(unsafe.Pointer(&memory[0])), Image: image},
		inputs:  exercise.New(7), burst: 100, steps: 20, made: []func() error{unmap},
	}
	if r.Worker, err = Open(r.options); err != nil {
		return nil, errors.Join(err, unmap())
	}
	r.made = append(r.made, r.Worker.Close)
	if r.software = strings.Contains(strings.ToLower(r.Device.Name), bench.Software); r.software {
		r.burst, r.steps = 1, 1 // a tick takes 50 ms or more
	}
	return r, nil
}

// close gives everything back, last first.
func (r *rig) close() error {
	var errs []error
	for i := len(r.made) - 1; i >= 0; i-- {
		errs = append(errs, r.made[i]())
	}
	return errors.Join(errs...)
}

// seen is the page as the kernels see it.
func (r *rig) seen() *gpu.Page { return r.window.seen }

// ask numbers the next request.
func (r *rig) ask() uint32 {
	r.seen().Call.Request++
	return r.seen().Call.Request
}

// warm steps the field until peaks have formed, and freezes an input of a tick
// in which every channel runs.
func (r *rig) warm(ticks int) error {
	for range ticks {
		r.seen().In = *r.inputs.Next()
		if err := r.launcher.tick(r.ask()); err != nil {
			return err
		}
	}
	r.frozen = *r.inputs.Next()
	r.frozen.Tick &^= 7 // every period divides it
	r.freeze()
	return nil
}

func (r *rig) freeze() { r.seen().In = r.frozen }

// memory allocates on the device until the rig closes.
func (r *rig) memory(bytes int) (kernels.Address, error) {
	at, err := cu.MemAlloc(int64(bytes))
	if err != nil {
		return 0, fmt.Errorf("worker: allocate %d MiB for the benchmark: %w", bytes>>20+1, err)
	}
	r.made = append(r.made, func() error { return cu.MemFree(at) })
	if err := cu.MemsetD8Async(at, 0, int64(bytes), r.spare); err != nil {
		return 0, fmt.Errorf("worker: clear the benchmark's memory: %w", err)
	}
	return kernels.Address(at), r.spare.Synchronize()
}

// variant puts a memory onto the device that differs from the worker's.
func (r *rig) variant(change func(b *kernels.Memory)) (kernels.Address, error) {
	memory := r.program.Memory(r.Arena.Address)
	r.window.place(&memory)
	change(&memory)
	at, err := r.memory(int(unsafe.Sizeof(memory)))
	if err != nil {
		return 0, err
	}
	if err := cu.MemcpyHtoD(cu.DevicePtr(at), unsafe.Pointer(&memory), int64(unsafe.Sizeof(memory))); err != nil {
		return 0, fmt.Errorf("worker: copy a memory to the device: %w", err)
	}
	return at, cu.Synchronize()
}

// beside makes another field in the same context: of another program, or seeing
// another page.
func (r *rig) beside(program *kernels.Program, w *window) (*Worker, error) {
	other := &Worker{
		Device: r.Device, Arena: ArenaOf(program), program: program, window: w, module: r.module, tick: r.tick, spare: r.spare,
	}
	r.made = append(r.made, other.Close)
	for _, step := range []func(*Options) error{other.allocate, other.fill, other.build} {
		if err := step(&r.options); err != nil {
			return nil, err
		}
	}
	return other, nil
}

// adopt copies the field itself from one worker to another of the same layout.
func (r *rig) adopt(to *Worker) error {
	for _, name := range []string{"frame", "marginals", "sums", "flip", "activation 0", "activation 1", "displaced", "prediction", "library"} {
		bytes := 0
		for _, p := range r.Arena.Places {
			if p.Name == name {
				bytes = p.Bytes
			}
		}
		if bytes == 0 {
			continue
		}
		err := cu.MemcpyDtoD(cu.DevicePtr(to.Arena.Address(name)), cu.DevicePtr(r.Arena.Address(name)), int64(bytes))
		if err != nil {
			return fmt.Errorf("worker: copy the field's %s: %w", name, err)
		}
	}
	return cu.Synchronize()
}

// load makes a load that is freed with the rig.
func (r *rig) load(nodes []node, repeats int) (*load, error) {
	l, err := newLoad(r.module, r.tick, nodes, repeats)
	if err == nil {
		r.made = append(r.made, l.free)
	}
	return l, err
}

// path makes a path of a worker's tick that is freed with the rig.
func (r *rig) path(w *Worker, wait gpu.Wait) (*path, error) {
	t, err := newPath(w.launcher, r.spare, wait)
	if err == nil {
		r.made = append(r.made, t.free)
	}
	return t, err
}
