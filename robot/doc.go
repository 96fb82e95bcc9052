// Package robot says what any body is to the brain: the State it senses, the
// Command it obeys, the Limits that hold for both, and the clock they share.
//
// The package knows no technology. robot/picarx is the body built from a
// SunFounder PiCar-X and its Robot HAT; robot/kit has that kit's numbers; robot/safety holds the reflexes and
// the failsafe machine that stand between a Command and the motors.
//
// # Conventions
//
// SI units everywhere: metres, metres per second, radians, volts. x points
// forward, y to the left, and a positive angle turns to the left (counter
// clockwise seen from above). Conversions to servo signs, degrees, counts and
// duty cycles happen once, in the driver.
//
// # Time
//
// Every instant is a time.Duration on one monotonic clock (see Clock). A
// Reading carries the instant at which its datum was ready: the kernel's stamp
// of the falling echo edge, or the return of the last byte of an ADC read.
//
// # Concurrency
//
// State, Command and Reading are plain values. A Body may be used by one
// goroutine that senses and acts; its samplers run elsewhere and hand over the
// newest values without making the caller wait.
package robot
