// Package hat is a Robot HAT at register level: an i2c.Bus and GPIO lines on
// which the unmodified PiCar-X driver cannot tell that there is no hardware.
//
// The Board models the V4 HAT's controller (address, 3-byte writes, the
// three-transaction ADC, shared PWM timers, boot time after a reset), the motor
// direction lines, the HC-SR04's trigger and echo, and the time a transaction
// takes on the wire. It computes what the pins put out; the Plant is what hangs
// on them, motors and sensors.
//
// # Equation
//
//	pulse = compare (PSC+1) / 72 MHz      frame = (ARR+1) (PSC+1) / 72 MHz
//	duty  = min(1, compare / (ARR+1))     wire time = bits / clock + overhead
//	bits  = 11 + 9 n for a write or read of n bytes
//
// A servo output is a pulse of 400..2600 us in a frame of 3..25 ms; anything
// else leaves the servo where it is.
//
// # Concurrency
//
// Any goroutine may call all methods. The board never holds its lock while a
// transaction's wire time passes. It calls the Plant's functions with the lock
// held, and they must not call back.
//
// # Errors
//
// A transaction fails with the text the kernel's I2C driver would give through
// periph: "remote I/O error" (no acknowledge), "connection timed out" (hung
// bus, after 100 ms), "resource temporarily unavailable" (arbitration lost,
// after 50 ms).
//
// # Source
//
// sunfounder/robot-hat 2.5.x (pwm.py, adc.py, servo.py, i2c.py) and its manual
// docs/source/robot_hat_v4/onboard_mcu.rst. A field of Params stands for each
// fact that nobody has published (boot time, state after reset, an empty
// queue).
package hat
