package hat_test

import (
	"errors"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/noise"
)

// TestTwice: after a command that the controller takes twice every value is that of the
// conversion before, until a reset; without sticky bytes nothing is.
func TestTwice(t *testing.T) {
	for _, sticky := range []bool{true, false} {
		p := hat.Default()
		p.StickyDesync = sticky
		r := newRig(t, p, hat.Fault{Kind: hat.Twice, From: 200 * ms, Count: 1})
		r.clock.pass(200 * ms)
		for i, channel := range []int{0, 1, 2, 4, 0} {
			want := channel
			if sticky && i > 0 {
				want = []int{0, 0, 1, 2, 4}[i]
			}
			if got, err := r.adc(channel); err != nil || got != 1234+uint16(want) {
				t.Errorf("sticky %v, conversion %d: %d, %v, want channel %d's", sticky, i, got, err, want)
			}
		}
		if n := r.Stats().Faults; n != 1 {
			t.Errorf("%d faults, want 1", n)
		}
	}
}

// A converter is what a board's ADC says, and a driver beside it.
type converter struct {
	*hat.Board
	clock *stepped
	car   *picarx.Car
}

// newConverter returns one whose floor sensors say 1200, 1300 and 1400, with some noise.
func newConverter(t *testing.T, battery func(now time.Duration, last uint16) uint16, faults ...hat.Fault) *converter {
	t.Helper()
	c := &converter{clock: &stepped{}}
	dice, last := noise.New(7, "converter"), uint16(0)
	board, err := hat.New(hat.Default(), c.clock, hat.Plant{
		Advance: func(time.Duration, *hat.Outputs, float64) float64 { return 7.4 },
		Range:   func(int, time.Duration) (float64, bool) { return 1, true },
		Analog: func(channel int, now time.Duration) uint16 {
			if channel == 4 {
				last = battery(now, last)
			} else {
				last = 1200 + 100*uint16(channel) + uint16(dice.Uint64()%8)
			}
			return last
		},
	}, []int{0}, faults)
	if err != nil {
		t.Fatal(err)
	}
	c.Board = board
	if c.car, err = picarx.New(board.Wire(), picarx.Default()); err != nil {
		t.Fatal(err)
	}
	return c
}

// run drives until an instant, or until the driver has reset the controller.
func (c *converter) run(t *testing.T, until time.Duration) {
	t.Helper()
	for c.clock.now < until && c.car.Stats().Desyncs == 0 {
		if err := c.car.Act(robot.Command{At: c.clock.now, Enable: true, Speed: 0.2}); err != nil {
			t.Fatal(err)
		}
		if next := c.car.Service(c.clock.now); next > c.clock.now {
			c.clock.now = min(next, c.clock.now+5*ms)
		}
	}
}

// TestDriverFindsLateAnswers: a controller whose answers come one conversion late
// exchanges the floor sensors; the driver resets it within five readings of the battery,
// and then every channel says its own again.
func TestDriverFindsLateAnswers(t *testing.T) {
	c := newConverter(t, func(time.Duration, uint16) uint16 { return 3061 }, hat.Fault{Kind: hat.Twice, From: 2 * time.Second, Count: 1})
	c.run(t, 12*time.Second)
	s := c.car.Stats()
	if s.Desyncs != 1 || !errors.Is(s.LastError, picarx.ErrBehind) || c.clock.now > 8*time.Second {
		t.Errorf("at %v: %d desyncs, %v", c.clock.now, s.Desyncs, s.LastError)
	}
	if s.Phase != "reset" || c.duty() != 0 {
		t.Errorf("at %v: phase %q, duty %v", c.clock.now, s.Phase, c.duty())
	}
	for end := c.clock.now + 2*time.Second; c.clock.now < end; {
		c.clock.now = max(c.clock.now, c.car.Service(c.clock.now))
	}
	var state robot.State
	c.car.Sense(&state)
	for i, f := range state.Floor {
		if raw := f.Value * 4095; c.clock.now-f.At > 100*ms || raw < float32(1199+100*i) || raw > float32(1209+100*i) {
			t.Errorf("floor sensor %d after the reset: %v", i, raw)
		}
	}
	if s = c.car.Stats(); s.Phase != "ready" || s.Desyncs != 1 {
		t.Errorf("in the end: %+v", s)
	}
}

// TestNoAnswerIsLate: nothing else that makes the battery impossible resets a controller.
func TestNoAnswerIsLate(t *testing.T) {
	dice := noise.New(3, "wire")
	for name, battery := range map[string]func(now time.Duration, last uint16) uint16{
		"sound":      func(time.Duration, uint16) uint16 { return 3061 },
		"empty":      func(time.Duration, uint16) uint16 { return 1900 },
		"no divider": func(time.Duration, uint16) uint16 { return 4000 },
		"USB, 5 V":   func(time.Duration, uint16) uint16 { return 2061 + uint16(dice.Uint64()%15) },
		"spikes":     func(time.Duration, uint16) uint16 { return uint16(dice.Uint64() & 0xFFF) },
		"loose wire": func(now time.Duration, _ uint16) uint16 { return 3061 * uint16(now/(1300*ms)%2) },
		"floating":   func(_ time.Duration, last uint16) uint16 { return last },
		"settles":    func(_ time.Duration, last uint16) uint16 { return last + (3061-min(last, 3061))/3 },
	} {
		c := newConverter(t, battery)
		c.run(t, time.Minute)
		if s := c.car.Stats(); s.Desyncs != 0 || s.Phase != "ready" {
			t.Errorf("%s: reset at %v, %v", name, c.clock.now, s.LastError)
		}
	}
}

// duty is the left motor's.
func (c *converter) duty() (d float64) {
	c.CatchUp(func(_ time.Duration, out *hat.Outputs) { d = out.Duty[13] })
	return d
}
