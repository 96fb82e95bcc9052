// Package worker does the child's work: it owns the device, puts the
// field into its memory and carries out the orders that come through the page
// (package gpu). It is built with the tag cuda and then needs cuda.h and
// libcuda.so; gpu/softcuda has both for machines without a card.
//
// # Life
//
// Open finds the device, makes a context on the calling thread, loads the
// kernels, lays out the arena, registers the page and builds the tick's graph.
// Serve then takes orders until it is told to stop. A step costs one call into C,
// which launches the graph and waits for its answer. From Open to Close nothing
// is allocated, neither in Go nor in C nor on the device.
//
// The worker starts a plan and does not wait for it: it runs on the stream of lowest priority,
// and its last kernel writes its number into the page.
//
// Beside Serve a thread of C's own reads the card's gauges once a second (gauges.c).
//
// # Concurrency
//
// A CUDA context belongs to a thread: whoever calls Open has locked its
// goroutine to its thread (runtime.LockOSThread) and makes every other call on
// it.
//
// # Errors
//
// A refusal (an order or an input that cannot be carried out) leaves the worker
// as it was. Every error of the driver ends it: after a fault a context answers
// nothing else, and a new process is the only cure. Serve returns it, the client
// reads its words in the page.
//
// # Source
//
// CUDA Driver API reference, sections on graphs, stream priorities and host
// registration. gorgonia.org/cu v0.9.6 is what reaches it; shim.c adds the calls
// that cu lacks.
// NVML API Reference Guide; gauges.c opens that library by itself.
package worker
