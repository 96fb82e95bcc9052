package main

import (
	"testing"
	"time"

	"fieldbrain/daemon"
)

// TestRealSonar: the real car does not get the simulated one's sonar settings.
func TestRealSonar(t *testing.T) {
	p, against := driverParams(daemon.DefaultConfig().Body)
	if len(against) != 0 {
		t.Fatal(against)
	}
	if p.Sonar.Period != 60*time.Millisecond || p.Sonar.Median != 3 {
		t.Errorf("a ping every %v, median of %d; want 60 ms and 3", p.Sonar.Period, p.Sonar.Median)
	}
}
