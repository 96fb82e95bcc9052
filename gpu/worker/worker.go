//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// Options are what a worker works on.
type Options struct {
	Setup *gpu.Setup // valid
	Page  *gpu.Page  // shared with the client
	Image []byte     // the kernels, see kernels.Fatbin

	Planes int  // of a block of the evolve pass, 16 or 8; 0: what suits the device
	Serial bool // no kernel begins before the one before it has ended, whatever the device can
}

// A Worker holds the field on the device and everything that a tick needs.
type Worker struct {
	Device *Device
	Arena  *Arena
	// Unregistered is why the device may not see the page, nil if it does. The
	// worker then copies what every order needs.
	Unregistered error

	program  *kernels.Program
	window   *window
	module   cu.Module
	tick     cu.Stream // of the highest priority
	spare    cu.Stream // of the lowest: filling the arena, then planning
	launcher *launcher
	planner  *launcher
	begun    uint64 // number of the newest plan
	parts    uint32 // of it
	profile  bool
	undo     []func() error // what gives everything back, last first
}

// Open finds a device and prepares it. The calling goroutine is locked to its
// thread and stays the only one that uses the worker. After an error nothing is
// left behind.
func Open(o Options) (*Worker, error) {
	device, err := FindDevice()
	if err != nil {
		return nil, err
	}
	card := device.Card()
	card.Planes, card.Overlap = o.Planes, card.Overlap && !o.Serial
	program, err := kernels.NewProgram(&o.Setup.Params, o.Setup.Step, o.Setup.Half, card)
	if err != nil {
		return nil, err
	}
	w := &Worker{Device: device, program: program, Arena: ArenaOf(program), profile: o.Setup.Profile}
	for _, step := range []func(*Options) error{w.enter, w.load, w.allocate, w.share, w.fill, w.equip, w.build} {
		if err := step(&o); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	return w, nil
}

// ArenaOf returns the arena of a program, without memory.
func ArenaOf(p *kernels.Program) *Arena { return NewArena(regions(p)) }

// answered is the region in which the kernels leave their word while profiling:
// the client must not read before the times are there.
const answered = "answered"

func regions(p *kernels.Program) []kernels.Region {
	return append(p.Regions(), kernels.Region{Name: answered, Bytes: 8})
}

// later notes how something is given back.
func (w *Worker) later(f func() error) { w.undo = append(w.undo, f) }

// enter makes a context and the streams. Small numbers are high priorities.
func (w *Worker) enter(o *Options) error {
	flags := map[gpu.Wait]cu.ContextFlags{
		gpu.WaitSpin: cu.SchedSpin, gpu.WaitYield: cu.SchedYield, gpu.WaitBlock: cu.SchedBlockingSync,
	}[o.Setup.Wait]
	context, err := w.Device.device.MakeContext(flags | cu.MapHost)
	if err != nil {
		return fmt.Errorf("worker: make a context on %s: %w; is it used exclusively by another process?", w.Device.Name, err)
	}
	w.later(context.Destroy)
	lowest, highest, err := cu.StreamPriorityRange()
	if err != nil {
		return fmt.Errorf("worker: ask for the priorities of streams: %w", err)
	}
	if w.tick, err = cu.MakeStreamWithPriority(highest, cu.NonBlocking); err != nil {
		return fmt.Errorf("worker: make the tick's stream: %w", err)
	}
	w.later(w.tick.Destroy)
	if w.spare, err = cu.MakeStreamWithPriority(lowest, cu.NonBlocking); err != nil {
		return fmt.Errorf("worker: make the second stream: %w", err)
	}
	w.later(w.spare.Destroy)
	return nil
}

// load loads the kernels' machine code.
func (w *Worker) load(o *Options) (err error) {
	if w.module, err = cu.LoadData(string(o.Image)); err != nil {
		return fmt.Errorf("worker: load the kernels on %s of compute capability %d.%d: %w; make kernels builds them for others",
			w.Device.Name, w.Device.Major, w.Device.Minor, err)
	}
	w.later(w.module.Unload)
	return nil
}

// allocate takes the device's memory, once.
func (w *Worker) allocate(*Options) error {
	memory, err := cu.MemAlloc(int64(w.Arena.Bytes))
	if err != nil {
		free, total, _ := cu.MemInfo() // 0 of 0 if even that fails
		return fmt.Errorf("worker: allocate %d MiB on %s, %d of %d MiB are free: %w; end other programs that use the device",
			w.Arena.Bytes>>20+1, w.Device.Name, free>>20, total>>20, err)
	}
	w.later(func() error { return cu.MemFree(memory) })
	w.Arena.base = kernels.Address(memory)
	return nil
}

// share lets the device see the page.
func (w *Worker) share(o *Options) (err error) {
	if w.window, w.Unregistered, err = openWindow(o.Page); err != nil {
		return errors.Join(w.Unregistered, err)
	}
	w.later(w.window.close)
	return nil
}

// fill puts everything that does not change into the arena. The rest is zero.
func (w *Worker) fill(*Options) error {
	if err := cu.MemsetD8Async(cu.DevicePtr(w.Arena.base), 0, int64(w.Arena.Bytes), w.spare); err != nil {
		return fmt.Errorf("worker: clear the arena: %w", err)
	}
	if err := w.spare.Synchronize(); err != nil {
		return fmt.Errorf("worker: clear the arena: %w", err)
	}
	memory := w.program.Memory(w.Arena.Address)
	w.window.place(&memory)
	if w.profile {
		memory.Answered = w.Arena.Address(answered)
	}
	children := w.program.Children // the program has pointers, which C must not be handed
	for _, c := range []struct {
		region string
		from   unsafe.Pointer
		bytes  uintptr
	}{
		{"memory", unsafe.Pointer(&memory), unsafe.Sizeof(memory)},
		{"constants", unsafe.Pointer(w.program.Constants), unsafe.Sizeof(*w.program.Constants)},
		{"tasks", unsafe.Pointer(&w.program.Tasks[0]), uintptr(len(w.program.Tasks)) * unsafe.Sizeof(w.program.Tasks[0])},
		{"work", unsafe.Pointer(&w.program.Work[0]), uintptr(len(w.program.Work)) * unsafe.Sizeof(w.program.Work[0])},
		{"children", unsafe.Pointer(&children), unsafe.Sizeof(children)},
	} {
		if err := cu.MemcpyHtoD(cu.DevicePtr(w.Arena.Address(c.region)), c.from, int64(c.bytes)); err != nil {
			return fmt.Errorf("worker: copy the %s to the device: %w", c.region, err)
		}
	}
	if err := cu.Synchronize(); err != nil { // the tick's stream waits for no other
		return fmt.Errorf("worker: copy to the device: %w", err)
	}
	return nil
}

// build makes the tick's graph and puts the field to rest.
func (w *Worker) build(o *Options) error {
	w.launcher = newLauncher(w.tick, w.Arena.Address("memory"), o.Setup.Wait)
	w.later(w.launcher.free)
	if err := w.launcher.build(w.module, w.program, &w.window.seen.Call.Answered, w.profile); err != nil {
		return err
	}
	return w.launcher.rest()
}

// Close gives everything back. It is safe to repeat. After a fault of the
// device the driver refuses most of it; the end of the process then does.
func (w *Worker) Close() error {
	var errs []error
	for i := len(w.undo) - 1; i >= 0; i-- {
		errs = append(errs, w.undo[i]())
	}
	w.undo = nil
	return errors.Join(errs...)
}
