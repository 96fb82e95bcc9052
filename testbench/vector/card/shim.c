//go:build cuda

#include "shim.h"

CUresult fleet_launch(CUcontext context, CUfunction kernel, int cars, CUstream stream, CUdeviceptr job, int n) {
	void *parameters[] = {&job, &n};
	CUcontext popped;
	CUresult r = cuCtxPushCurrent(context), also;
	if (r != CUDA_SUCCESS) return r;
	r = cuLaunchKernel(kernel, (cars + FLEET_THREADS - 1) / FLEET_THREADS, 1, 1, FLEET_THREADS, 1, 1, 0, stream, parameters, NULL);
	also = cuCtxPopCurrent(&popped);
	return r != CUDA_SUCCESS ? r : also;
}

const char *fleet_error(CUresult code) {
	const char *name = NULL;
	return cuGetErrorName(code, &name) == CUDA_SUCCESS && name ? name : "an error without a name";
}
