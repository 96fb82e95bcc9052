// Package response measures how long a car takes from sensor to motor on the
// simulated Robot HAT, beside the least that its bus allows.
//
// A response runs from the instant at which the oldest reading behind a command
// was ready to the return of the I2C write that carried the command's first
// change to one actuator; the driver stamps both (picarx.Response). The time is
// virtual: wires take what their clock says, each transaction a kernel's time
// besides, a tick as long as Params.Tick, and nothing else takes any. So the
// figures are those of the schedule, the same on every machine.
//
// # Equation
//
//	floor = 2 conversions + tick + 3 writes      conversion = write + 2 reads
//
// which is what the last actuator takes when nothing waits: the first of three
// floor sensors is ready, the other two are converted, the command is decided,
// and both motors and the steering are written (picarx.LeastResponse).
//
// # Source
//
// Bits per transaction: NXP, I2C-bus specification, UM10204 rev. 7, 3.1.
package response
