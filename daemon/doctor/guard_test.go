package doctor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fieldbrain/daemon/doctor"
)

func TestGuard(t *testing.T) {
	const well = "header=orin-nano line=1 daemon=0 priority=60 locked=1 deadman=0 trips=2 stops=1 cause=stop"
	for _, c := range []struct {
		name, said, status, words string
		err                       error
	}{
		{"all well", well, doctor.OK, "orin-nano, real-time priority 60; since it started it has stopped the car 2 times (newest cause: stop)", nil},
		{"none", "", doctor.Fail, "the car does not arm", errors.New("no guard runs")},
		{"out of reach", "", doctor.Fail, "makes its sockets anew", fmt.Errorf("g.sock: %w", doctor.ErrHidden)},
		{"no line", strings.Replace(well, "line=1", "line=0", 1), doctor.Fail, "gpioinfo", nil},
		{"ordinary class", strings.Replace(well, "priority=60", "priority=0", 1), doctor.Warn, "LimitRTPRIO=60", nil},
		{"as the loop", strings.Replace(well, "priority=60", "priority=50", 1), doctor.Warn, "the loop has 50", nil},
		{"pages", strings.Replace(well, "locked=1", "locked=0", 1), doctor.Warn, "LimitMEMLOCK", nil},
		{"another program", "hello", doctor.Warn, "priority", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := jetson(t)
			m.Guard = func() (string, error) { return c.said, c.err }
			for _, r := range doctor.Examine(m) {
				if r.Name != "guard" {
					continue
				}
				if all := r.Found + r.Cause + r.Remedy; r.Status != c.status || !strings.Contains(all, c.words) {
					t.Errorf("%s: %s", r.Status, all)
				}
				return
			}
			t.Error("doctor does not ask for the guard")
		})
	}
}
