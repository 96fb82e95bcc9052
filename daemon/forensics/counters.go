package forensics

import (
	"time"

	"fieldbrain/daemon/loop"
)

// Counters are what a slow goroutine reads about the process and the machine, each
// since a start of its own; only differences mean something.
type Counters struct {
	At time.Duration `json:"at_ns"` // of the clock of the ticks
	loop.Interruptions
	Process     time.Duration `json:"process_ns"`   // processor time of the whole process
	Quota       time.Duration `json:"quota_ns"`     // the control group had used up its processor time
	Resumed     uint64        `json:"resumed"`      // SIGCONT
	Collections uint64        `json:"collections"`  // cycles of the collector
	Heap        uint64        `json:"heap_bytes"`   // in use now
	Pressure    Pressure      `json:"pressure"`     // of the machine
	Ready       int           `json:"ready"`        // threads of the machine that ran or wanted to, now
	Throttled   uint64        `json:"throttled"`    // times a processor slowed itself down for its heat
	Misses      uint64        `json:"misses"`       // ticks that missed their deadline
	LateLook    time.Duration `json:"late_look_ns"` // this look came later than it should
}

// Pressure is how long some thread of the machine waited for a resource.
type Pressure struct {
	CPU    time.Duration `json:"cpu_ns"`
	Memory time.Duration `json:"memory_ns"`
	IO     time.Duration `json:"io_ns"`
}

// minus returns what happened since an earlier look; what is no counter stays.
func (c Counters) minus(before *Counters) Counters {
	d := c
	d.At = c.At - before.At
	d.Interruptions = c.Minus(before.Interruptions)
	d.Process = max(0, c.Process-before.Process)
	d.Quota = max(0, c.Quota-before.Quota)
	d.Resumed = c.Resumed - before.Resumed
	d.Misses = c.Misses - before.Misses
	d.Collections = c.Collections - before.Collections
	d.Throttled = c.Throttled - min(c.Throttled, before.Throttled)
	d.Pressure.CPU = max(0, c.Pressure.CPU-before.Pressure.CPU)
	d.Pressure.Memory = max(0, c.Pressure.Memory-before.Pressure.Memory)
	d.Pressure.IO = max(0, c.Pressure.IO-before.Pressure.IO)
	return d
}

// beyond returns what counters grew by beyond their rates in a quiet while: the
// processors of a busy machine are always a little stolen and a little late.
func (c Counters) beyond(quiet *Counters) Counters {
	if quiet.At <= 0 {
		return c
	}
	times := float64(c.At) / float64(quiet.At)
	less := func(grew, quiet time.Duration) time.Duration {
		return max(0, grew-time.Duration(float64(quiet)*times))
	}
	c.Stolen = less(c.Stolen, quiet.Stolen)
	c.Collected = less(c.Collected, quiet.Collected)
	c.Stopped = less(c.Stopped, quiet.Stopped)
	c.Waited = less(c.Waited, quiet.Waited)
	c.Quota = less(c.Quota, quiet.Quota)
	return c
}

// plus returns the sum of what counters grew by.
func (c Counters) plus(d *Counters) Counters {
	c.At += d.At
	c.Stolen += d.Stolen
	c.Collected += d.Collected
	c.Stopped += d.Stopped
	c.Waited += d.Waited
	c.Quota += d.Quota
	return c
}
