// Fieldbrain drives a robot car with a dynamic neural field.
//
//	fieldbrain run --arm          drive the simulated car, watch it live
//	fieldbrain run --body picarx  the daemon on the robot; boots disarmed
//	fieldbrain arm, disarm, estop, reset, status
//	fieldbrain halt               resets the robot's HAT without a daemon
//	fieldbrain doctor             what is missing on this machine, and what to do
//	fieldbrain bench latency      how punctual the loop is here
//	fieldbrain bench ladder       what less of the mind saves, and loses
//	fieldbrain bench behave       every behaviour, beside drivers without a field
//	fieldbrain bench gpu          how fast the graphics card is, and the way to it
//	fieldbrain brain show         what the saved mind holds; diff, reset
//	fieldbrain config doc         every setting with its default and limits
//
// # Exit codes
//
// 0: done, and what was asked for holds. 1: it failed or does not hold (a
// refused order, a failed scenario, a failed check). 2: wrong use (an unknown
// command or flag, an invalid configuration).
//
// # Shape
//
// main only parses and reports; each command has a file of its own; wire.go is
// the one place where body, engine and brain are put together.
package main
