//go:build cuda

package card

/*
#cgo CFLAGS: -O2 -Wall -I/usr/local/cuda/include
#cgo LDFLAGS: -L/usr/local/cuda/lib64 -lcuda
#cgo noescape fleet_launch
#cgo nocallback fleet_launch
#include "shim.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/gpu/worker"
	"fieldbrain/testbench/vector"
)

// Options say what a Card has besides the cars.
type Options struct {
	Image    []byte // the kernels' machine code: kernels.Fatbin()
	Actions  bool   // cars take their actions from the matrix instead of the fleet
	Readings bool   // what sensors say is written to the matrix after the last step of every Step
	States   bool   // likewise, what the cars do
}

// A Card is a fleet in the memory of a graphics card.
type Card struct {
	Device *worker.Device
	fleet  *vector.Fleet
	home   *worker.Primary
	stream cu.Stream
	kernel cu.Function // steps
	order  cu.Function // takes the actions of a task
	book   cu.Function // begins cars, and judges them where there is a task
	job    cu.DevicePtr
	fields cu.DevicePtr
	keys   cu.DevicePtr
	feet   cu.DevicePtr
	common cu.DevicePtr

	actions, readings, states, seeds, mask Matrix

	host C.LearnJob // what job is a copy of

	undo []func() error
}

// The layout of a block is the same in both languages: these would not compile.
var (
	_ [C.BLOCK]struct{}  = [vector.Lanes]struct{}{}
	_ [C.SONARS]struct{} = [vector.MaxSonars]struct{}{}
)

// Open puts the cars of a fleet into the memory of the card with the most
// multiprocessors. The error says what is missing; nothing is left behind then.
func Open(f *vector.Fleet, o Options) (*Card, error) {
	device, err := worker.FindDevice()
	if err != nil {
		return nil, err
	}
	c := &Card{Device: device, fleet: f}
	m := f.Memory()
	if blocks := len(m.Common); len(m.Fields) != blocks*C.F_FIELDS*C.BLOCK || len(m.Keys) != blocks*C.K_KEYS*C.BLOCK {
		return nil, fmt.Errorf("card: %d fields in %d blocks are not those of the kernel: make kernels, and build anew", len(m.Fields), blocks)
	}
	if c.home, err = device.Primary(); err != nil {
		return nil, err
	}
	err = c.within(func() error {
		if err := c.load(&o); err != nil {
			return err
		}
		return c.place(&o, &m)
	})
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Fleet returns the cars' own fleet: theirs since the last Fetch.
func (c *Card) Fleet() *vector.Fleet { return c.fleet }

// within calls f in the card's context, whichever the thread had and has again afterwards.
func (c *Card) within(f func() error) error {
	if c.home == nil {
		return errClosed
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.home.Enter(); err != nil {
		return err
	}
	return errors.Join(f(), c.home.Leave())
}

var errClosed = errors.New("card: it is closed")

// later notes how something is given back.
func (c *Card) later(f func() error) { c.undo = append(c.undo, f) }

// load makes a stream and loads the kernel.
func (c *Card) load(o *Options) (err error) {
	if c.stream, err = cu.MakeStream(cu.NonBlocking); err != nil {
		return fmt.Errorf("card: make a stream: %w", err)
	}
	c.later(c.stream.Destroy)
	module, err := cu.LoadData(string(o.Image))
	if err != nil {
		return fmt.Errorf("card: load the kernels on %s of compute capability %d.%d: %w; make kernels builds them for others",
			c.Device.Name, c.Device.Major, c.Device.Minor, err)
	}
	c.later(module.Unload)
	for _, k := range []struct {
		name string
		to   *cu.Function
	}{{"fieldbrain_fleet", &c.kernel}, {"fieldbrain_act", &c.order}, {"fieldbrain_book", &c.book}} {
		if *k.to, err = module.Function(k.name); err != nil {
			return fmt.Errorf("card: kernel %s: %w; the kernels are of another version: run make kernels", k.name, err)
		}
	}
	return nil
}

// Step starts n steps of every car under its action and returns. It allocates nothing.
func (c *Card) Step(n int) error {
	if n < 0 || n > math.MaxInt32 {
		return fmt.Errorf("card: %d steps; choose 0 to %d", n, math.MaxInt32)
	}
	if c.home == nil {
		return errClosed
	}
	return c.launch(&c.kernel, n)
}

// launch starts a kernel.
func (c *Card) launch(kernel *cu.Function, n int) error {
	handle := *(*C.CUfunction)(unsafe.Pointer(kernel)) // a cu.Function is the driver's
	r := C.fleet_launch(C.CUcontext(c.home.Handle()), handle, C.int(c.fleet.Cars()),
		C.CUstream(unsafe.Pointer(c.stream.C())), C.CUdeviceptr(c.job), C.int(n))
	if r != C.CUDA_SUCCESS {
		return fmt.Errorf("card: start a kernel for %d cars: %s (%d)", c.fleet.Cars(), C.GoString(C.fleet_error(r)), int(r))
	}
	return nil
}

// Wait returns when all steps have been taken.
func (c *Card) Wait() error { return c.within(c.wait) }

func (c *Card) wait() error {
	if err := c.stream.Synchronize(); err != nil {
		return fmt.Errorf("card: step %d cars: %w; if it comes again, look at dmesg for Xid lines", c.fleet.Cars(), err)
	}
	return nil
}

// Close gives everything back. It is safe to repeat.
func (c *Card) Close() error {
	if c.home == nil {
		return nil
	}
	err := c.within(func() error {
		var errs []error
		for i := len(c.undo) - 1; i >= 0; i-- {
			errs = append(errs, c.undo[i]())
		}
		return errors.Join(errs...)
	})
	err = errors.Join(err, c.home.Release())
	c.undo, c.home = nil, nil
	return err
}
