// Package gamepad drives the car with a gamepad: it reads the kernel's event devices
// (evdev, Documentation/input/input.rst and input-event-codes.h of Linux), makes shares
// of throttle and steering of the sticks, and sends them to the daemon twenty times a
// second (docs/manual.md).
//
// It reads the records itself. The one library in Go that is still kept,
// holoplot/go-evdev, was not to be had from the module proxy on 2026-11-22, and
// gvalkov/golang-evdev needs a C compiler and has had no change since 2022; what is
// wanted of either is a record of 24 bytes and two ioctls.
package gamepad
