// Package kit has the numbers of a PiCar-X that both its driver and its brain must know,
// as the kit comes: the geometry, the speed it is driven at, the references of its floor
// sensors. It is no driver and needs none: a program that has a body of its own begins
// with these numbers, and the driver's calibration begins with the same.
//
// # Source
//
// docs/hardware.md, 2.6 and 2.8; SunFounder picar-x v2.0 (picarx.py).
package kit
