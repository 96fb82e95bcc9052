package picarx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// TestSlowBoot: a controller of any boot time comes up. It is reset at the start and
// once more when it is first heard after a back-off, and never while it starts.
func TestSlowBoot(t *testing.T) {
	for _, boot := range []time.Duration{0, 100 * ms, 215 * ms, 900 * ms, 1300 * ms, 3 * time.Second, 9999 * ms, 10 * time.Second} {
		t.Run(boot.String(), func(t *testing.T) {
			r := newRig(t, nil)
			r.hat.boot = boot
			r.obey(forward)
			r.run(2*boot + 2*time.Second) // twice its boot, one back-off and the bring-up
			if s := r.car.Stats(); s.Phase != "ready" || s.Resets > 1 {
				t.Fatalf("phase %q after %d resets, want ready after 1 at most: %v", s.Phase, s.Resets, s.LastError)
			}
			for i, e := range r.writes("reset false") {
				if rose := r.writes("reset true")[i]; e.at-rose.at < boot {
					t.Errorf("reset at %v, while it starts since %v", e.at, rose.at)
				}
			}
			if left, _ := r.duties(); left != 2535 {
				t.Errorf("duty %d, want 2535", left)
			}
		})
	}
}

// TestSlowBootIsVisible: until it is up the link is down, and the newest error tells
// a controller that starts from one that is off.
func TestSlowBootIsVisible(t *testing.T) {
	r := newRig(t, nil)
	r.hat.boot = 3 * time.Second
	r.run(time.Second)
	if s := r.car.Stats(); !errors.Is(s.LastError, picarx.ErrNoHat) {
		t.Errorf("nothing has been heard yet: %v, want ErrNoHat", s.LastError)
	}
	r.run(4 * time.Second) // heard after 3 s and reset
	s := r.car.Stats()
	if !errors.Is(s.LastError, picarx.ErrBooting) || errors.Is(s.LastError, picarx.ErrNoHat) {
		t.Errorf("heard, reset and silent: %v, want ErrBooting", s.LastError)
	}
	if l := r.sense().Link; l != robot.LinkDown {
		t.Errorf("link %v, want down", l)
	}
	if s.Transactions > 600 {
		t.Errorf("%d probes in 5 s", s.Transactions)
	}
}

// TestSilenceAfterBoot: patience ends. A HAT that is switched off while it starts is off,
// and is reset before use when it comes back.
func TestSilenceAfterBoot(t *testing.T) {
	r := newRig(t, nil)
	r.hat.boot = 300 * ms
	r.run(time.Second + 300*ms) // heard once
	if s := r.car.Stats(); s.Resets != 1 {
		t.Fatalf("%d resets, want the one of a controller that was heard late", s.Resets)
	}
	r.hat.off = true
	r.run(14 * time.Second)
	if s := r.car.Stats(); s.Phase != "back-off" || !errors.Is(s.LastError, picarx.ErrNoHat) {
		t.Errorf("phase %q, %v: want a back-off and ErrNoHat", s.Phase, s.LastError)
	}
	r.hat.off = false
	r.run(2 * time.Second)
	if s := r.car.Stats(); s.Phase != "ready" || s.Resets != 2 {
		t.Errorf("phase %q after %d resets, want ready after 2", s.Phase, s.Resets)
	}
}

// TestHaltWhileItBoots: nobody acknowledges, so the line goes low, and the words are
// those of the HAT. What comes up after it starts anew.
func TestHaltWhileItBoots(t *testing.T) {
	times := []time.Duration{700 * ms, 5 * time.Second} // before it was heard, and after
	for i := range 2 * len(times) {
		at, model := times[i/2], i%2 == 1
		t.Run(fmt.Sprint(at, model), func(t *testing.T) {
			r := newRig(t, nil)
			if model {
				r.rewire(func() bool { return false })
			}
			r.hat.boot = 3 * time.Second
			r.run(at)
			err := r.car.Halt()
			var stop *picarx.StopError
			if !errors.As(err, &stop) || !stop.Held || r.reset.high {
				t.Fatalf("%v, reset line %v: want a stop through the reset line", err, r.reset.high)
			}
			if stop.Reason != picarx.Silent || strings.Contains(err.Error(), "thread") {
				t.Errorf("%v: no thread is late", err)
			}
			if picarx.LateStop(err) != model {
				t.Errorf("%v: inert for sure: %v, want %v", err, !model, model)
			}
			r.run(10 * time.Second)
			if s := r.car.Stats(); s.Phase != "ready" {
				t.Errorf("phase %q ten seconds later, want ready: %v", s.Phase, s.LastError)
			}
		})
	}
}
