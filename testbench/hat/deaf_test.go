package hat_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/hat"
)

// TestResetDeaf: a reset line whose wire is off resets nothing, and works again when it
// is on: at once, where the host holds it low.
func TestResetDeaf(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.ResetDeaf, From: 200 * ms, Until: 400 * ms})
	r.send(t, [3]byte{0x43, 0, 9}, [3]byte{0x47, 0x0F, 0xFF}, [3]byte{0x2D, 0x0F, 0xFF})
	var x [1]byte
	r.clock.now = 300 * ms
	if err := errors.Join(r.wire.Reset.Set(false), r.Tx(0x14, nil, x[:])); err != nil || r.outputs().Duty[13] == 0 {
		t.Errorf("%v, duty %v, want a controller that no reset reaches", err, r.outputs().Duty[13])
	}
	r.clock.now = 400 * ms
	if got := text(r.Tx(0x14, nil, x[:])); got != nacked || r.outputs().Duty[13] != 0 {
		t.Errorf("%q, duty %v, want a controller in reset", got, r.outputs().Duty[13])
	}
	if s := r.Stats(); s.Faults != 1 || s.Boots != 1 {
		t.Errorf("%d faults, %d boots, want one each", s.Faults, s.Boots)
	}
}

// TestDriverFindsResetDeaf: the driver finds the wire at its next reset, here for a byte
// stream out of step, leaves the motors at zero and comes up when the wire is on again.
func TestDriverFindsResetDeaf(t *testing.T) {
	r := newRig(t, hat.Default(),
		hat.Fault{Kind: hat.ResetDeaf, From: time.Second, Until: 5 * time.Second},
		hat.Fault{Kind: hat.BitShift, From: 2 * time.Second, Value: 4, Count: 1})
	car, err := picarx.New(r.wire, picarx.Default())
	if err != nil {
		t.Fatal(err)
	}
	run := func(until time.Duration) {
		for r.clock.now < until {
			if err := car.Act(robot.Command{At: r.clock.now, Enable: true, Speed: 0.2}); err != nil {
				t.Fatal(err)
			}
			if next := car.Service(r.clock.now); next > r.clock.now {
				r.clock.now = min(next, r.clock.now+5*ms)
			}
		}
	}
	for _, at := range []struct {
		now   time.Duration
		phase string
		turns bool
	}{{1900 * ms, "ready", true}, {2050 * ms, "deaf", false}, {4900 * ms, "deaf", false}, {7 * time.Second, "ready", true}} {
		run(at.now)
		if s := car.Stats(); s.Phase != at.phase || r.outputs().Duty[13] > 0 != at.turns {
			t.Errorf("at %v: phase %q, duty %v, %v; want %q, turning %v", at.now, s.Phase, r.outputs().Duty[13], s.LastError, at.phase, at.turns)
		}
		if at.phase == "deaf" && (!errors.Is(car.Stats().LastError, picarx.ErrResetDeaf) || strings.Contains(car.Stats().LastError.Error(), "wire")) {
			t.Errorf("at %v: %v, want a deaf line of a scenario", at.now, car.Stats().LastError)
		}
	}
}

// TestDriverStopsDeafOutOfStep: a controller that no reset reaches and that takes every
// group of bytes late, because it has lost one or two, gets its zeros all the same, and
// later ones, too: here after somebody pressed ZERO, which sets both motors off.
func TestDriverStopsDeafOutOfStep(t *testing.T) {
	for lost := 1; lost <= 2; lost++ {
		r := newRig(t, hat.Default(),
			hat.Fault{Kind: hat.ResetDeaf, From: time.Second},
			hat.Fault{Kind: hat.Desync, From: 2 * time.Second, Count: lost},
			hat.Fault{Kind: hat.Zero, From: 4 * time.Second, Until: 4*time.Second + ms})
		car, err := picarx.New(r.wire, picarx.Default())
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []struct {
			now   time.Duration
			phase string
			turns bool
		}{{1900 * ms, "ready", true}, {2400 * ms, "deaf", false}, {3900 * ms, "deaf", false}, {7500 * ms, "deaf", false}} {
			for r.clock.now < at.now {
				if err := car.Act(robot.Command{At: r.clock.now, Enable: true, Speed: 0.2}); err != nil {
					t.Fatal(err)
				}
				if next := car.Service(r.clock.now); next > r.clock.now {
					r.clock.now = min(next, r.clock.now+5*ms)
				}
			}
			right, left := r.outputs().Duty[12], r.outputs().Duty[13]
			if phase := car.Stats().Phase; phase != at.phase || (right > 0) != at.turns || (left > 0) != at.turns {
				t.Errorf("%d lost, at %v: phase %q, duties %v and %v; want %q, turning %v", lost, at.now, phase, right, left, at.phase, at.turns)
			}
		}
	}
}
