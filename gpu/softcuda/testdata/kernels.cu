// Kernels for the software driver's own tests.
enum { WARPS = 8, THREADS = 32 * WARPS };

// Sums one block's numbers by shuffles and shared memory.
extern "C" __global__ void __launch_bounds__(THREADS) sum_blocks(const int *in, int *out, int n) {
	FIELDBRAIN_STATIC_SHARED(int, sums, WARPS);
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
	for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
	if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
	__syncthreads();
	if (threadIdx.x < 32) {
		v = threadIdx.x < WARPS ? sums[threadIdx.x] : 0;
		for (int d = 1; d < 32; d <<= 1) v += __shfl_xor_sync(~0u, v, d);
		if (threadIdx.x == 0) out[blockIdx.x] = v;
	}
}

// One running sum per warp, a vote and an atomic count, for the host to check.
extern "C" __global__ void warps(const int *in, int *scan, unsigned *odd, unsigned *count) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], lane = threadIdx.x % 32;
	unsigned votes = __ballot_sync(~0u, v & 1);
	for (int d = 1; d < 32; d <<= 1) {
		int below = __shfl_up_sync(~0u, v, d);
		if (lane >= d) v += below;
	}
	scan[i] = __shfl_sync(~0u, v, lane) + (__all_sync(~0u, lane < 32) ? 0 : 1);
	if (lane == 0) odd[i / 32] = votes;
	if (__any_sync(~0u, v > 0)) atomicAdd(count, 1u);
}

// Transposes through dynamic shared memory, the block's size squared.
extern "C" __global__ void transpose(float *m) {
	FIELDBRAIN_SHARED(float, tile);
	int x = threadIdx.x, y = threadIdx.y, n = blockDim.x;
	tile[y * n + x] = m[y * n + x];
	__syncthreads();
	m[y * n + x] = tile[x * n + y];
}

struct Answer { unsigned long long number; int value, half; };

extern "C" __global__ void add(int *sum, int by) {
	if (threadIdx.x == 0) *sum += by;
}
// Writes the answer and then its number, as the last kernel of a tick does.
extern "C" __global__ void answer(const int *sum, Answer *a) {
	if (threadIdx.x == 0) a->value = *sum;
	if (threadIdx.x == 1) a->half = *sum / 2;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence_system();
		*(volatile unsigned long long *)&a->number = a->number + 1;
	}
}

// Wrong ones.
extern "C" __global__ void divergent(int *out) {
	if (threadIdx.x < 40) __syncthreads();
	out[threadIdx.x] = 1;
}
extern "C" __global__ void mixed(int *out) {
	int v = threadIdx.x & 1 ? __shfl_sync(~0u, 1, 0) : __shfl_xor_sync(~0u, 1, 1);
	out[threadIdx.x] = v;
}
extern "C" __global__ void unwritten(int *out) {
	FIELDBRAIN_SHARED(int, s);
	if (threadIdx.x != 7) s[threadIdx.x] = 1;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void beyond(int *out) {
	FIELDBRAIN_SHARED(int, s);
	s[threadIdx.x + 1] = 1;
	out[threadIdx.x] = 1;
}
extern "C" __global__ void race(int *out) {
	FIELDBRAIN_SHARED(int, s);
	s[threadIdx.x] = threadIdx.x;
	__syncwarp();
	out[threadIdx.x] = threadIdx.x < 32 ? 0 : s[threadIdx.x - 32];
}
extern "C" __global__ void nowhere(int *out) {
	out[threadIdx.x] = 1;
	out[64 + threadIdx.x] = 1;
}
