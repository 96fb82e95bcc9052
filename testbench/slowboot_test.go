package testbench_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldbrain/testbench"
)

// TestSlowBootDrives: with every boot time that a scenario may have the car comes up,
// after two starts at most, and drives.
func TestSlowBootDrives(t *testing.T) {
	for _, ms := range []int{0, 212, 215, 1000, 10_000} {
		sc := parse(t, fmt.Sprintf("%s[hat]\nboot_ms = %d\n", hall, ms))
		boots := 2 * time.Duration(ms) * time.Millisecond
		r := run(t, sc, 1, testbench.Noise, boots+4*time.Second)
		if r.Distance < 0.1 || r.Resets > 1 {
			t.Errorf("boot_ms = %d: drove %.2f m after %d resets", ms, r.Distance, r.Resets)
		}
	}
}

// TestEndOfASilentHat: a drive may end while the HAT is not up, at its first boot or for
// ever; its car stands, and that is its result.
func TestEndOfASilentHat(t *testing.T) {
	sc := parse(t, hall+"[hat]\nboot_ms = 3000\n")
	for length := 100 * ms; length < 7*time.Second; length += 137 * ms {
		if r := run(t, sc, 1, testbench.Noise, length); r.Distance > 0 && length < 6*time.Second {
			t.Errorf("drove %.2f m in %v, before the HAT was up", r.Distance, length)
		}
	}
}

// TestEndWithoutAFault: a fault that is over excuses no stop that the HAT has not heard.
func TestEndWithoutAFault(t *testing.T) {
	for until, want := range map[string]bool{"1": false, "0": true, "2.9": true} {
		sc := parse(t, hall+"[[fault]]\nkind = \"spike\"\nuntil_s = "+until+"\n")
		sc.Hat.Overhead = 9000 // no file may say so: nothing acknowledges a stop in time
		_, err := testbench.Run(sc, 1, testbench.Noise, testbench.Options{Length: 3 * time.Second})
		if (err == nil) != want {
			t.Errorf("a fault until %s s: %v", until, err)
		}
		if err != nil && (strings.Contains(err.Error(), "thread") || !strings.Contains(err.Error(), "too slow")) {
			t.Errorf("%v: in virtual time there are no threads", err)
		}
	}
}
