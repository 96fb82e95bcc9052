// Package testbench drives the real PiCar-X driver through a simulated Robot
// HAT in a simulated world, in virtual time or in real time, and measures what
// the car did.
//
// A Rig wires the parts together; Run takes a scenario, a seed and a pilot and
// returns a Result. The bench knows no brain: a Pilot builds one (package seat
// has that pilot), or one of the baselines (the vendor's three-rule example, white-noise
// driving).
//
// # Which runner
//
//	suite    the built-in scenarios, their limits and faults: is it still sound?
//	behave   B1 to B15, S1 to S6: does it do what the specification says?
//	trials   generated worlds, every pilot in the same ones: how well does it drive?
//	worth    the same brain with a part of its field taken away: what is the field for?
//	tune     numbers of a pilot, fitted in train worlds
//	sweep    scenarios, worlds and seeds of a file, on many machines
//
// # Equation
//
// The world stands still between two instants at which a driver looks at it or
// changes it, because the HAT's outputs only change by a transaction or a line.
// So the plant is stepped when somebody comes, up to the clock's now, and
// nothing is lost. In virtual time the clock is a list of actors (bus owner,
// sonar sampler, watchdog, tick) of which the earliest due one runs; an actor
// that waits for a transaction lets the others run meanwhile, as threads would.
//
// # Concurrency
//
// In virtual time everything runs on the caller's goroutine. In real time Rig.Run
// starts the driver's threads; Body may then be used by one goroutine more, and
// Truth and Result by any.
//
// # Errors
//
// Run returns the scenario's, the driver's or the pilot's refusal. A failed
// scenario is not an error but a Result that does not pass.
//
// # Source
//
// docs/specification.md C.1 (reference simulator, baselines) and C.2 (metrics).
package testbench
