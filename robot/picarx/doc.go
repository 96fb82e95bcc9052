// Package picarx drives a SunFounder PiCar-X through its Robot HAT V4: two
// motors, three servos, three floor sensors, the battery and the sonars.
//
// A Car is three state machines that somebody steps. Service owns the I2C bus
// and does at most one transaction per call; Ping owns the sonars; Watch stops
// the motors when Service hangs. Each returns when it wants to be called again,
// so the bench runs them in virtual time without a goroutine and Run runs them
// on threads. Nothing in them sleeps, apart from the 10 us of a trigger pulse.
//
// # Equation
//
// Wheels (bicycle model, R = L / tan |delta| at the middle of the rear axle):
//
//	v_inner = v (R - T/2) / R      v_outer = v (R + T/2) / R
//	duty    = b + (1 - b) g s |v_wheel| / v_top    0 below the smallest speed
//	s       = V_nominal / V                        0.81..1.31, in steps of 1/32
//
// Servo pulse and count (the vendor's formulas, truncated as there):
//
//	pulse = 500 us + 2000 us (angle + 90) / 180    count = pulse / 20 ms * 4095
//
// Range: r = width c / 2 with c = 331.3 + 0.606 T m/s.
//
// # Symbols
//
//	L      Calibration.Body.Wheelbase    m
//	T      Calibration.Body.Track        m
//	v_top  Calibration.Body.TopSpeed     m/s at full duty
//	b      Gain.DeadBand                 duty at which the wheel starts, 0..1
//	g      Gain.Gain                     trim of one motor and direction
//	V      battery under load, median and low pass; 1 for s where it is not known
//	V_nominal  Calibration.Motors.Nominal V
//	delta  robot.Command.Steering        rad, positive left
//	T      SonarParams.Temperature       degrees Celsius, in the range equation
//
// # Signs
//
// The servo's own angle is positive to the right for steering (so ours is
// negated), positive to the left for pan and positive downward for tilt: the
// vendor sends the negative of its pan and tilt values (picar-x v2.0,
// picarx.py). Forward is the left direction line low and the right one high.
//
// # Priorities
//
// stop > motor change > cliff sensors > steering > camera > battery > timers.
//
// A stop waits for at most one transaction. A motor change also lets a running
// ADC conversion finish (at most two 1-byte reads): the vendor does not publish
// how the firmware takes a write between the bytes of a conversion. After a
// stop that does interrupt one, the driver reads the remaining bytes and throws
// them away.
//
// # Pace
//
// Whoever decides at regular instants says so once (Pace). The bus then works
// towards these releases, with the times of transactions that it measures:
//
//	sweep of the floor | release: command, motors, steering | gap: the rest | sweep ...
//
// A sweep ends just before a release; from the release until its command comes,
// at most 1 ms, the bus stays free; where a sweep leaves no room for what else is
// due, the next one is left out, never two in a row; the timer's period is renewed
// before a duty would have to wait for it; pings are aimed so that their echo
// comes in the middle of a sweep. Response holds the stamps that prove it,
// LeastResponse the floor beneath them. Stops and changes of duty keep their
// priority at any time.
//
// # Concurrency
//
// Sense and Act belong to one goroutine, Service to one, Ping to one; values
// pass through wait-free triple buffers, so no side ever waits for another. Any
// one goroutine may call Halt, Stats, Pace and Responses. The driver holds no lock
// across a system call.
//
// # Errors
//
// BusError: a transaction failed; the driver retries, resets and recovers by
// itself. SilenceError: the bus owner did not come back in time; it tells a
// hanging transaction from a thread that a busy computer did not run.
// StopError: the HAT did not acknowledge a stop and the driver made it through
// the reset line. BoardError: nobody may drive this HAT; configure another
// body.
// ErrNoHat: nothing answers; the driver keeps probing once a second, and resets what
// answers then before it drives it. ErrBooting: what it has reset so does not answer
// yet; the driver waits 12 s for it and leaves the reset line alone.
// ErrResetDeaf: the controller answers while its reset line is low, so that nothing would
// stop the motors if the program died; the driver writes zeros, does not get ready, and
// tries the line again once a second.
// ErrDesync and ErrBehind: what the ADC answers is shifted by bytes, or by one
// conversion; the driver resets the controller.
// ErrNotFinite: Act refused a command; the old one ages out.
// CalibrationError: a file is wrong at a line and key.
//
// # Source
//
// sunfounder/robot-hat 2.5.x (i2c.py, adc.py, pwm.py, servo.py, motor.py) and
// its manual (onboard_mcu.rst); sunfounder/picar-x v2.0 (picarx.py);
// NVIDIA/jetson-gpio (gpio_pin_data.py); Linux i2c-tegra.c, gpiolib-cdev.c.
package picarx
