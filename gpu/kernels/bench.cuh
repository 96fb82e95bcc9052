// Kernels of the benchmark alone: yardsticks of the card with the same bytes, which
// overwrite the field, and parts of a tick by themselves.
//
// Shapes: one dense field, 64 x 32768 float32. Launch: copy and scale take four cells
// per thread and read and write 8 MiB each; gradient takes the blocks of K2 and reads
// 4 bytes per cell; match takes one block of 1024 threads and reads 33 kB of contexts.
#ifndef FIELDBRAIN_BENCH_CUH
#define FIELDBRAIN_BENCH_CUH

#include "evolve.cuh"
#include "recall.cuh"

// fieldbrain_copy copies one whole dense field, four cells at a time.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_copy(const Memory *mem) {
	const float4 *from = (const float4 *)mem->u[0];
	float4 *to = (float4 *)mem->u[1];
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < CELLS * CHANNELS / 4; i += gridDim.x * blockDim.x) to[i] = from[i];
}

// fieldbrain_scale does one product per cell on the way.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_scale(const Memory *mem) {
	const float4 *from = (const float4 *)mem->u[0];
	float4 *to = (float4 *)mem->u[1];
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < CELLS * CHANNELS / 4; i += gridDim.x * blockDim.x) {
		float4 v = from[i];
		v.x = mul(v.x, 0.999f);
		v.y = mul(v.y, 0.999f);
		v.z = mul(v.z, 0.999f);
		v.w = mul(v.w, 0.999f);
		to[i] = v;
	}
}

// fieldbrain_gradient sums the present outputs of every channel along each axis
// in a pass of its own; the evolve pass does it on the way.
extern "C" __global__ void __launch_bounds__(512, 2) fieldbrain_gradient(const Memory *mem) {
	FIELDBRAIN_STATIC_SHARED(Share, share, 1);
	Share *w = &share[0];
	claim(mem, w);
	displaced(w);
	take(w);
	clear(w);
	const int r = threadIdx.x % SIDE;
	for (int strip = threadIdx.x / SIDE; strip < w->strips(); strip += blockDim.x / SIDE) {
		const Strip at(w, strip);
		Tally sum = {0, 0};
		for (int n = 0; n < w->each; n++)
			sum.note(output(old<true>(w, w->from(at.a + n, at.row, r)), w->s.kind == AMARI), n, r);
		sum.book(w->sums, at, r);
	}
	publish(w->c, w, w->sums);
}

// fieldbrain_match makes a context and finds the three patterns nearest to it, as
// K3 does every 100 ms after its answer is out.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_match(const Memory *mem) {
	FIELDBRAIN_STATIC_SHARED(Recollection, memory, 1);
	Recollection *m = &memory[0];
	gather(mem, m);
	EVERYONE;
	whiten(mem->library, m);
	cosines(mem->library, mem->library->z, m);
	if (threadIdx.x == 0) mem->library->best = top(mem->library, m, 3);
}

#endif
