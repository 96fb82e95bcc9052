// Package plant is the simulated car between the Robot HAT's pins and the
// world: motors, steering, body, battery, and the sensors the pins read.
//
// # Equation
//
// Kinematic bicycle at the rear axle, stepped every millisecond:
//
//	v'     = (v_wheels - v) / lag        both motors' mean
//	delta' = clip(delta_servo - delta, +-rate)
//	theta' = v tan(delta) / L            x' = v cos theta    y' = v sin theta
//	v_wheel = g v_top max(0, (duty-b)/(1-b)) V/V_nominal
//	V      = V_open - R (I_0 + I_m (duty_left + duty_right))
//
// The body is a disc ahead of the axle; a contact blocks motion that would
// deepen it.
//
// Sonar: the nearest of 7 rays in a cone of +-12 deg that its surface sends back,
// times 1 + noise. Floor
// sensor: the floor's reflectance times a spread of its own, plus noise.
//
// # Symbols
//
// L Params.Wheelbase, lag Params.Lag, rate Params.ServoRate, b
// Params.DeadBand, v_top Params.TopSpeed, V Car.Volts. SI units, positive
// angles to the left; the servo's own positive is right and is negated here.
//
// # Concurrency
//
// A Car belongs to whoever holds its board's lock.
//
// # Source
//
// docs/specification.md C.1 (reference simulator); SunFounder picar-x v2.0 for servo
// signs and motor polarity; HC-SR04 data sheets for the sonar.
package plant
