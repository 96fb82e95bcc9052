//go:build cuda

#include "shim.h"

CUresult fleet_launch(CUfunction kernel, int cars, CUstream stream, CUdeviceptr job, int n) {
	void *parameters[] = {&job, &n};
	return cuLaunchKernel(kernel, (cars + FLEET_THREADS - 1) / FLEET_THREADS, 1, 1, FLEET_THREADS, 1, 1, 0, stream, parameters, NULL);
}
