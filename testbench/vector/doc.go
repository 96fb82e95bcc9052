// Package vector is the car of testbench/plant many times over: any number of cars,
// each in a world of its own, stepped together.
//
// # Equation
//
// That of testbench/plant, in float64 and with the same roundings: under the same
// motor duties and servo pulses a car of a fleet has the pose, speed, gap and
// contacts of a bench car bit for bit, and under the same instants the same sonar
// ranges and floor counts. Two things are computed less often and change no result:
//
//	slack(t+1) = slack(t) - |v| dt - |yaw| dt a - s dt    at most the gap to anything
//	gap        looked at only where slack <= 0            or 20 mm, where movers wait
//
// a is from the axle to the body's centre, s the fastest mover's speed. Movers take
// the steps they owe when somebody looks at them.
//
// # Symbols
//
// SI units. A step is plant.Tick; sonars ping every PingSteps, the floor is read
// every LookSteps, counted from a car's own reset. Noise is keyed by a car's seed,
// the sensor and the number of its sample, as testbench/noise has it, so that a
// car's drive does not depend on its neighbours, its number or the engine.
//
// # Memory
//
// Structure of arrays in blocks of 16 cars, so that a vector of any width is one
// load and a block stays in the first cache while it takes its steps.
//
// # Concurrency
//
// A Fleet belongs to one goroutine, except that StepPart of different parts may run
// at once.
//
// # Source
//
// docs/fleet.md says where this model and the bench's drives differ. Slack is
// conservative advancement (Mirtich 1996, PhD thesis, UC Berkeley).
package vector
