//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"

	"gorgonia.org/cu"
)

// A Report is what a probe found.
type Report struct {
	Device *Device
	// Registered is nil if the device may see shared memory itself, else why it
	// may not. The worker then copies a few kilobytes per tick.
	Registered error
	Kernels    error // nil if the kernels' machine code loads
}

// Probe looks for a device, makes a context on it, loads the kernels and tries to
// register shared memory. The calling goroutine is locked to its thread. The
// error says why there can be no worker on this machine.
func Probe(image []byte) (r Report, err error) {
	if r.Device, err = FindDevice(); err != nil {
		return r, err
	}
	context, err := r.Device.device.MakeContext(cu.SchedBlockingSync | cu.MapHost)
	if err != nil {
		return r, fmt.Errorf("worker: make a context on %s: %w; is it used exclusively by another process?", r.Device.Name, err)
	}
	defer func() { err = errors.Join(err, context.Destroy()) }()
	memory, err := unix.Mmap(-1, 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS|unix.MAP_POPULATE)
	if err != nil {
		return r, fmt.Errorf("worker: map %d bytes: %w", pageBytes, err)
	}
	defer func() { err = errors.Join(err, unix.Munmap(memory)) }()
	if _, r.Registered = register(unsafe.Pointer(&memory[0]), pageBytes); r.Registered == nil {
		r.Registered = unregister(unsafe.Pointer(&memory[0]))
	}
	w := &Worker{Device: r.Device}
	if r.Kernels = w.load(&Options{Image: image}); r.Kernels == nil {
		r.Kernels = w.Close()
	}
	return r, nil
}

// String describes the report in lines.
func (r *Report) String() string {
	page, kernels := "registered: the kernels read and write it themselves", "loaded"
	if r.Registered != nil {
		page = fmt.Sprintf("copied, a few kilobytes per tick (%v)", r.Registered)
	}
	if r.Kernels != nil {
		kernels = r.Kernels.Error()
	}
	return fmt.Sprintf("device:  %v\npage:    %s\nkernels: %s\n", r.Device, page, kernels)
}
