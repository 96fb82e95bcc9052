// Package doctor checks a machine for everything the robot's brain wants from
// it and says, for each thing that is missing, why and what to do.
//
// A check is a function of a Machine: a file tree (the real one, or a fake
// /proc and /sys in a test) and a few probes that no file can replace. Checks
// change nothing, with two exceptions: the real-time probes try their call in a
// thread that they throw away, and the HAT probe, only when a user asks for it and
// neither daemon nor guard has the HAT, reads one byte from the bus.
//
// For the real car root's own rights prove nothing: the service runs as a user
// of its own. As root the checks read its unit, /etc/passwd and /etc/group and
// judge for that user; each Result says whose rights it is about.
//
// # Concurrency
//
// Checks run one after the other in the caller's goroutine.
//
// # Errors
//
// None: a check that cannot run returns a Result that says so.
//
// # Source
//
// hardware facts of the Jetson's header: NVIDIA/jetson-gpio gpio_pin_data.py;
// the I2C adapters: Linux, tegra234.dtsi; limits: sched(7), mlockall(2).
package doctor
