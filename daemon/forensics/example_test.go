package forensics_test

import (
	"fmt"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/forensics"
)

// A tick took 31 ms in the engine's step, and its thread computed all the while.
func ExampleJudge() {
	const ms = time.Millisecond
	e := forensics.Evidence{Period: 5 * ms, Engine: "cpu/avx512", Policy: "fifo", Priority: 50}
	e.Miss = forensics.Miss{
		Worst: forensics.Tick{Number: 4711, End: 31 * ms, Skipped: 6}, Usual: forensics.Tick{End: ms},
		Ticks: 1, Cost: 30 * ms, Busy: 30 * ms, Ran: 30 * ms,
	}
	e.Miss.Stages[brain.Step] = 30 * ms
	f := forensics.Judge(&e)
	fmt.Println(f.Cause)
	fmt.Println(f.Sentence)
	// Output:
	// engine
	// tick 4711 took 31.00 ms instead of 1.00 ms, most likely because the engine's step (cpu/avx512) took 30.00 ms more than usual on the loop's thread: it computed for 30.00 ms
}
