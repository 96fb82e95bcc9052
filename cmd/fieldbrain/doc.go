// Fieldbrain drives a robot car with a dynamic neural field.
//
//	fieldbrain run --arm          drive the simulated car, watch it live
//	fieldbrain run --body picarx  the daemon on the robot; boots disarmed
//	fieldbrain arm, disarm, estop, reset, status
//	fieldbrain go goal 2 1        where to: explore, line, goal X Y, home, hold or manual
//	fieldbrain set brain.cruise 0.2   change how it drives, while it drives
//	fieldbrain drive              drive it yourself, with a gamepad
//	fieldbrain sim --record, replay   every input of a drive, and the same drive again
//	fieldbrain halt               resets the robot's HAT without a daemon
//	fieldbrain doctor             which prerequisites this machine lacks, with remedies
//	fieldbrain bench latency      how punctual the loop is here
//	fieldbrain bench ladder       how much time each lower quality saves, and its loss
//	fieldbrain bench behave       every behaviour, beside drivers without a field
//	fieldbrain bench gpu          how fast the graphics card is, and the way to it
//	fieldbrain tune               better numbers for the driving law, examined before they count
//	fieldbrain brain show         the contents of the saved brain; diff, reset
//	fieldbrain config doc         every setting with its default and limits
//	fieldbrain help, man          all of it; completion: for bash, zsh and fish
//
// # Exit codes
//
// 0: the command has done its work, and the check it made holds. 1: it failed, or
// the check does not hold (a refused order, a failed scenario), or a part of what it
// printed is lost (a full disk). 2: wrong use (no
// command, which prints the help on standard error, an unknown command or flag,
// an invalid configuration).
//
// # Shape
//
// main only parses and reports; each command has a file of its own. The rooms
// below do the work: car puts body, engine and brain together, service is the
// running daemon, drive a pilot on the bench, replay a recorded brain that ticks again, export what
// is made of a recording,
// ladder the quality ladder measured,
// monitor the terminal's monitor, gamepad the gamepad, manual completion and man page.
package main
