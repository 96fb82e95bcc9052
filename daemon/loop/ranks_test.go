package loop_test

import (
	"testing"

	"fieldbrain/daemon/loop"
)

// TestRanks: with processors to spare the loop stands above the driver, that above the
// stop socket, and all above the rest; on one processor nobody stands above another, and
// says so.
func TestRanks(t *testing.T) {
	for _, c := range []struct {
		priority, processors int
		want                 loop.Ranks
	}{
		{50, 4, loop.Ranks{Loop: 50, Driver: 49, Stop: 48, Rest: 1}},
		{50, 2, loop.Ranks{Loop: 50, Driver: 49, Stop: 48, Rest: 1}},
		{50, 1, loop.Ranks{Loop: 50, Driver: 50, Stop: 50, Rest: 50}},
		{3, 4, loop.Ranks{Loop: 3, Driver: 2, Stop: 1}},
		{1, 4, loop.Ranks{Loop: 1}},
		{0, 4, loop.Ranks{}},
		{0, 1, loop.Ranks{}},
	} {
		got := loop.RanksFor(c.priority, c.processors)
		if got != c.want {
			t.Errorf("priority %d, %d processors: %+v, want %+v", c.priority, c.processors, got, c.want)
		}
		if condition := got.Equal(); (condition != nil) != (c.priority > 0 && c.processors == 1) {
			t.Errorf("priority %d, %d processors: %+v", c.priority, c.processors, condition)
		}
	}
	checkRefusal(t, loop.RanksFor(50, 1).Equal(), "one-processor")
}
