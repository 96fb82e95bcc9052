package picarx_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// TestPulledIsTheError: once the driver has been told that the guard has pulled the reset
// line this is its newest error, whatever was before it and however many transactions
// fail for it, until the controller is up again.
func TestPulledIsTheError(t *testing.T) {
	for _, late := range []int{0, 1, 5} { // ms until the driver hears of it
		t.Run(fmt.Sprintf("%d ms later", late), func(t *testing.T) {
			r := newRig(t, nil)
			r.ready()
			r.obey(forward)
			r.hat.fault = func(_, _ []byte) error { // an old error
				r.hat.fault = nil
				return fmt.Errorf("sysfs-i2c: %v", syscall.ETIMEDOUT)
			}
			r.run(2 * ms)
			var bus *picarx.BusError
			if !errors.As(r.car.Stats().LastError, &bus) {
				t.Fatalf("the old error is %v", r.car.Stats().LastError)
			}
			if err := r.reset.Set(false); err != nil { // by the guard
				t.Fatal(err)
			}
			for range late {
				r.run(ms)
			}
			r.car.Pulled()
			for range 1000 {
				if err := r.car.Stats().LastError; !errors.Is(err, picarx.ErrPulled) {
					t.Fatalf("phase %s: %v", r.car.Stats().Phase, err)
				}
				r.run(ms)
			}
			if s := r.sense(); s.Link != robot.LinkUp && s.Link != robot.LinkDegraded {
				t.Errorf("the link is %v in the end, phase %s", s.Link, r.car.Stats().Phase)
			}
		})
	}
}

// TestPulledAllocatesNothing: a tick calls it.
func TestPulledAllocatesNothing(t *testing.T) {
	r := newRig(t, nil)
	if n := testing.AllocsPerRun(100, r.car.Pulled); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
