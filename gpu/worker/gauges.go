//go:build cuda

package worker

/*
#cgo LDFLAGS: -ldl -lpthread
#include <cuda.h>
#include <stdlib.h>
#include "gauges.h"
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"

	"fieldbrain/gpu"
)

// The page's gauges are C's, and the reasons have the same bits: else this does not compile.
const (
	_ = -(unsafe.Sizeof(gpu.Gauges{}) ^ C.sizeof_FieldbrainGauges)
	_ = -uint(gpu.HeldByHeat ^ C.FIELDBRAIN_HEAT)
	_ = -uint(gpu.HeldByPower ^ C.FIELDBRAIN_POWER)
)

// readGauges lets a thread of C's read the card's gauges into the page once a second,
// until the function that it returns is called. No tick meets that thread: it has no part
// in Go's scheduling, and holds no lock that a tick takes. Without it the gauges are
// unknown, which is said on standard error and is no error.
func (w *Worker) readGauges() (stop func()) {
	bus, err := w.Device.bus()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fieldbrain-gpu: nobody reads the card's clock, load and temperature:", err)
		return func() {}
	}
	name, machine := C.CString(bus), C.CString(w.Device.machine)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(machine))
	to := (*C.FieldbrainGauges)(unsafe.Pointer(&w.window.page.Head.Gauges)) // no memory of Go
	reader := C.worker_gauges_start(to, name, C.uint64_t(w.Device.Memory), machine)
	if reader == nil {
		fmt.Fprintln(os.Stderr, "fieldbrain-gpu: nobody reads the card's clock, load and temperature: no thread can be started; raise the limit of processes")
		return func() {}
	}
	return func() { C.worker_gauges_stop(reader) }
}

// bus returns the card's PCI address, by which NVML finds it: CUDA_VISIBLE_DEVICES gives
// cards other numbers than NVML's.
func (d *Device) bus() (string, error) {
	var text [32]C.char
	if code := C.cuDeviceGetPCIBusId(&text[0], C.int(len(text)), C.CUdevice(d.device)); code != C.CUDA_SUCCESS {
		return "", fault("ask for the card's PCI address", code)
	}
	return C.GoString(&text[0]), nil
}
