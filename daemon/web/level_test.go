package web_test

import (
	"slices"
	"strings"
	"testing"

	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// A car that is driven against a wall changes its level many times a second: the journal
// tells eight changes, then one line a second, and a stop at once.
func TestLevelsLeaveTheJournalRoom(t *testing.T) {
	r := newRig(t, nil)
	const period, seconds = 5, 6 // ms
	at := int64(0)
	tick := func(level safety.Level, causes safety.Causes, n int) {
		for range n {
			r.tick(func(w *telemetry.Tick) {
				if at == 0 {
					at = w.End
				}
				at += period * 1e6
				w.End, w.Level, w.Causes, w.Flags = at, uint8(level), uint32(causes), w.Flags|telemetry.TickArmed
			})
		}
	}
	tick(safety.Normal, 0, 1)
	for range seconds * 1000 / (4 * period) {
		tick(safety.Hold, safety.Obstacle, 2)
		tick(safety.Normal, 0, 2)
	}
	tick(safety.Latched, safety.EStop, 1)
	var texts []string
	r.listen(t).until("journal", func(v map[string]any) bool {
		for _, e := range v["all"].([]any) {
			texts = append(texts, e.(map[string]any)["text"].(string))
		}
		return slices.ContainsFunc(texts, func(text string) bool {
			return strings.HasPrefix(text, "LATCHED: somebody pressed the emergency stop (e-stop)")
		})
	})
	held := 0
	for _, text := range texts {
		if strings.HasPrefix(text, "HOLD") || strings.HasPrefix(text, "NORMAL") {
			held++
		}
	}
	if held < 8 || held > 8+seconds {
		t.Errorf("%d lines for %d s of bumping into a wall: %q", held, seconds, texts)
	}
}
