package testbench_test

import (
	"fmt"
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
