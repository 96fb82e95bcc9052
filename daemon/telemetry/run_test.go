package telemetry_test

import (
	"testing"
	"time"

	"fieldbrain/daemon/telemetry"
)

// TestSame: a ring that a dead daemon left belongs to no later one's page, whatever number
// their processes had.
func TestSame(t *testing.T) {
	since := time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC)
	page := telemetry.Run{PID: 1, Boot: "a", Since: since}
	for _, tt := range []struct {
		ring telemetry.Run
		want bool
	}{
		{page, true},
		{telemetry.Run{PID: 1, Boot: "a", Since: since.Add(200 * time.Millisecond)}, true},
		{telemetry.Run{PID: 1, Boot: "a", Since: since.Add(-time.Minute)}, false},
		{telemetry.Run{PID: 1, Boot: "b", Since: since}, false},
		{telemetry.Run{PID: 2, Boot: "a", Since: since}, false},
	} {
		if got := tt.ring.Same(page); got != tt.want {
			t.Errorf("%+v: %t", tt.ring, got)
		}
	}
}
