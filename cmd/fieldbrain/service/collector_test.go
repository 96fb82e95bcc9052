package service

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/daemon"
)

// collecting reports whether Go's collector is on.
func collecting() bool {
	s := [1]metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s[:])
	return s[0].Value.Uint64() < math.MaxInt32
}

// keepCollector lets a test change the collector's settings.
func keepCollector(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// TestCollectorRestsWhileArmed: off from before the car is armed until it has stood
// disarmed for a moment, and no longer; a memory limit holds meanwhile.
func TestCollectorRestsWhileArmed(t *testing.T) {
	keepCollector(t)
	synctest.Test(t, func(t *testing.T) {
		var c collector
		c.start()
		if debug.SetMemoryLimit(-1) == math.MaxInt64 {
			t.Error("no memory limit: nothing would be the last resort")
		}
		want := func(when string, on bool, h daemon.HeapStatus) {
			if collecting() != on || h.Off == on {
				t.Errorf("%s: collecting %v, status %+v; want %v", when, collecting(), h, on)
			}
		}
		want("at the start", true, c.look(false))
		c.rest()
		want("about to be armed", false, c.look(false))
		for range 50 {
			time.Sleep(100 * time.Millisecond)
			want("armed", false, c.look(true))
		}
		c.rest() // armed again by somebody
		time.Sleep(900 * time.Millisecond)
		want("disarmed for less than a moment", false, c.look(false))
		time.Sleep(100 * time.Millisecond)
		want("standing", true, c.look(false))
		c.rest()
		want("armed once more", false, c.look(true))
	})
}

// TestHeapThatGrowsShows: memory allocated while the car is armed is counted, and more
// than half of the room is a condition with a remedy.
func TestHeapThatGrowsShows(t *testing.T) {
	keepCollector(t)
	var c collector
	c.start()
	c.rest()
	before := c.look(true).Grown
	junk := make([]byte, 20<<20)
	grown := c.look(true).Grown
	if grown < before+uint64(len(junk)) {
		t.Errorf("after %d bytes the heap has grown by %d", len(junk), grown-before)
	}
	condition := heapCondition(daemon.HeapStatus{Grown: 200 << 20})
	if !strings.Contains(condition.Cause, "200 MB") || !strings.Contains(condition.Remedy, "fieldbrain disarm") {
		t.Errorf("%+v", condition)
	}
}

// TestGOMEMLIMITStays: a limit that a person has set is kept.
func TestGOMEMLIMITStays(t *testing.T) {
	keepCollector(t)
	debug.SetMemoryLimit(1 << 40)
	var c collector
	c.start()
	if got := debug.SetMemoryLimit(-1); got != 1<<40 || c.look(false).Limit != got {
		t.Errorf("limit %d, status %d", got, c.look(false).Limit)
	}
}

func TestParseRemedies(t *testing.T) {
	for _, names := range append(Steps(), "threads") {
		if _, err := ParseRemedies(names); err != nil {
			t.Errorf("%q: %v", names, err)
		}
	}
	if _, err := ParseRemedies("prayer"); err == nil || !strings.Contains(err.Error(), "threads") {
		t.Errorf("%v", err)
	}
	if all, err := ParseRemedies(Steps()[0]); err != nil || all != Collector|Threads|Bounded {
		t.Errorf("the first step leaves out %b: %v", all, err)
	}
}
