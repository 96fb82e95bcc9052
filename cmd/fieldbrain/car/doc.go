// Package car puts a body, an engine and a brain together as a configuration
// asks for. It knows settings and hardware, but no command line, no log and no
// socket: the daemon, the bench and other people's programs build on the same
// parts.
//
// Reading order: mind.go (engine and brain), car.go (a mind in a body), real.go
// and simulated.go (the two bodies), card.go and solo.go (the graphics card in a
// daemon and on the bench), rays.go (what it casts for the planner), preflight.go
// (checks of a configuration).
//
// # Concurrency
//
// A Mind belongs to the goroutine that ticks it. GPU.Between runs on that
// goroutine between two ticks; GPU.Supervisor.Run and Car.Work each want one of
// their own.
//
// # Errors
//
// config.UsageError: a name that does not exist. config.Complaints: settings
// that no car can drive with, each with key, reason and remedy. Any other error:
// the hardware or the card's program refuses.
package car
