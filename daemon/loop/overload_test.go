package loop_test

import (
	"testing"
	"time"

	"fieldbrain/daemon/loop"
)

func TestOverload(t *testing.T) {
	p := loop.OverloadParams{Window: 10, Stop: 3, Pause: 100 * time.Millisecond}
	type step struct {
		skipped int
		want    loop.Strain
	}
	for _, c := range []struct {
		name, why string
		steps     []step
	}{
		{"quiet", "nothing happened", []step{{0, loop.Steady}, {0, loop.Steady}}},
		{"third overrun", "Stop is 3", []step{
			{1, loop.Strained}, {0, loop.Strained}, {2, loop.Strained}, {1, loop.Overloaded},
		}},
		{"one long hole", "20 periods of 5 ms are 100 ms", []step{{19, loop.Strained}, {20, loop.Overloaded}}},
		{"forgotten", "an overrun leaves the window after ten ticks", []step{
			{1, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Strained},
			{0, loop.Steady},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := loop.NewOverload(p, 5*time.Millisecond)
			for i, s := range c.steps {
				if got := o.Observe(s.skipped); got != s.want {
					t.Fatalf("step %d: %v, want %v (%s)", i, got, s.want, c.why)
				}
			}
		})
	}
}
