package web_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/daemon/web"
)

// TestForeignNames: a page may be anybody's. Bytes that are no text reach nobody as such,
// and no scrape ends the server.
func TestForeignNames(t *testing.T) {
	r := newRig(t, nil)
	r.end()
	var err error
	r.w, err = telemetry.New(telemetry.Options{
		Page: telemetry.PagePath(r.socket), Ring: telemetry.RingPath(r.socket), Length: time.Second,
		Identity: telemetry.Identity{Program: "\xff\xfe\x1b[2J", Body: "\xc3\x28", World: "\x00\xff", Period: 5 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	var tick telemetry.Tick
	tick.Level, tick.Mode, tick.Hand, tick.Rung, tick.Link = 255, 255, 255, 255, 255
	tick.Causes = ^uint32(0)
	for i := range tick.Source {
		tick.Source[i] = 0xff
	}
	r.w.Tick(&tick, loop.Counts{Ticks: 1})
	if h := web.Check(filepath.Join(filepath.Dir(r.socket), filepath.Base(telemetry.PagePath(r.socket))), time.Now()); h.LastTick.IsZero() {
		t.Fatalf("the page cannot be read: %+v", h)
	}
	for range 2 {
		text, code := r.get("/metrics")
		if code != 200 || !strings.Contains(text, "fieldbrain_run_info") || strings.Contains(text, "\x1b") {
			t.Errorf("%d %.300q", code, text)
		}
	}
	l := r.listen(t)
	l.until("run", func(v map[string]any) bool { return !strings.Contains(v["program"].(string), "\x1b") })
	l.cancel()
}
