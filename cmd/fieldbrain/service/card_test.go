package service

import (
	"errors"
	"strings"
	"testing"

	"fieldbrain/gpu"
)

// TestCardGivenUp: whoever waits for the card reads that nobody will start it again,
// also where it was not asked for by name; while it may still come, only who asked.
func TestCardGivenUp(t *testing.T) {
	for _, c := range []struct {
		name              string
		phase             gpu.Phase
		primary, expected bool
		degraded          bool
		remedy            string
	}{
		{"never came, not asked for", gpu.GivenUp, false, false, true, "restart the daemon"},
		{"served, then given up", gpu.GivenUp, false, true, true, "restart the daemon"},
		{"on its way", gpu.Waiting, false, false, false, "starts it again"},
		{"on its way, asked for", gpu.Waiting, false, true, true, "starts it again"},
		{"the daemon has ended", gpu.Stopped, false, true, true, "none while no daemon runs"},
		{"steps the field", gpu.Serving, true, true, false, "takes over"},
	} {
		cond, degraded := cardCondition(gpu.State{Phase: c.phase, Err: errors.New("no device")}, c.primary, c.expected)
		if degraded != c.degraded || cond.Name != "gpu" || !strings.Contains(cond.Remedy, c.remedy) {
			t.Errorf("%s: %+v, degraded %v, want %v with %q", c.name, cond, degraded, c.degraded, c.remedy)
		}
		if c.phase != gpu.Serving && !strings.Contains(cond.Cause, "no device") {
			t.Errorf("%s: the cause %q hides why", c.name, cond.Cause)
		}
	}
}

// TestCardLate: the value of the condition changes with the number of late answers and
// with nothing else, so that the log has a line per change of it.
func TestCardLate(t *testing.T) {
	one, is := cardLate(gpu.Lateness{Recent: 1, Behind: 3, Total: 9}, true)
	if !is || one.Name != "gpu late" || one.Value != "card late (1 of 64)" || !strings.Contains(one.Cause, "3 ticks behind") {
		t.Errorf("%+v, %v", one, is)
	}
	if level, is := cardLate(gpu.Lateness{Recent: 1, Total: 9}, true); !is || level.Value != one.Value {
		t.Errorf("%+v, %v, want the same value once it has caught up", level, is)
	}
	if _, is := cardLate(gpu.Lateness{Total: 9}, true); is {
		t.Error("late, though no recent answer was")
	}
	if _, is := cardLate(gpu.Lateness{Recent: 8}, false); is {
		t.Error("late, though it does not serve")
	}
}
