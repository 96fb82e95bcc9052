// Package daemon is everything around the loop that makes it a service: the
// control socket and its client, the status, the log, the machine's temperature
// and power mode, and the service manager's watchdog.
//
// Reading order: control.go (orders come in), client.go (they go out), status.go
// (the answer), log.go, thermal.go, notify.go. daemon/loop calls the tick,
// daemon/config is the configuration, daemon/store keeps files that a power cut
// leaves whole, daemon/doctor checks a machine.
//
// # Concurrency
//
// Every function here belongs to goroutines of the ordinary class; none may run
// on the loop's thread. A Log and a Control serve any number of goroutines.
//
// # Errors
//
// ErrRunning: another daemon owns the control socket; the caller gives up.
// ErrNoDaemon: nothing answers on it. A degraded part is not an error but a
// loop.Condition in the Status.
//
// # Source
//
// sd_notify(3) and sd_watchdog_enabled(3); unix(7) for the socket's mode and its
// longest path; thermal.go names the kernel's files.
package daemon
