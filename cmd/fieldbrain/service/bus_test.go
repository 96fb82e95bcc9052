package service

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/guard"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/robot/safety"
)

// TestBusCondition: the remedy for a busy computer is the computer, and no message
// sends a person to the wires of a simulation.
func TestBusCondition(t *testing.T) {
	words := map[string]error{
		"silent":                        fmt.Errorf("%w: nothing", picarx.ErrNoHat),
		"starting":                      fmt.Errorf("%w: silent: %w", picarx.ErrBooting, &picarx.BusError{Cause: picarx.NoAck, Err: errors.New("x")}),
		"one that does not acknowledge": &picarx.BusError{Cause: picarx.NoAck, Err: errors.New("x")},
		"deaf":                          fmt.Errorf("%w: at 0x14", picarx.ErrResetDeaf),
		"hung":                          &picarx.SilenceError{Reason: picarx.Hung},
		"held low":                      &picarx.BusError{Cause: picarx.Timeout, Err: errors.New("x")},
		"stood":                         &picarx.SilenceError{Reason: picarx.Stood},
		"collector":                     &picarx.SilenceError{Reason: picarx.Collected},
		"another daemon":                fmt.Errorf("%w: %w", robot.ErrHeld, guard.ErrOther),
		"no guard":                      robot.ErrHeld,
		"shifted":                       picarx.ErrDesync,
		"another channel's":             picarx.ErrBehind,
		"pulled":                        picarx.ErrPulled,
		"pulled just now":               picarx.ErrPulled,
		"not scheduled":                 &picarx.SilenceError{Reason: picarx.Late},
	}
	for _, c := range []struct {
		name      string
		link      robot.Link
		simulated bool
		condition string
		remedy    string
		wires     bool
	}{
		{"down", robot.LinkDown, false, "bus", "SDA and SCL", true},
		{"silent", robot.LinkDown, false, "bus-silent", "is the HAT on", false},
		{"starting", robot.LinkDown, false, "bus-starts", "wait", false},
		{"one that does not acknowledge", robot.LinkDown, false, "bus-silent", "is the HAT on", false},
		{"another daemon", robot.LinkDown, false, "bus", "stop the other daemon first", false},
		{"no guard", robot.LinkDown, false, "bus", "the condition guard", false},
		{"shifted", robot.LinkDown, false, "bus", "adc_gap", false},
		{"another channel's", robot.LinkDown, false, "bus", "adc_gap", false},
		{"pulled", robot.LinkDown, false, "bus", "the condition guard-stopped", false},
		{"pulled just now", robot.LinkDegraded, false, "bus", "the condition guard-stopped", false},
		{"deaf", robot.LinkDown, false, "reset-deaf", "pin 29", false},
		{"hung", robot.LinkDown, false, "bus-hung", "SDA or SCL is held low", true},
		{"held low", robot.LinkDown, false, "bus-hung", "SDA or SCL is held low", true},
		{"stood", robot.LinkLate, false, "machine-stood", "virtual machine", false},
		{"collector", robot.LinkLate, false, "collector", "free memory", false},
		{"not scheduled", robot.LinkLate, false, "thread-late", "the computer is too busy", false},
		{"degraded", robot.LinkDegraded, false, "bus", "battery", true},
		{"late", robot.LinkLate, false, "thread-late", "the computer is too busy", false},
		{"simulated, late", robot.LinkLate, true, "thread-late", "the computer is too busy", false},
		{"simulated, down", robot.LinkDown, true, "bus", "too busy", false},
	} {
		last, is := words[c.name]
		if !is {
			last = errors.New("the driver's words")
		}
		got := busCondition(c.link, c.simulated, last)
		if got.Name != c.condition || got.Cause != last.Error() || !strings.Contains(got.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if strings.Contains(got.Remedy, "SDA") != c.wires && c.link != robot.LinkDegraded {
			t.Errorf("%s: remedy %q", c.name, got.Remedy)
		}
		if strings.Contains(got.Remedy, "--probe") { // which reads nothing beside a daemon
			t.Errorf("%s: remedy %q cannot be followed", c.name, got.Remedy)
		}
	}
}

// TestDisarmedCondition: after every cause of disarming the condition names the way
// back.
func TestDisarmedCondition(t *testing.T) {
	for _, f := range safety.Faults() {
		if !f.Rearm {
			continue
		}
		c := disarmedCondition(f.Cause, false, errors.New("the driver's words"))
		if !strings.Contains(c.Value, f.Name) || !strings.Contains(c.Remedy, f.Remedy) || !strings.Contains(c.Remedy, "fieldbrain arm") {
			t.Errorf("%s: %+v", f.Name, c)
		}
		if link := f.Cause&(safety.LinkDown|safety.LinkLate) != 0; strings.Contains(c.Cause, "driver's words") != link {
			t.Errorf("%s: cause %q", f.Name, c.Cause)
		}
	}
	if c := disarmedCondition(safety.LinkDown, true, nil); !strings.Contains(c.Remedy, "too busy") || strings.Contains(c.Remedy, "wires") {
		t.Errorf("in a simulation: %+v", c)
	}
}

// TestWaitingCondition: a simulated car that is not armed again names what disarmed it and
// what stands against arming, and its remedy is the latter's, without wires.
func TestWaitingCondition(t *testing.T) {
	for _, c := range []struct {
		against       error
		cause, remedy string
	}{
		{&safety.Refusal{Act: "arm", Causes: safety.BatteryLow}, "(battery-low)", daemon.Remedies(safety.BatteryLow)},
		{&safety.Refusal{Act: "arm", Causes: safety.LinkDown}, "(link-down)", daemon.SimulatedRemedy},
		{brain.ErrNoTick, "no tick", "beside this one"},
	} {
		got := waitingCondition(safety.Paused, c.against)
		if got.Name != "disarmed" || !strings.Contains(got.Value, "(paused)") || !strings.Contains(got.Cause, c.cause) || !strings.Contains(got.Remedy, c.remedy) || strings.Contains(got.Remedy, "wires") {
			t.Errorf("%v: %+v", c.against, got)
		}
	}
}
