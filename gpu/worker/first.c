//go:build cuda

// gorgonia.org/cu starts the driver in a package initialiser and ends the
// process when that fails, with words on standard output, which nobody reads. This
// runs before it, and says what is wrong where the client reads it.
#include <stdio.h>
#include <unistd.h>

#include "shim.h"

// remedy says what to do about an answer of cuInit. Nodes that may not be opened make it 100,
// 801 or 999, by the release of a Jetson; a PC without the module nvidia-uvm makes it 999.
static const char *remedy(CUresult code) {
	switch ((int)code) {
	case CUDA_ERROR_NO_DEVICE:
	case CUDA_ERROR_NOT_SUPPORTED:
	case CUDA_ERROR_UNKNOWN:
		return access("/dev/nvmap", F_OK) == 0
			? "this user may not open the Jetson's nodes (/dev/nvmap, /dev/nvgpu/*/*, /dev/dri/renderD*): join the groups video "
			  "and render; in a service see fieldbrain doctor, card rights, and restart it: one that began before the driver was "
			  "loaded may not open its nodes"
			: "no CUDA device can be opened: look at nvidia-smi, CUDA_VISIBLE_DEVICES, the rights on /dev/nvidia* and the module "
			  "nvidia-uvm (modprobe nvidia-uvm); in a service see fieldbrain doctor, card rights, and restart it: one that began "
			  "before the module was loaded may not open its nodes";
	case CUDA_ERROR_SYSTEM_NOT_READY:
		return "the system's own services are not ready: start nvidia-fabricmanager";
	case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
		return "kernel module and library are of different versions: restart the machine";
	case CUDA_ERROR_OUT_OF_MEMORY:
		return "the card's memory is full: look at nvidia-smi";
	}
	return "look at nvidia-smi and dmesg";
}

__attribute__((constructor)) static void start_driver(void) {
	CUresult code = cuInit(0);
	if (code == CUDA_SUCCESS) return;
	fprintf(stderr, "fieldbrain-gpu: the CUDA driver does not start: %s (%d), %s; %s\n", worker_error(code), (int)code,
	        worker_meaning(code), remedy(code));
	_exit(1);
}
