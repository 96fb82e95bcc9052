package rollout_test

import (
	"fmt"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/rollout"
)

// A goal lies ahead to the left: the first command steers there.
func Example() {
	b, err := belief.New("auto")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := rollout.New("auto", rollout.Default(), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Begin(&rollout.Situation{GoalX: 0.5, GoalY: 0.5, GoalWeight: 1, Belief: b})
	ticks := 1
	plan, done := p.Advance(16)
	for ; !done; ticks++ {
		plan, done = p.Advance(16)
	}
	fmt.Println(ticks, plan.Steering > 0.1, plan.Speed > 0.2, plan.Y > 0.1)
	// Output: 21 true true true
}
