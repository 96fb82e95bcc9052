package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/telemetry"
)

// TestHealthAfterTheClockWasSetBack: a newest tick in the future is unknown, which is not
// healthy, has no age for Prometheus, and is not called live in the page.
func TestHealthAfterTheClockWasSetBack(t *testing.T) {
	r := newRig(t, nil)
	r.tick(nil)
	l := r.listen(t)
	l.until("tick", func(v map[string]any) bool { return v["age_ms"] != nil })
	car := telemetry.Nothing()
	car.Wall, car.Mono = time.Now().Add(time.Hour).UnixNano(), int64(time.Since(r.began))
	r.w.Car(&car)
	if text, code := r.get("/healthz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "lies in the future") || !strings.Contains(text, `"alive":true`) {
		t.Errorf("%d %s", code, text)
	}
	text, _ := r.get("/metrics")
	if !strings.Contains(text, "fieldbrain_up 1\n") || strings.Contains(text, "fieldbrain_last_tick_age_seconds ") {
		t.Errorf("an age that nobody knows is told: %s", text)
	}
	l.until("tick", func(v map[string]any) bool { return v["alive"] == true && v["age_ms"] == nil })
}
