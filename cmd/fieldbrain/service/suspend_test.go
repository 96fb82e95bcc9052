package service

import (
	"testing"
	"time"

	"fieldbrain/robot"
)

// TestSleeper: the time a machine sleeps is on no clock of the tick's, so only
// the difference of the two clocks tells of it.
func TestSleeper(t *testing.T) {
	const hour = time.Hour
	for _, c := range []struct {
		name, why string
		asleep    []time.Duration
		want      bool
		shown     time.Duration
	}{
		{"never", "a machine that never slept", []time.Duration{0, 0, 0}, false, 0},
		{"before", "a suspend before the start is not the program's own", []time.Duration{hour, hour}, false, 0},
		{"nap", "the two clocks are read one after the other", []time.Duration{hour, hour + 500*time.Millisecond}, false, 0},
		{"suspend", "the world may have changed meanwhile", []time.Duration{0, 0, 501 * time.Millisecond}, true, 501 * time.Millisecond},
		{"drift", "small differences are never added up", []time.Duration{0, 400 * time.Millisecond, 800 * time.Millisecond}, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := -1
			s := sleeper{asleep: func() time.Duration { return c.asleep[i] }}
			got := false
			for i = range c.asleep {
				got = s.woke()
			}
			if shown := time.Duration(s.nap.Load()); got != c.want || shown != c.shown {
				t.Errorf("woke %v after %v, want %v after %v: %s", got, shown, c.want, c.shown, c.why)
			}
		})
	}
	if a, b := robot.Asleep(), robot.Asleep(); b-a > longestNap || a < -time.Millisecond {
		t.Errorf("asleep %v, then %v: want the same on a machine that is awake", a, b)
	}
	if n := testing.AllocsPerRun(100, func() { robot.Asleep() }); n != 0 {
		t.Errorf("%v allocations per look, want none in a tick", n)
	}
}
