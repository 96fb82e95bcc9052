package service

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// Limits of the heap while the collector is off.
const (
	heapRoom  = 256 << 20 // bytes beyond what the process has at the start; then the collector works again
	heapWarn  = heapRoom / 2
	heapTidy  = 8 << 20     // bytes of growth for which a collection before arming is worth its time
	standsFor = time.Second // without being armed, until the collector is on again
)

// A collector keeps Go's collector off while the car is armed: to begin a
// collection stops every thread of the process, and the loop's waits until the last
// of them has noticed. The memory limit is the last resort: at the limit the runtime
// collects whatever was said here.
type collector struct {
	mu      sync.Mutex
	percent int       // to go back to
	off     bool      //
	at      time.Time // when it was switched off, or when the car was last seen armed
	base    uint64    // bytes in use then
	limit   int64
	samples [1]metrics.Sample
}

// start sets the limit, unless GOMEMLIMIT has set one.
func (c *collector) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.samples[0].Name = "/memory/classes/heap/objects:bytes" // to read it stops nobody
	total := [1]metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(total[:])
	c.limit = debug.SetMemoryLimit(-1)
	if c.limit == math.MaxInt64 {
		c.limit = int64(total[0].Value.Uint64()) + heapRoom
		debug.SetMemoryLimit(c.limit)
	}
}

// used returns the bytes of the heap's objects, dead ones too.
func (c *collector) used() uint64 {
	metrics.Read(c.samples[:])
	return c.samples[0].Value.Uint64()
}

// rest switches the collector off, after a last collection where that is worth it.
// The car is not armed yet: whom this holds up need not be in time.
func (c *collector) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = time.Now()
	if c.off {
		return
	}
	if c.used() > c.base+heapTidy {
		runtime.GC()
	}
	c.percent = debug.SetGCPercent(-1)
	c.off, c.base = true, c.used()
}

// look switches the collector on when the car has stood disarmed for a moment, and
// says how much the heap has grown while it was off.
func (c *collector) look(armed bool) daemon.HeapStatus {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if armed {
		c.at = now
	}
	if c.off && now.Sub(c.at) >= standsFor {
		debug.SetGCPercent(c.percent)
		c.off = false
	}
	used := c.used()
	s := daemon.HeapStatus{Used: used, Limit: c.limit, Off: c.off}
	if c.off && used > c.base {
		s.Grown = used - c.base
	}
	return s
}

// noteHeap runs the collector's watch and keeps a heap visible that grows although
// nothing should allocate.
func (s *Service) noteHeap() {
	if !s.has(Collector) {
		return
	}
	h := s.collector.look(s.car.Brain.Remote().Status().Safety.Armed)
	s.heap.TrySet(&h)
	s.conditions.Put(heapCondition(h), h.Grown > heapWarn)
}

// heapCondition explains it.
func heapCondition(h daemon.HeapStatus) loop.Condition {
	return loop.Condition{
		Name: "heap", Value: fmt.Sprintf("the heap has used half of its room of %d MB since the car was armed", heapRoom>>20),
		Cause:  fmt.Sprintf("the collector is off while the car is armed, and %d MB were allocated since", h.Grown>>20),
		Remedy: "fieldbrain disarm for a moment, then arm: it collects while the car stands; at the limit it collects while the car drives, and ticks come later",
	}
}

// arm makes the next tick arm the car, with the collector off.
func (s *Service) arm() error {
	if s.has(Collector) {
		s.collector.rest()
	}
	return s.car.Brain.Remote().Arm()
}
