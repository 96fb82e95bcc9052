// Package cpu steps the field on the processor: in C++ for AVX-512, AVX2,
// SSE4.1 and NEON where the build has cgo, in plain Go everywhere.
//
// # Equation
//
// All engines compute the same function of parameters and inputs, to the bit
// (package field, "Accuracy"). The plain loops are in purego.go and lateral.go;
// every fast loop is judged against them.
//
// # Shapes
//
// The dense step stores and computes 64 channels of 32x32x32 cells. The
// collapsed step stores one slice along the axes on which a channel is uniform
// and leaves out channels of which it is known that no bit would change:
// without loss, the expanded fields have one hash.
//
// # Concurrency
//
// One goroutine owns an Engine. Inside a step, units of channels that do not
// read each other run on the caller's thread and on workers, which spin for a
// bounded time, yield, and sleep in the kernel between ticks.
//
// # Errors
//
// New returns the parameters' complaints or an error that wraps ErrISA. Step
// refuses a Quality with periods that do not exist.
//
// # Source
//
// docs/specification.md B.3 and B.5, docs/decisions/0002 and 0006.
package cpu
