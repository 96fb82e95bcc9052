package safety_test

import (
	"fmt"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// A car that wants to drive at 0.2 m/s loses its sonar's echo: it creeps after
// a quarter of a second and stands after one.
func Example() {
	reflexes, err := safety.New(safety.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reflexes.Arm()) // nothing sensed yet

	var s robot.State
	last := safety.Disarmed
	for s.Now = 5 * time.Millisecond; s.Now <= 2*time.Second; s.Now += 5 * time.Millisecond {
		if s.Now <= 500*time.Millisecond {
			s.Range[robot.Front] = robot.Reading{Value: 2, At: s.Now, OK: true}
		}
		s.Battery = robot.Reading{Value: 7.4, At: s.Now, OK: true}

		out, causes := reflexes.Apply(&s, robot.Command{At: s.Now, Speed: 0.2, Enable: true})
		if causes != last {
			fmt.Printf("%v: %v (%v), %.2f m/s\n", s.Now, causes.Level(), causes, out.Speed)
			last = causes
		}
		if causes == safety.Disarmed {
			_ = reflexes.Arm()
		}
	}
	// Output:
	// safety: arm refused: what the sensors said last is too old (state-stale): look for a blocked sampler: system load, a hung bus
	// 10ms: NORMAL (none), 0.01 m/s
	// 755ms: LIMITED (range-stale), 0.10 m/s
	// 1.505s: STOPPED (range-lost), 0.00 m/s
}
