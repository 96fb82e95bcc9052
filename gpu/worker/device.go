//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/gpu/kernels"
)

// A Device is a card and what it can do.
type Device struct {
	Number       int // CUDA's
	Name         string
	Driver       int   // version of the driver: 12040 is 12.4
	Major, Minor int   // compute capability
	Processors   int   // multiprocessors
	Shared       int   // bytes of shared memory that a block may be allowed
	Memory       int64 // bytes
	Integrated   bool  // shares the processor's memory, as a Jetson does
	Overlaps     bool  // a kernel of a graph may begin while the one before it runs

	device  cu.Device
	machine string // the kernel's list of the memory of an integrated one, empty for others
}

// meminfo is the kernel's list of the machine's memory: proc_meminfo(5).
const meminfo = "/proc/meminfo"

// oldest is the compute capability, times ten, from which on there are kernels: the first
// of gpu/kernels/report.
const oldest = 75

// better reports whether a device is to be preferred to one found before: one that the
// kernels run on, then the one with more multiprocessors.
func (d *Device) better(than *Device) bool {
	if than == nil {
		return true
	}
	runs, ran := 10*d.Major+d.Minor >= oldest, 10*than.Major+than.Minor >= oldest
	if runs != ran {
		return runs
	}
	return d.Processors > than.Processors
}

// FindDevice returns the visible card with the most multiprocessors, of those that there
// are kernels for, if any. The variable CUDA_VISIBLE_DEVICES says which ones are visible.
func FindDevice() (*Device, error) {
	n, err := cu.NumDevices()
	if err != nil {
		return nil, fmt.Errorf("worker: count the devices: %w", err)
	}
	var best *Device
	for i := range n {
		d, err := describe(i)
		if err != nil {
			return nil, fmt.Errorf("worker: device %d: %w", i, err)
		}
		if d.better(best) {
			best = d
		}
	}
	if best == nil {
		return nil, errors.New("worker: no CUDA device is visible: look at nvidia-smi and CUDA_VISIBLE_DEVICES")
	}
	return best, nil
}

func describe(number int) (*Device, error) {
	device, err := cu.GetDevice(number)
	if err != nil {
		return nil, err
	}
	d := &Device{Number: number, Driver: cu.Version(), device: device}
	if d.Name, err = device.Name(); err != nil {
		return nil, err
	}
	if d.Memory, err = device.TotalMem(); err != nil {
		return nil, err
	}
	var integrated int
	for _, a := range []struct {
		attribute cu.DeviceAttribute
		to        *int
	}{
		{cu.ComputeCapabilityMajor, &d.Major},
		{cu.ComputeCapabilityMinor, &d.Minor},
		{cu.MultiprocessorCount, &d.Processors},
		{sharedOptin, &d.Shared},
		{cu.Integrated, &integrated},
	} {
		if *a.to, err = device.Attribute(a.attribute); err != nil {
			return nil, fmt.Errorf("attribute %d: %w", a.attribute, err)
		}
	}
	if d.Integrated = integrated != 0; d.Integrated {
		d.machine = meminfo
	}
	d.Overlaps = d.Major >= 9 && overlaps()
	return d, nil
}

// A Primary is a device's primary context, the one that programs on CUDA's runtime have in
// this process, so that both see the same memory.
type Primary struct {
	context cu.CUContext
	device  cu.Device
}

// Primary takes the device's primary context; Release gives it back.
func (d *Device) Primary() (*Primary, error) {
	context, err := d.device.RetainPrimaryCtx()
	if err != nil {
		return nil, fmt.Errorf("worker: take the primary context of %s: %w; is it used exclusively by another process?", d.Name, err)
	}
	return &Primary{context, d.device}, nil
}

// Enter makes the context the calling thread's until Leave, which must come on the same
// thread and makes current what was before.
func (p *Primary) Enter() error {
	if err := cu.PushCurrentCtx(p.context); err != nil {
		return fmt.Errorf("worker: enter the primary context: %w", err)
	}
	return nil
}

// Leave is the end of Enter.
func (p *Primary) Leave() error {
	if _, err := cu.PopCurrentCtx(); err != nil {
		return fmt.Errorf("worker: leave the primary context: %w", err)
	}
	return nil
}

// Handle is the driver's CUcontext.
func (p *Primary) Handle() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p.context)) } // which cu does not show

// Release gives the context back.
func (p *Primary) Release() error { return p.device.ReleasePrimaryCtx() }

// Card is what a program must know of the device.
func (d *Device) Card() kernels.Card {
	return kernels.Card{Processors: d.Processors, Shared: d.Shared, Overlap: d.Overlaps}
}

// String describes the device in one line.
func (d *Device) String() string {
	kind := "discrete"
	if d.Integrated {
		kind = "integrated"
	}
	order := "one after the other"
	if d.Overlaps {
		order = "overlap"
	}
	return fmt.Sprintf("%s: compute capability %d.%d, %d multiprocessors, %d bytes of shared memory per block, %d MiB, %s, driver %d.%d, kernels %s",
		d.Name, d.Major, d.Minor, d.Processors, d.Shared, d.Memory>>20, kind, d.Driver/1000, d.Driver%1000/10, order)
}
