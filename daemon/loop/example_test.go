package loop_test

import (
	"context"
	"fmt"
	"time"

	"fieldbrain/daemon/loop"
)

// A clock that a test turns by hand: a sleep ends at once, at the right time.
type wound struct{ now time.Duration }

func (w *wound) Now() time.Duration             { return w.now }
func (w *wound) SleepUntil(until time.Duration) { w.now = max(w.now, until) }

// A tick of 12 ms in a loop of 5 ms: the loop skips the two releases that passed
// meanwhile, and the next tick begins on the grid.
func Example() {
	clock := &wound{}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	p := loop.Params{Period: 5 * time.Millisecond, CPU: -1} // asks nothing of the kernel
	ticks := 0
	l, err := loop.New(clock, p, loop.Hooks{
		Tick: func(now time.Duration) {
			if now == 10*time.Millisecond {
				clock.now += 12 * time.Millisecond
			}
		},
		After: func(s loop.Sample) {
			if ticks++; ticks > 4 { // the loop sees the end a little later
				return
			}
			fmt.Println("tick at", s.Start, "skipped", s.Skipped)
			if ticks == 4 {
				end()
			}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := l.Run(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// tick at 5ms skipped 0
	// tick at 10ms skipped 2
	// tick at 25ms skipped 0
	// tick at 30ms skipped 0
}
