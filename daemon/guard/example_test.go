package guard_test

import (
	"errors"
	"fmt"

	"fieldbrain/daemon/guard"
	"fieldbrain/robot"
)

// Without a guard the reset line does not rise, and every tick learns that nobody
// would stop the motors.
func Example() {
	clock := robot.NewMonotonic()
	ward := guard.New("/nowhere/guard.sock", guard.Bench, clock)
	fmt.Println(errors.Is(ward.Renew(), guard.ErrNone))
	fmt.Println(errors.Is(ward.Set(true), robot.ErrHeld))
	fmt.Println(ward.Beat(clock.Now()).Lost)
	// Output:
	// true
	// true
	// true
}
