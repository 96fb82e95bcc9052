//go:build cuda

// gorgonia.org/cu starts the driver in a package initialiser and ends the
// process when that fails, with words on standard output, which nobody reads. This
// runs before it, and says what is wrong where the client reads it.
#include <stdio.h>
#include <unistd.h>

#include "shim.h"

static const char *remedy(CUresult code) {
	switch ((int)code) {
	case CUDA_ERROR_NO_DEVICE:
		return "no CUDA device is visible: look at nvidia-smi, CUDA_VISIBLE_DEVICES and the rights on /dev/nvidia*";
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
