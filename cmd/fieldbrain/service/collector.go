package service

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// Limits of the heap while the collector is off.
const (
	heapRoom  = 256 << 20 // bytes beyond what the process has at the start; then the runtime collects by itself
	heapWarn  = heapRoom / 2
	heapLast  = heapRoom / 8 * 7 // of growth, for which it collects although the car is armed
	heapTidy  = 8 << 20          // of growth, for which a collection is worth its time
	spark     = 2 << 20          // more than the runtime lets the heap grow at least while it sweeps, a megabyte
	standsFor = time.Second      // without being armed, until it collects again
)

// A collector says when Go's collector works. Never while the car is armed: to begin a
// collection stops every thread of the process, and the loop's waits until the last of
// them has noticed. And never while threads of it stand above the collector's, which may
// spin for what it holds (loop.Level). So the runtime's own pace is off, and look
// collects: while the car stands, and armed when the room is nearly used up. The memory
// limit is the last resort: there the runtime collects whatever was said here.
type collector struct {
	level   func(f func()) // runs f while no thread stands above the collector's
	mu      sync.Mutex
	never   bool      // GOGC=off
	off     bool      // nothing collects
	at      time.Time // when it was switched off, or when the car was last seen armed
	base    uint64    // bytes in use after the newest collection, or when it was switched off
	limit   int64
	samples [1]metrics.Sample
	spark   []byte
}

// start takes the pace from the runtime and sets the limit, unless GOMEMLIMIT has set
// one.
func (c *collector) start(level func(f func())) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.level = level
	c.samples[0].Name = "/memory/classes/heap/objects:bytes" // to read it stops nobody
	total := [1]metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(total[:])
	c.limit = debug.SetMemoryLimit(-1)
	if c.limit == math.MaxInt64 {
		c.limit = int64(total[0].Value.Uint64()) + heapRoom
		debug.SetMemoryLimit(c.limit)
	}
	c.never = debug.SetGCPercent(-1) < 0
	c.base = c.used()
}

// collect collects once. runtime.GC would also wait for the sweep, and does so by taking
// turns with the goroutine that sweeps.
func (c *collector) collect() {
	if c.never {
		return
	}
	c.level(func() {
		debug.SetGCPercent(1)
		c.spark = make([]byte, spark) // at a large object the runtime looks whether to begin
		debug.SetGCPercent(-1)        // waits until everything is marked
	})
	c.spark = nil
	c.base = c.used()
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
		c.collect()
	}
	c.off, c.base = true, c.used()
}

// look collects where there is something to collect and the car has stood disarmed for
// a moment, and says how much the heap has grown while nothing did.
func (c *collector) look(armed bool) daemon.HeapStatus {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if armed {
		c.at = now
	}
	if c.off && now.Sub(c.at) >= standsFor {
		c.off = false
	}
	if room := c.room(); c.used() > c.base+room {
		c.collect()
	}
	used := c.used()
	c.base = min(c.base, used) // the newest collection's dead go one after the other
	s := daemon.HeapStatus{Used: used, Limit: c.limit, Off: c.off}
	if c.off {
		s.Grown = used - c.base
	}
	return s
}

// room returns by how much the heap may grow before look collects.
func (c *collector) room() uint64 {
	if c.off {
		return heapLast
	}
	return heapTidy
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

// arm makes the next tick arm the car, with the collector off. Every arming passes here,
// a person's and that of --arm, in its turn as an order.
func (s *Service) arm() error {
	if s.has(Collector) {
		s.collector.rest()
	}
	err := s.car.Brain.Remote().Arm()
	if err == nil {
		s.arming.armed()
	}
	return err
}
