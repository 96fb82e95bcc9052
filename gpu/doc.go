// Package gpu runs the field on a graphics processor, in a child process that
// may die: the client's side, without cgo and without CUDA.
//
// The child (cmd/fieldbrain-gpu) owns the device. Client and child share one
// sealed page of memory (Page): the client writes the tick's input into it and
// rings, the kernels read it there and write their answer beside it. A child
// that hangs, crashes, answers garbage or answers late is killed; the engine
// then fails and failover.Engine goes on with the processor's engine in the very
// same tick. A Supervisor starts the next child, proves it, and hands it back.
//
// Beside the ticks the child answers the planner's questions (PlanJob): a job is
// handed over like any order and asked for in later ticks, never waited for.
package gpu
