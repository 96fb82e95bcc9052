//go:build cuda

package worker

import (
	"errors"
	"fmt"

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

	device cu.Device
}

// FindDevice returns the visible card with the most multiprocessors. The
// variable CUDA_VISIBLE_DEVICES says which ones are visible.
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
		if best == nil || d.Processors > best.Processors {
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
	d.Integrated = integrated != 0
	return d, nil
}

// Join makes the device's primary context the calling thread's, the one that programs on
// CUDA's runtime have in this process, so that both see the same memory. leave, on the same
// thread, gives it back and makes current what was before.
func (d *Device) Join() (leave func() error, err error) {
	before, err := cu.CurrentContext()
	if err != nil {
		return nil, fmt.Errorf("worker: ask for the thread's context: %w", err)
	}
	context, err := d.device.RetainPrimaryCtx()
	if err != nil {
		return nil, fmt.Errorf("worker: take the primary context of %s: %w; is it used exclusively by another process?", d.Name, err)
	}
	if err := cu.SetCurrentContext(context); err != nil {
		return nil, errors.Join(fmt.Errorf("worker: enter the primary context of %s: %w", d.Name, err), d.device.ReleasePrimaryCtx())
	}
	return func() error { return errors.Join(cu.SetCurrentContext(before), d.device.ReleasePrimaryCtx()) }, nil
}

// Card is what a program must know of the device.
func (d *Device) Card() kernels.Card { return kernels.Card{Processors: d.Processors, Shared: d.Shared} }

// String describes the device in one line.
func (d *Device) String() string {
	kind := "discrete"
	if d.Integrated {
		kind = "integrated"
	}
	return fmt.Sprintf("%s: compute capability %d.%d, %d multiprocessors, %d bytes of shared memory per block, %d MiB, %s, driver %d.%d",
		d.Name, d.Major, d.Minor, d.Processors, d.Shared, d.Memory>>20, kind, d.Driver/1000, d.Driver%1000/10)
}
