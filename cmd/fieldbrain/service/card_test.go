package service

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
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

// TestCardLogged: a card's program that ends again and again for one reason, as on a
// machine without a driver, is warned about once, and again when the reason is another, when
// it had worked in between and when it is given up.
func TestCardLogged(t *testing.T) {
	var out bytes.Buffer
	log, err := daemon.NewLog(&out, "info", false, false)
	if err != nil {
		t.Fatal(err)
	}
	tell := logCard(log)
	starts := uint64(0)
	fails := func(why string) {
		starts++
		tell(gpu.State{Phase: gpu.Starting, Starts: starts})
		tell(gpu.State{Phase: gpu.Waiting, Starts: starts, Err: errors.New(why), Retry: time.Second})
	}
	for pid := range 5 {
		fails(fmt.Sprintf("process %d: no libcuda.so", 1000+pid))
	}
	fails("no device")
	fails("no device")
	tell(gpu.State{Phase: gpu.Starting, Starts: 8})
	tell(gpu.State{Phase: gpu.Proven, Starts: 8, Device: "card"})
	fails("no device")
	tell(gpu.State{Phase: gpu.GivenUp, Starts: starts, Err: errors.New("no device")})
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]int{
		"no libcuda.so": 1, `"level":"warn","because":"no device"`: 3, "program: starting": 2, "program: proven": 1, "program: given up": 1,
	} {
		if n := strings.Count(out.String(), words); n != want {
			t.Errorf("%d lines with %q, want %d:\n%s", n, words, want, out.String())
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

// TestDriverGauges: what the card's program tells arrives in the units of status, and is
// judged there.
func TestDriverGauges(t *testing.T) {
	for held, want := range []string{"", "heat", "power", "heat and power"} {
		state := gpu.State{Memory: gpu.Memory{Used: 1e9, Room: 8e9}, Gauges: gpu.Gauges{
			Looks: 7, Clock: gpu.Tell(1410e6), Most: gpu.Tell(1980e6), Load: gpu.Tell(0), Heat: gpu.Tell(48), Held: gpu.Tell(uint64(held)),
		}}
		var g daemon.Gauges
		if addDriver(&g, &state); g.Held != want || g.Slowed() != (want != "") {
			t.Errorf("held back by %q, slowed %v, want %q", g.Held, g.Slowed(), want)
		}
		if line, want := g.Line(), "memory 1.00 of 8.00 GB, clock 1410 MHz, load 0 %, 48.0 C"; !strings.HasPrefix(line, want) {
			t.Errorf("%q, want %q", line, want)
		}
	}
	var g daemon.Gauges
	if addDriver(&g, &gpu.State{}); g != (daemon.Gauges{}) {
		t.Errorf("%+v of a card of which nobody tells anything", g)
	}
}
