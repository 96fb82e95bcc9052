package service

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/daemon"
)

// collections returns how often Go's collector has worked.
func collections() uint64 {
	s := [1]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s[:])
	return s[0].Value.Uint64()
}

// keepCollector lets a test change the collector's settings, on a heap without rubbish.
func keepCollector(t *testing.T) {
	junk = nil
	for range 3 { // finalizers and pools give their memory up one collection later
		debug.FreeOSMemory()
	}
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// junk is what a test has allocated and not yet thrown away.
var junk [][]byte

// allocate takes that many bytes more.
func allocate(n int) { junk = append(junk, make([]byte, n)) }

// TestCollectsWhileStanding: nothing collects from before the car is armed until it has
// stood disarmed for a moment, whatever is thrown away; then somebody does, once, and
// while no thread stands above the collector's. A memory limit holds meanwhile.
func TestCollectsWhileStanding(t *testing.T) {
	keepCollector(t)
	synctest.Test(t, func(t *testing.T) {
		var c collector
		const grown = heapTidy * 7 / 4 // 14 times of it are below heapLast
		levelled := 0
		c.start(func(f func()) {
			before := collections()
			f()
			if collections() == before {
				t.Error("no collection is over when the threads go back to their classes")
			}
			levelled++
		})
		if debug.SetMemoryLimit(-1) == math.MaxInt64 {
			t.Error("no memory limit: nothing would be the last resort")
		}
		want := func(when string, more int, off bool, f func() daemon.HeapStatus) {
			t.Helper()
			runtime.GC() // what earlier tests leave dies here, not in the heap that is watched
			c.base = min(c.base, c.used())
			allocate(grown)
			before, all := levelled, collections()
			h := f()
			if levelled != before+more || (collections() > all) != (more > 0) || h.Off != off {
				t.Errorf("%s: %d collections, %d times with level threads, status %+v; want %d, off %v",
					when, collections()-all, levelled-before, h, more, off)
			}
		}
		look := func(armed bool) func() daemon.HeapStatus {
			return func() daemon.HeapStatus { return c.look(armed) }
		}
		want("at the start", 1, false, look(false))
		want("about to be armed", 1, true, func() daemon.HeapStatus { c.rest(); return c.look(false) })
		for range 10 {
			time.Sleep(500 * time.Millisecond)
			want("armed", 0, true, look(true))
		}
		c.rest() // armed again by somebody
		time.Sleep(900 * time.Millisecond)
		want("disarmed for less than a moment", 0, true, look(false))
		time.Sleep(100 * time.Millisecond)
		want("standing", 1, false, look(false))
	})
}

// TestCollectsBeforeTheLimit: a car that is armed for days on end collects at a time of
// the daemon's own, and not where the runtime finds itself at its limit.
func TestCollectsBeforeTheLimit(t *testing.T) {
	keepCollector(t)
	var c collector
	c.start(func(f func()) { f() })
	c.rest()
	allocate(heapRoom / 2)
	if before := collections(); c.look(true).Grown < heapRoom/2 || collections() != before {
		t.Error("half of the room: want growth to show, and no collection")
	}
	allocate(heapLast - heapRoom/2 + 1<<20)
	before := collections()
	c.look(true)
	if collections() == before {
		t.Error("no collection with a room nearly used up")
	}
	junk = nil
}

// TestGOGCOffStays: who has switched the collector off by hand has it off.
func TestGOGCOffStays(t *testing.T) {
	keepCollector(t)
	debug.SetGCPercent(-1)
	var c collector
	c.start(func(f func()) { f() })
	allocate(heapTidy + 1<<20)
	before := collections()
	c.look(false)
	if collections() != before {
		t.Error("it collects although GOGC=off")
	}
}

// TestHeapThatGrowsShows: memory allocated while the car is armed is counted, and more
// than half of the room is a condition with a remedy.
func TestHeapThatGrowsShows(t *testing.T) {
	keepCollector(t)
	var c collector
	c.start(func(f func()) { f() })
	c.rest()
	before := c.look(true).Grown
	allocate(20 << 20)
	grown := c.look(true).Grown
	if grown < before+20<<20 {
		t.Errorf("after 20 MB the heap has grown by %d", grown-before)
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
	c.start(func(f func()) { f() })
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
	if all, err := ParseRemedies(Steps()[0]); err != nil || all != Collector|Threads|Bounded|Ceding {
		t.Errorf("the first step leaves out %b: %v", all, err)
	}
}
