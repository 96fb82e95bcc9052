package picarx_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// deafRig is a car whose reset line ends nowhere, as with wire 29 loose or its pad not
// GPIO: every level is taken, and the HAT's own pull-up keeps the controller running.
func deafRig(t *testing.T) (*rig, *line) {
	t.Helper()
	r := newRig(t, nil)
	loose := &line{rig: r, name: "reset"}
	r.reset.high, r.hat.since = true, -time.Second // it was switched on before the daemon
	w := r.wire()
	w.Reset = loose
	car, err := picarx.New(w, picarx.Default())
	if err != nil {
		t.Fatal(err)
	}
	r.car = car
	return r, loose
}

// TestDeafReset: a controller that answers while its reset line is low keeps the car from
// getting ready, whatever the brain wants, and motors that somebody left on get zeros.
func TestDeafReset(t *testing.T) {
	r, loose := deafRig(t)
	r.hat.regs[0x2c], r.hat.regs[0x2d] = 2000, 2000
	r.obey(forward)
	r.run(50 * ms)
	if left, right := r.duties(); left != 0 || right != 0 {
		t.Errorf("duties %d, %d after 50 ms, want zeros: nothing else stops these motors", left, right)
	}
	r.run(5 * time.Second)
	s := r.car.Stats()
	if s.Phase != "deaf" || !errors.Is(s.LastError, picarx.ErrResetDeaf) || !strings.Contains(s.LastError.Error(), "pin 29") {
		t.Errorf("phase %q, %v: want a deaf line and where to look", s.Phase, s.LastError)
	}
	if l := r.sense().Link; l != robot.LinkDown || loose.high {
		t.Errorf("link %v, reset line %v: want down and low", l, loose.high)
	}
	if n := len(r.writes("2D 09", "2C 09")); n != 0 || s.Transactions > 30 {
		t.Errorf("%d duties and %d transactions in 5 s, want none and few", n, s.Transactions)
	}
	if err := r.car.Halt(); err != nil {
		t.Errorf("Halt: %v, and both motors have acknowledged zero", err)
	}
}

// TestDeafResetMended: a line that works again is found within a back-off, and the car
// comes up from a real reset.
func TestDeafResetMended(t *testing.T) {
	r, loose := deafRig(t)
	r.run(3 * time.Second)
	loose.then = func(high bool) { _ = r.reset.Set(high) }
	_ = r.reset.Set(loose.high)
	r.obey(forward)
	r.run(2 * time.Second)
	if left, _ := r.duties(); left != 2535 {
		t.Errorf("duty %d, phase %q: want it to drive again", left, r.car.Stats().Phase)
	}
}

// TestDeafResetLater: a wire that comes off while the car drives is found at the next
// reset, and the motors, which that did not stop, get zeros.
func TestDeafResetLater(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(400 * ms)
	r.reset.then = func(bool) { r.reset.high = true }
	r.hat.adc[1] = 0x2345 // out of step: the driver resets it
	r.run(20 * ms)
	if left, right := r.duties(); left != 0 || right != 0 {
		t.Errorf("duties %d, %d, want zeros", left, right)
	}
	r.run(3 * time.Second)
	if s := r.car.Stats(); s.Phase != "deaf" || !errors.Is(s.LastError, picarx.ErrResetDeaf) {
		t.Errorf("phase %q, %v: want a deaf line", s.Phase, s.LastError)
	}
}

// TestDeafResetWithoutAnswer: a bus that gives no clear answer keeps the controller in
// reset, and it comes up when the bus does; a controller in reset is no error.
func TestDeafResetWithoutAnswer(t *testing.T) {
	r := newRig(t, nil)
	r.hat.fault = func(_, _ []byte) error { return errors.New("sysfs-i2c: resource temporarily unavailable") }
	r.run(3 * time.Second)
	var bus *picarx.BusError
	if s := r.car.Stats(); r.reset.high || !errors.As(s.LastError, &bus) || bus.Cause != picarx.Arbitration || s.Transactions > 30 {
		t.Errorf("reset line %v, %d transactions, %v: want it low and the bus named", r.reset.high, s.Transactions, s.LastError)
	}
	r.hat.fault = nil
	r.run(2 * time.Second)
	if got := r.car.Stats().Phase; got != "ready" {
		t.Errorf("phase %q, want ready", got)
	}
	r = newRig(t, nil)
	r.ready()
	if s := r.car.Stats(); s.Errors != 0 || s.LastError != nil || r.sense().Link != robot.LinkUp {
		t.Errorf("%d errors, %v after a usual start, want none", s.Errors, s.LastError)
	}
}

// TestHeldResetAsksNobody: where the line belongs to another process, which may drive the
// HAT, its bus is left alone.
func TestHeldResetAsksNobody(t *testing.T) {
	r := newRig(t, nil)
	r.reset.high, r.reset.err = true, robot.ErrHeld
	r.run(3 * time.Second)
	if r.hat.txs != 0 {
		t.Errorf("%d transactions, want none", r.hat.txs)
	}
	r.reset.err, r.reset.high = nil, false
	r.run(500 * ms)
	if got := r.car.Stats().Phase; got != "ready" {
		t.Errorf("phase %q, want ready", got)
	}
}
