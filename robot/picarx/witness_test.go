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

// TestWitness: what kept the computer is told apart, with a remedy each, and none
// of it blames a wire; a witness that errs cannot make a lateness a hanging wire,
// nor a hanging wire a lateness.
func TestWitness(t *testing.T) {
	const none = picarx.Reason(99)
	for _, c := range []struct {
		says   picarx.Reason
		hung   bool
		want   picarx.Reason
		remedy string
	}{
		{none, false, picarx.Late, "end what else runs"},
		{picarx.Late, false, picarx.Late, "end what else runs"},
		{picarx.Stood, false, picarx.Stood, "processors of its own"},
		{picarx.Collected, false, picarx.Collected, "free memory"},
		{picarx.Hung, false, picarx.Late, "end what else runs"},
		{picarx.Stood, true, picarx.Hung, "SDA or SCL"},
	} {
		r := newRig(t, nil)
		picarx.Starved(r.car, func() bool { return false })
		var asked time.Duration
		if c.says != none {
			r.car.OnSilence(func(silent time.Duration) picarx.Reason { asked = silent; return c.says })
		}
		r.ready()
		r.obey(forward)
		r.run(400 * ms)
		r.brain = nil
		if c.hung {
			r.within(func(r *rig) { r.watched(80 * ms) })
		} else {
			r.watched(80 * ms)
		}
		err := r.car.Stats().LastError
		var silent *picarx.SilenceError
		if !errors.As(err, &silent) || silent.Reason != c.want || !strings.Contains(err.Error(), c.remedy) {
			t.Errorf("the witness says %v, hung %v: %v; want %v and %q", c.says, c.hung, err, c.want, c.remedy)
			continue
		}
		if !c.hung && strings.Contains(err.Error(), "SDA") {
			t.Errorf("%v blames a wire", err)
		}
		if c.says != none && (asked == 0) != c.hung {
			t.Errorf("hung %v: the witness was asked about %v", c.hung, asked)
		}
		r.run(5 * ms)
		link := robot.LinkLate
		if c.hung {
			link = robot.LinkDown
		}
		if got := r.sense().Link; got != link {
			t.Errorf("%v: link %v, want %v", c.want, got, link)
		}
	}
}

// TestLateAcknowledge: one missing acknowledge that a late thread saw late is no
// silent HAT; two are, and so is one time limit of the adapter's.
func TestLateAcknowledge(t *testing.T) {
	for _, c := range []struct {
		name  string
		times int
		err   error
		reset uint64
	}{
		{"one, seen late", 1, syscall.EREMOTEIO, 0},
		{"two, the second late", 2, syscall.EREMOTEIO, 1},
		{"the adapter gave up", 1, syscall.ETIMEDOUT, 1},
	} {
		r := newRig(t, nil)
		r.ready()
		r.obey(forward)
		r.run(400 * ms)
		before := r.car.Stats().Resets
		left := c.times
		r.hat.fault = func(_, _ []byte) error {
			if left == 0 {
				return nil
			}
			left--
			r.clock.SleepUntil(r.clock.Now() + 60*ms) // nobody ran, the watch neither
			return c.err
		}
		r.run(100 * ms)
		if got := r.car.Stats().Resets - before; got != c.reset {
			t.Errorf("%s: %d resets, want %d: %v", c.name, got, c.reset, r.car.Stats().LastError)
		}
	}
}
