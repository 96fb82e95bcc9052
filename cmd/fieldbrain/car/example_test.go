package car_test

import (
	"fmt"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// A mind in a seat of the bench, which drives two seconds in virtual time.
func Example() {
	settings := config.Default()
	settings.Engine.Kind = "purego"
	room, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	rig, err := testbench.NewRig(room, 7, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := rig.Vehicle(testbench.DefaultPeriod)
	mind, err := car.NewMind(settings, car.Seat{
		Body: s.Body, Clock: s.Clock, Seed: s.Seed, Driver: s.Params, Task: car.Task(settings, room),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer mind.Close()
	armed := false
	rig.Drive(s.Period, func(now time.Duration) {
		mind.Brain.Tick(now)
		armed = armed || mind.Brain.Arm() == nil
	})
	rig.AdvanceTo(2 * time.Second)
	fmt.Println(mind.Engine.Name(), "armed:", armed, "moved:", rig.Result().Distance > 0)
	// Output:
	// cpu/purego/collapsed/1 armed: true moved: true
}
