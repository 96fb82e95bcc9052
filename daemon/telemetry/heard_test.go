package telemetry_test

import (
	"testing"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// TestOwnersDeeds: an order and a setting of the owner come back where nobody asked for the
// same in that tick, and the tick says so where they do not.
func TestOwnersDeeds(t *testing.T) {
	goal := brain.Call{Do: brain.DeedGo, Order: brain.Order{Do: brain.DoGoal, X: 1.1, Y: -2.3}}
	hold := brain.Call{Do: brain.DeedGo, Order: brain.Order{Do: brain.DoHold}}
	cruise := brain.Call{Do: brain.DeedSet, Setting: brain.Setting{Dial: brain.DialCruise, Value: 0.2}}
	trip := brain.Call{Do: brain.DeedTrip, Causes: safety.Paused}
	for _, c := range []struct {
		name  string
		asked brain.Heard
		calls []brain.Call
		whole bool
	}{
		{"an order", brain.Heard{}, []brain.Call{goal}, true},
		{"a setting", brain.Heard{}, []brain.Call{cruise}, true},
		{"one of each behind a trip", brain.Heard{Asked: brain.AskArm}, []brain.Call{trip, cruise, goal}, true},
		{"an order beside a person's setting", brain.Heard{Asked: brain.AskSet, Setting: cruise.Setting}, []brain.Call{goal}, true},
		{"a setting beside a person's order", brain.Heard{Asked: brain.AskGo, Order: goal.Order}, []brain.Call{cruise}, true},
		{"an order beside a person's", brain.Heard{Asked: brain.AskGo, Order: goal.Order}, []brain.Call{hold}, false},
		{"a setting beside a person's", brain.Heard{Asked: brain.AskSet, Setting: cruise.Setting}, []brain.Call{cruise}, false},
		{"two orders", brain.Heard{}, []brain.Call{goal, hold}, false},
		{"two settings", brain.Heard{}, []brain.Call{cruise, cruise}, false},
		{"an effort", brain.Heard{}, []brain.Call{{Do: brain.DeedEffort}}, false},
	} {
		h := c.asked
		h.NumCalls = copy(h.Calls[:], c.calls)
		var tick telemetry.Tick
		tick.SetTrace(&brain.Trace{}, loop.Sample{})
		tick.SetHeard(&h)
		got, whole := tick.Heard()
		if whole != c.whole || whole && got != h {
			t.Errorf("%s: whole %v\n%+v, want %v\n%+v", c.name, whole, got, c.whole, h)
		}
	}
}
