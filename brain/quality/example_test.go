package quality_test

import (
	"fmt"
	"time"

	"fieldbrain/brain/quality"
)

func Example() {
	g, err := quality.New(5*time.Millisecond, 0, quality.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(ticks int, busy time.Duration) {
		for range ticks {
			g.Update(busy, quality.Surroundings{})
		}
		c := g.Choice()
		fmt.Printf("%s: %v\n", quality.Ladder()[c.Rung].Name, c.Why)
	}
	show(400, time.Millisecond)
	show(3, 4*time.Millisecond)
	show(2000, time.Millisecond)
	// Output:
	// full: the best that is allowed
	// balanced: ticks took too long
	// full: the best that is allowed
}
