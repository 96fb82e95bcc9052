package picarx_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

func TestFirstReadingsAreDiscarded(t *testing.T) {
	r := newRig(t, nil)
	r.hat.adc[0] = 9 // odd first readings
	seen := 0
	for r.clock.Now() < 300*ms {
		r.run(100 * time.Microsecond)
		if seen = len(r.writes("17")); seen == 3 {
			r.hat.adc[0] = 1200
		}
		if f := r.sense().Floor[0]; f.OK && f.Value == 9.0/4095 {
			t.Fatalf("reading %d after reset was passed on", seen)
		}
		if seen == 2 {
			r.hat.adc[0] = 1200
		}
	}
	if !r.sense().Floor[0].OK {
		t.Error("no floor reading at all")
	}
}

func TestBatteryFilter(t *testing.T) {
	r := newRig(t, func(p *picarx.Params) { p.BatteryPeriod = 100 * ms })
	r.hat.adc[4] = 3061
	r.ready()
	r.run(500 * ms)
	r.hat.adc[4] = 3475 // one spike of 8.4 V
	r.run(100 * ms)
	r.hat.adc[4] = 3061
	if b := r.sense().Battery; b.Value > 7.41 {
		t.Errorf("battery %v V after one spike, want the median 7.40", b.Value)
	}
	at := r.sense().Battery.At
	r.hat.adc[4] = 1500 // 3.6 V: no 2S pack
	r.run(time.Second)
	s := r.sense()
	if b := s.Battery; b.Value > 7.41 || b.Value < 7.39 || b.At-at > 150*ms {
		t.Errorf("battery %+v, want the last good value with its age", b)
	}
	if n := r.car.Stats().Implausible; n < 8 {
		t.Errorf("%d implausible readings counted, want about 10", n)
	}
}

func TestSingleNacksAreRetried(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	n := 0
	r.hat.fault = func(w, _ []byte) error {
		if n++; n%7 == 0 || n%7 == 1 && n%3 == 0 { // sometimes two in a row
			return errNack
		}
		return nil
	}
	r.run(time.Second)
	s := r.car.Stats()
	if s.Resets != 0 || s.Retries == 0 || s.Causes[picarx.NoAck] != s.Errors {
		t.Errorf("resets %d, retries %d, errors %d: want every NACK healed by a retry", s.Resets, s.Retries, s.Errors)
	}
	if left, _ := r.duties(); left != 2535 {
		t.Errorf("duty %d, want 2535 in spite of NACKs", left)
	}
	if l := r.sense().Link; l != robot.LinkDegraded {
		t.Errorf("link %v, want degraded", l)
	}
	r.hat.fault = nil
	r.run(1100 * ms)
	if l := r.sense().Link; l != robot.LinkUp {
		t.Errorf("link %v a second later, want up", l)
	}
}

func TestMotorWritesGetThreeRetries(t *testing.T) {
	for retries := 1; retries <= 4; retries++ {
		r := newRig(t, nil)
		r.ready()
		left := retries
		r.hat.fault = func(w, _ []byte) error {
			if len(w) == 3 && w[0] == 0x2c && left > 0 {
				left--
				return errNack
			}
			return nil
		}
		r.run(150 * ms)
		if got, want := r.car.Stats().Resets, uint64(retries/4); got != want {
			t.Errorf("%d NACKs on a motor write: %d resets, want %d", retries, got, want)
		}
	}
}

// TestNackStorm: stop through reset, zeros first, no motion until a fresh
// command.
func TestNackStorm(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(400 * ms)
	r.log = nil
	start := r.clock.Now()
	r.hat.fault = func(_, _ []byte) error { return errNack }
	r.run(30 * ms)
	resets := r.writes("reset false")
	if len(resets) != 1 || resets[0].at-start > 15*ms {
		t.Fatalf("reset line: %v, want one pulse within one sweep period and three NACKs", resets)
	}
	if left, right := r.duties(); left != 0 || right != 0 {
		t.Error("motors run on through the storm")
	}
	if l := r.sense().Link; l != robot.LinkDown {
		t.Errorf("link %v, want down", l)
	}
	r.hat.fault = nil
	r.brain = nil // the brain says nothing after the recovery
	r.log = nil
	r.run(time.Second)
	if got := r.car.Stats().Phase; got != "ready" {
		t.Fatalf("phase %q a second after the storm, want ready", got)
	}
	if first := whats(r.writes("2", "4"))[:3]; first[0] != "2C 00 00" || first[1] != "2D 00 00" || first[2][0] != '4' {
		t.Errorf("recovery begins %v, want zeros before anything else", first)
	}
	for _, e := range r.writes("2C", "2D") {
		if !strings.HasSuffix(e.what, "00 00") {
			t.Errorf("%s at %v: resumed by itself", e.what, e.at)
		}
	}
	old := forward // decided before the recovery
	old.At = start
	if err := r.car.Act(old); err != nil {
		t.Fatal(err)
	}
	r.run(50 * ms)
	if left, _ := r.duties(); left != 0 {
		t.Error("a command decided before the recovery drives")
	}
	r.obey(forward)
	r.run(300 * ms)
	if left, _ := r.duties(); left != 2535 {
		t.Errorf("duty %d for a fresh command after the recovery, want 2535", left)
	}
}

func TestHatOff(t *testing.T) {
	r := newRig(t, nil)
	r.hat.off = true
	r.obey(forward)
	r.run(5 * time.Second)
	s := r.car.Stats()
	if !errors.Is(s.LastError, picarx.ErrNoHat) || s.Resets != 0 {
		t.Errorf("%d resets, %v: want ErrNoHat and no storm of resets", s.Resets, s.LastError)
	}
	if n := len(r.writes("reset true")); n != 1 {
		t.Errorf("%d reset pulses in 5 s, want 1", n)
	}
	if s.Transactions > 60 {
		t.Errorf("%d probes in 5 s, want a slow retry", s.Transactions)
	}
	if l := r.sense().Link; l != robot.LinkDown {
		t.Errorf("link %v, want down", l)
	}
	var bus *picarx.BusError
	if !errors.As(s.LastError, &bus) || bus.Cause != picarx.NoAck {
		t.Errorf("%v does not name the failed transaction", s.LastError)
	}
	r.hat.off = false // somebody finds the switch
	r.run(2 * time.Second)
	if got := r.car.Stats().Phase; got != "ready" {
		t.Errorf("phase %q, want ready once the HAT is on", got)
	}
	if n := len(r.writes("reset true")); n != 2 {
		t.Errorf("%d reset pulses, want a second one before use", n)
	}
}

func TestAddresses(t *testing.T) {
	r := newRig(t, func(p *picarx.Params) { p.Addr = 0x15 })
	r.hat.addr = 0x15
	r.ready()
	for addr, board := range map[uint16]picarx.Board{0x15: picarx.BoardV5, 0x17: picarx.BoardV6} {
		r = newRig(t, nil)
		r.hat.addr = addr
		r.run(time.Second)
		var refused *picarx.BoardError
		if s := r.car.Stats(); s.Phase != "refused" || !errors.As(s.LastError, &refused) || refused.Board != board {
			t.Errorf("a controller at %#x: phase %q, %v, want refused as %s", addr, s.Phase, s.LastError, board)
		}
		if n := len(r.writes("2C", "2D", "4")); n != 0 {
			t.Errorf("%d writes to a board at %#x, want none", n, addr)
		}
	}
}

func TestBusStuck(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(400 * ms)
	r.hat.fault = func(_, _ []byte) error {
		r.clock.SleepUntil(r.clock.Now() + 100*ms)
		return errors.New("sysfs-i2c: " + syscall.ETIMEDOUT.Error())
	}
	before := r.hat.txs
	r.run(104 * ms) // 5 ms after the stop the reset line is tested
	if r.reset.high || r.hat.txs-before != 1 {
		t.Errorf("%d transactions, reset line %v: want a stop through the reset line after one time-out", r.hat.txs-before, r.reset.high)
	}
	if n := r.car.Stats().Causes[picarx.Timeout]; n != 1 {
		t.Errorf("%d time-outs counted, want 1", n)
	}
	r.hat.fault = nil
	r.run(3 * time.Second)
	if left, _ := r.duties(); left != 2535 {
		t.Errorf("duty %d after the bus came back and the brain went on, want 2535", left)
	}
}

func TestDesync(t *testing.T) {
	tests := []struct {
		name    string
		why     string
		spoil   func(*rig)
		desyncs uint64
	}{
		{"shifted", "a value above 4095", func(r *rig) { r.hat.adc[1] = 0x2345 }, 1},
		{"all zero", "floor and battery implausible in the same sweep", func(r *rig) { r.hat.adc = [8]uint16{} }, 1},
		{"all full", "floor and battery implausible in the same sweep", func(r *rig) {
			r.hat.adc = [8]uint16{4095, 4095, 4095, 4095, 4095, 4095}
		}, 1},
		{"one byte, of no battery", "every answer is the byte before", func(r *rig) {
			r.hat.adc = [8]uint16{0x303, 0x303, 0x303, 0x303, 0x303, 0x303}
		}, 1},
		{"one byte, of a full battery", "every answer is the byte before", func(r *rig) {
			r.hat.adc = [8]uint16{0xc0c, 0xc0c, 0xc0c, 0xc0c, 0xc0c, 0xc0c}
		}, 1},
		{"even floor", "three equal values with a sound battery are an even floor", func(r *rig) {
			r.hat.adc = [8]uint16{0x404, 0x404, 0x404, 0, 3061}
		}, 0},
		{"dark floor", "a very dark floor with a sound battery is a dark floor", func(r *rig) {
			r.hat.adc = [8]uint16{4: 3061}
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.ready()
			r.obey(forward)
			r.run(400 * ms)
			r.log = nil
			tt.spoil(r)
			sound := [8]uint16{1200, 1300, 1400, 0, 3061}
			r.run(60 * ms)
			if s := r.car.Stats(); s.Desyncs != tt.desyncs || s.Resets != tt.desyncs {
				t.Errorf("%d desyncs, %d resets, want %d: %s", s.Desyncs, s.Resets, tt.desyncs, tt.why)
			}
			if tt.desyncs > 0 && (r.hat.regs[0x2c] != 0 || len(r.writes("reset false")) != 1) {
				t.Error("the motors run on with a controller out of step")
			}
			r.hat.adc = sound
			r.run(time.Second)
			if got := r.car.Stats().Phase; got != "ready" {
				t.Errorf("phase %q after the reset, want ready", got)
			}
		})
	}
}

func TestHalt(t *testing.T) {
	r := newRig(t, nil)
	if err := r.car.Halt(); err != nil {
		t.Errorf("Halt before any bring-up: %v", err)
	}
	r.ready()
	r.obey(forward)
	r.run(400 * ms)
	r.brain = nil
	for range 3 {
		r.log = nil
		if err := r.car.Halt(); err != nil {
			t.Fatalf("Halt: %v", err)
		}
		zeros := r.writes("2C 00 00", "2D 00 00")
		if len(zeros) != 4 || zeros[2].at-zeros[0].at < 2*ms {
			t.Fatalf("zeros %v, want both twice with 2 ms between", zeros)
		}
	}
	r.run(time.Second)
	if left, _ := r.duties(); left != 0 {
		t.Error("a command from before Halt drives")
	}
	r.obey(forward)
	r.run(300 * ms)
	if left, _ := r.duties(); left == 0 {
		t.Error("a fresh command after Halt does not drive")
	}
}

func TestHaltWithoutAcknowledge(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(400 * ms)
	r.hat.off = true
	r.hat.fault = func(_, _ []byte) error { return errNack }
	start := r.clock.Now()
	err := r.car.Halt()
	if err == nil || !strings.Contains(err.Error(), "reset line held low") {
		t.Errorf("Halt on a dead bus: %v", err)
	}
	if d := r.clock.Now() - start; d > 25*ms {
		t.Errorf("Halt took %v, want at most 20 ms and one transaction", d)
	}
	r.run(500 * ms)
	if r.reset.high {
		t.Error("the reset line was not held")
	}
}

func TestResetLineRefuses(t *testing.T) {
	r := newRig(t, nil)
	r.reset.high = true
	r.reset.err = errors.New("device or resource busy")
	r.run(300 * ms)
	s := r.car.Stats()
	if s.LineErrors == 0 || s.Phase != "ready" {
		t.Errorf("phase %q, %d line errors: want a driver that counts and goes on", s.Phase, s.LineErrors)
	}
}

// TestRepeatedLossIsAnsweredSlowly: a controller that answers and then fails
// again is reset about once a second, not four times.
func TestRepeatedLossIsAnsweredSlowly(t *testing.T) {
	r := newRig(t, nil)
	r.hat.adc[1] = 0x2345 // shifted for good
	r.run(6 * time.Second)
	if s := r.car.Stats(); s.Desyncs < 4 || s.Desyncs > 6 || s.Desyncs != s.Resets {
		t.Errorf("%d desyncs and %d resets in 6 s, want about one a second", s.Desyncs, s.Resets)
	}
}

// TestWatchInVirtualTime: the bench calls Watch from within a transaction.
func TestWatchInVirtualTime(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(400 * ms)
	start := r.clock.Now()
	for range 20 { // idle waits are no silence
		r.car.Watch(r.clock.Now())
		r.run(10 * ms)
	}
	if n := r.car.Stats().Stalls; n != 0 {
		t.Fatalf("%d stalls on a sound bus", n)
	}
	start = r.clock.Now()
	var stopped time.Duration
	r.hat.fault = func(_, _ []byte) error {
		for range 30 { // a transaction that hangs for 300 ms and then succeeds
			r.clock.SleepUntil(r.clock.Now() + 10*ms)
			r.car.Watch(r.clock.Now())
			if stopped == 0 && !r.reset.high {
				stopped = r.clock.Now() - start
			}
		}
		r.hat.fault = nil
		return nil
	}
	r.run(310 * ms)
	if stopped < 50*ms || stopped > 75*ms {
		t.Errorf("reset line low after %v of a hanging transaction, want 50 to 75 ms", stopped)
	}
	if s := r.car.Stats(); s.Stalls != 1 || s.Resets != 1 {
		t.Errorf("%d stalls, %d resets, want one of each", s.Stalls, s.Resets)
	}
	r.run(time.Second)
	if left, _ := r.duties(); left != 2535 {
		t.Errorf("duty %d once the bus is back and the brain went on, want 2535", left)
	}
}
