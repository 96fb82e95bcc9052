// Package softcuda is a CUDA driver in software: it builds a libcuda.so.1 that
// runs the very same kernel sources on the processor. It is a test instrument,
// never part of the product: with it the whole path to the graphics processor
// is tested on machines without a card, without nvcc and without NVIDIA's
// header. Only g++ is needed; arm64 works under qemu-user too.
//
// Build compiles the library, or finds it in a cache. Library.CgoEnv makes go
// build link against it, Library.Env makes a program load it; the command run
// does both:
//
//	go run ./gpu/softcuda/run go test -tags cuda ./gpu/worker
//
// # What runs how
//
// Every CUDA thread is a fiber with 64 KiB of stack. The lanes of a warp take
// turns at shuffles and votes, the warps of a block at barriers, the blocks of a
// grid run one after the other on as many processor threads as there are
// (SOFTCUDA_THREADS). Streams are queues that one executor empties, the highest
// priority first; launches return at once. Float operations are the processor's,
// each rounded by itself; there are no float atomics; so results are the card's,
// bit for bit, and the same every time. SOFTCUDA_ORDER=reverse lets lanes and
// warps take turns from the last to the first: what changes then depends on an
// order that the card does not promise.
//
// # What it does not do
//
// No textures, arrays, peers, stream capture, cooperative launches, dynamic
// parallelism, inline PTX: such calls answer CUDA_ERROR_NOT_SUPPORTED, such
// sources do not compile. Shuffles take full masks only. Blocks do not run side
// by side and a waiting loop is never interrupted: a kernel that spins until
// another block or lane has done something hangs. Two kernels never overlap.
// Times are the processor's and say nothing about a card. A module's image only
// has to begin like a fat binary; its kernels are those that were built in.
// Device memory is ordinary memory: the host could read it, and need not copy.
// A kernel that touches an address without memory ends the process by a signal,
// if the tracker (below) does not see it first. Static shared memory, registers and the time limit are not counted.
//
// # Checks
//
// Always: barriers that some threads of a block do not reach, lanes of a warp at
// different calls, overflowing stacks, writes just outside of shared or device
// memory, launches beyond the limits of kernel and device, wrong handles and
// frees. They end the launch with CUDA_ERROR_LAUNCH_FAILED or another error and
// a line on stderr with kernel, block and thread. Memory that nobody wrote is
// not a number, as float, double and half.
//
// With Options.Track: every load and store of a kernel is looked at. Reads of
// shared memory that nobody wrote, accesses outside of what the device has, and
// races in shared memory end the launch (SOFTCUDA_RACES=0: the first two only).
// With Options.Sanitize: what the compiler's sanitizers find in kernels and driver.
//
// # Faults
//
// The environment orders faults. Launches of kernels and graphs are counted
// together, from 1, and so are allocations.
//
//	SOFTCUDA_NO_DEVICE=1               cuInit finds no device
//	SOFTCUDA_INIT=n                    cuInit answers this CUresult
//	SOFTCUDA_OOM_AT=n                  allocation n finds no memory
//	SOFTCUDA_NO_REGISTER=1             cuMemHostRegister is refused
//	SOFTCUDA_FAIL_LAUNCH=n[:code]      launch n ends with an illegal address (or another
//	                                   CUresult), and so does every later call in its context
//	SOFTCUDA_HANG_LAUNCH=n             launch n never ends
//	SOFTCUDA_SLOW_LAUNCH=n:ms          launch n begins ms milliseconds late
//	SOFTCUDA_SLOW_LAUNCH=every:ms      every launch does
//	SOFTCUDA_WRONG_RESULT=n:at[:word]  while launch n runs, the 4 bytes at this offset of the
//	                                   registered (else the first pinned) memory become word
//	                                   (else not a number) at each system-wide fence: wrong
//	                                   before anybody is told that they are there
//	SOFTCUDA_WRONG_RESULT=n+:at[:word] that launch and all after it
//
// SOFTCUDA_NVML is a file from which the management library answers, see Library.NVML.
//
// Further: SOFTCUDA_CAPABILITY=75 (of the device, times ten; it sets how much
// shared memory a block may ask for), SOFTCUDA_MULTIPROCESSORS=n, SOFTCUDA_INTEGRATED=1
// (it shares the processor's memory, as a Jetson's does), SOFTCUDA_LEAKS=1 (a destroyed context tells what it still held). Library.Env
// hands none of the caller's own SOFTCUDA variables on.
package softcuda
