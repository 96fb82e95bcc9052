package telemetry_test

import (
	"testing"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// TestOwnersCalls: an order and a setting of the owner come back where nobody asked for the
// same in that tick, and the tick says so where they do not.
func TestOwnersCalls(t *testing.T) {
	goal := brain.Call{Do: brain.CallGo, Order: brain.Order{Do: brain.DoGoal, X: 1.1, Y: -2.3}}
	hold := brain.Call{Do: brain.CallGo, Order: brain.Order{Do: brain.DoHold}}
	cruise := brain.Call{Do: brain.CallSet, Setting: brain.Setting{Parameter: brain.ParameterCruise, Value: 0.2}}
	trip := brain.Call{Do: brain.CallTrip, Causes: safety.Paused}
	for _, c := range []struct {
		name  string
		asked brain.TickInput
		calls []brain.Call
		whole bool
	}{
		{"an order", brain.TickInput{}, []brain.Call{goal}, true},
		{"a setting", brain.TickInput{}, []brain.Call{cruise}, true},
		{"one of each behind a trip", brain.TickInput{Asked: brain.AskArm}, []brain.Call{trip, cruise, goal}, true},
		{"an order beside a person's setting", brain.TickInput{Asked: brain.AskSet, Setting: cruise.Setting}, []brain.Call{goal}, true},
		{"a setting beside a person's order", brain.TickInput{Asked: brain.AskGo, Order: goal.Order}, []brain.Call{cruise}, true},
		{"an order beside a person's", brain.TickInput{Asked: brain.AskGo, Order: goal.Order}, []brain.Call{hold}, false},
		{"a setting beside a person's", brain.TickInput{Asked: brain.AskSet, Setting: cruise.Setting}, []brain.Call{cruise}, false},
		{"two orders", brain.TickInput{}, []brain.Call{goal, hold}, false},
		{"two settings", brain.TickInput{}, []brain.Call{cruise, cruise}, false},
		{"an effort", brain.TickInput{}, []brain.Call{{Do: brain.CallEffort}}, false},
	} {
		h := c.asked
		h.NumCalls = copy(h.Calls[:], c.calls)
		var tick telemetry.Tick
		tick.SetTrace(&brain.Trace{}, loop.Sample{})
		tick.SetTickInput(&h)
		got, whole := tick.TickInput()
		if whole != c.whole || whole && got != h {
			t.Errorf("%s: whole %v\n%+v, want %v\n%+v", c.name, whole, got, c.whole, h)
		}
	}
}
