// Package service is the running daemon: one car, the loop that ticks it, and
// everything around both, from the start to an end with dead motors.
//
// Reading order: service.go (the parts, and the loop's thread), serve.go (from
// start to stop), tasks.go (goroutines beside the loop), watch.go, card.go,
// quality.go and suspend.go (what people should know), orders.go (what people
// want), autosave.go, restore.go and folder.go (the saved brain), signals.go.
//
// # Concurrency
//
// The loop's thread runs tick and after and nothing else; it takes no lock that
// another thread may hold. It leaves values behind in atomics and boxes, which
// the goroutines of the ordinary class pick up. docs/threads.md lists them.
//
// # Errors
//
// Serve returns everything that went wrong, joined. A degraded part is a
// condition of the status, not an error: the car drives on.
package service
