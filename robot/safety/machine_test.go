package safety_test

import (
	"errors"
	"strings"
	"testing"

	"fieldbrain/robot/safety"
	"fieldbrain/testbench/tier"
)

// A mode is one of the states of a Machine apart from the present causes, with
// the events that lead there.
type mode struct {
	name    string
	armed   bool
	latched safety.Causes
	machine safety.Machine
}

// modes returns all of them: a machine latches a subset of two causes, and an
// armed machine has latched nothing.
func modes(t *testing.T) []mode {
	t.Helper()
	seen := safety.Machine{}.Observe(0)
	armed, err := seen.Arm()
	if err != nil {
		t.Fatal(err)
	}
	nan := seen.Observe(safety.CommandInvalid).Observe(0)
	return []mode{
		{"disarmed", false, 0, seen},
		{"armed", true, 0, armed},
		{"e-stopped", false, safety.EStop, seen.EStop()},
		{"e-stopped while armed", false, safety.EStop, armed.EStop()},
		{"invalid command", false, safety.CommandInvalid, nan},
		{"both latched", false, safety.EStop | safety.CommandInvalid, nan.EStop()},
	}
}

// sets returns the causes of the fault table for which has is true.
func sets(has func(safety.Fault) bool) (c safety.Causes) {
	for _, f := range safety.Faults() {
		if has(f) {
			c |= f.Cause
		}
	}
	return c
}

// spread returns the i-th set of causes in an order in which every part of the order
// has sets of all kinds: an odd factor meets each once.
func spread(i int) safety.Causes {
	return safety.Causes(i) * 0x5bd1e995 % (1 << safety.NumCauses)
}

// mayMove is what the reflexes ask the machine before they pass a speed on.
func mayMove(m safety.Machine) bool { return m.Armed() && m.Level() < safety.Stopped }

// TestEveryTransition goes from every mode with every set of present causes
// through every event and compares with the rules written out here.
func TestEveryTransition(t *testing.T) {
	latch := sets(func(f safety.Fault) bool { return f.Level == safety.Latched })
	rearm := sets(func(f safety.Fault) bool { return f.Rearm })
	block := sets(func(f safety.Fault) bool { return f.Blocks })
	stop := sets(func(f safety.Fault) bool { return f.Level >= safety.Stopped })
	const all = 1<<safety.NumCauses - 1

	for _, mode := range modes(t) {
		t.Run(mode.name, func(t *testing.T) {
			for i := range tier.Count(t, "sets of causes", (all+1)/8, all+1, all+1) {
				c := spread(i)
				present := c &^ safety.Disarmed
				m := mode.machine.Observe(c)
				latched := mode.latched | present&latch
				armed := mode.armed && present&(rearm|latch) == 0
				holds := present | latched
				if !armed {
					holds |= safety.Disarmed
				}
				if m.Armed() != armed || m.Causes() != holds {
					t.Fatalf("after observing %v: armed %v, causes %v; want %v, %v", c, m.Armed(), m.Causes(), armed, holds)
				}
				if mayMove(m) != (armed && holds&stop == 0) {
					t.Fatalf("after observing %v: may move %v", c, mayMove(m))
				}
				if mode.armed && !armed && m.Tripped() != present&(rearm|latch) {
					t.Fatalf("after observing %v: tripped by %v", c, m.Tripped())
				}

				if d := m.Disarm(); d.Armed() || d.Causes() != holds|safety.Disarmed {
					t.Fatalf("disarm with %v leaves %v", c, d.Causes())
				}
				if e := m.EStop(); e.Armed() || e.Causes() != holds|safety.Disarmed|safety.EStop {
					t.Fatalf("e-stop with %v leaves %v", c, e.Causes())
				}
				a, err := m.Arm()
				if ok := armed || holds&block == 0; ok != (err == nil) || a.Armed() != ok {
					t.Fatalf("arm with %v: armed %v, error %v; want armed %v", c, a.Armed(), err, ok)
				}
				r, err := m.Reset()
				ok := !armed && present&latch == 0
				left := latched
				if ok {
					left = 0
				}
				if ok != (err == nil) || r.Armed() != armed || r.Causes()&latch != present&latch|left {
					t.Fatalf("reset with %v: %v, error %v", c, r.Causes(), err)
				}
			}
		})
	}
}

// TestOnlyArmArms follows every chain of two events: a car that may not move
// moves again only by Arm, or because the causes of a self-healing stop ended.
func TestOnlyArmArms(t *testing.T) {
	events := map[string]func(safety.Machine) safety.Machine{
		"observe nothing": func(m safety.Machine) safety.Machine { return m.Observe(0) },
		"disarm":          safety.Machine.Disarm,
		"e-stop":          safety.Machine.EStop,
		"reset":           func(m safety.Machine) safety.Machine { m, _ = m.Reset(); return m },
	}
	for _, f := range safety.Faults() {
		events["observe "+f.Name] = func(m safety.Machine) safety.Machine { return m.Observe(f.Cause) }
	}
	for _, mode := range modes(t) {
		for first, one := range events {
			for second, two := range events {
				m := one(mode.machine)
				if n := two(m); n.Armed() && !m.Armed() || m.Armed() && !mode.armed {
					t.Errorf("%s, %s, %s: armed without Arm", mode.name, first, second)
				}
			}
		}
	}
}

func TestBootsDisarmed(t *testing.T) {
	var m safety.Machine
	if m.Armed() || m.Level() < safety.Stopped {
		t.Errorf("zero machine is at %v, armed %v", m.Level(), m.Armed())
	}
	var refused *safety.Refusal
	if _, err := m.Arm(); !errors.As(err, &refused) || !refused.Causes.Has(safety.StateStale) {
		t.Errorf("arming before anything was sensed: %v", err)
	}
}

func TestLatchNeedsResetThenArm(t *testing.T) {
	m, err := safety.Machine{}.Observe(0).Arm()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Reset(); !errors.Is(err, safety.ErrArmed) {
		t.Errorf("reset of an armed car: %v, want ErrArmed", err)
	}
	m = m.EStop().Observe(0)
	if _, err := m.Arm(); err == nil || m.Level() != safety.Latched {
		t.Errorf("armed at %v without a reset", m.Level())
	}
	if m, err = m.Reset(); err != nil || m.Armed() || m.Level() != safety.Stopped {
		t.Fatalf("after the reset: %v, armed %v, %v", err, m.Armed(), m.Level())
	}
	if m, err = m.Arm(); err != nil || !mayMove(m) || m.Tripped() != 0 {
		t.Errorf("after reset and arm: %v, may move %v, tripped %v", err, mayMove(m), m.Tripped())
	}
}

// A car whose loop cannot keep up disarms once, says so, and does not arm while
// that lasts, not even between the trip and the next observation.
func TestTripShowsItsCauseAndBlocks(t *testing.T) {
	m, err := safety.Machine{}.Observe(0).Arm()
	if err != nil {
		t.Fatal(err)
	}
	m = m.Trip(safety.Overrun)
	var refusal *safety.Refusal
	if _, err := m.Arm(); m.Armed() || m.Tripped() != safety.Overrun || !errors.As(err, &refusal) || refusal.Causes != safety.Overrun {
		t.Errorf("armed %v, tripped by %v, arming: %v", m.Armed(), m.Tripped(), err)
	}
	if _, err := m.Observe(safety.Overrun).Arm(); !errors.As(err, &refusal) {
		t.Errorf("arming while the loop still overruns: %v", err)
	}
	m = m.Observe(0)
	if m.Tripped() != safety.Overrun {
		t.Errorf("tripped by %v once it is over; a person must still see why", m.Tripped())
	}
	if m, err = m.Arm(); err != nil || m.Tripped() != 0 {
		t.Errorf("armed again: %v, tripped by %v", err, m.Tripped())
	}
}

func TestRefusalNamesEveryCauseAndRemedy(t *testing.T) {
	m := safety.Machine{}.Observe(safety.LinkDown | safety.BatteryLow | safety.Obstacle)
	_, err := m.Arm()
	if err == nil {
		t.Fatal("armed with the link down")
	}
	for _, want := range []string{"safety: arm refused: ", "motors and sensors cannot be reached (link-down): ", "power switch", "; ", "the battery is low (battery-low): charge the pack"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "obstacle") {
		t.Errorf("%q names an obstacle, which does not forbid to arm", err)
	}
	if _, err = m.Observe(safety.LinkDown | safety.Unguarded).Arm(); err == nil || !strings.HasPrefix(err.Error(), "safety: arm refused: nobody would stop it") {
		t.Errorf("%q does not begin with the guard, whose line keeps the link down", err)
	}
}
