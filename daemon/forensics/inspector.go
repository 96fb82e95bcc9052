package forensics

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/daemon/loop"
)

// How often an Inspector looks, judges and writes.
const (
	LookEvery  = 100 * time.Millisecond
	looks      = 16               // that are kept: a second and more
	judgeEvery = time.Second      // at most
	writeEvery = 10 * time.Second // one, in the mean
	atOnce     = 3                // after a quiet while
	sameEvery  = time.Minute      // of the same cause as the bundle before, unless it costs much more
	muchMore   = 4                // times
)

// Ticks in a bundle.
const (
	ticksBefore = 100
	ticksAfter  = 20
)

// Options are what an Inspector needs.
type Options struct {
	Period  time.Duration
	Witness *loop.Witness // looks before the Inspector does
	Archive *Archive      // nil keeps no bundle
	Program string        // version
	Body    string        // sim or picarx
	Trace   bool          // keep Go's execution trace beside each bundle

	// Surroundings fills in what the caller knows of machine, bus, engine and car. It
	// runs on the goroutine that looks.
	Surroundings func(e *Evidence)
}

// An Inspector watches one loop.
type Inspector struct {
	*Recorder
	o         Options
	probe     *Probe
	faultCost time.Duration
	boot      string // the machine's start

	// Of the goroutine that looks.
	seen   [looks]Counters
	newest int
	looked int
	first  int // number of the look that first saw a miss not judged yet; 0: none
	judged time.Duration
	ticks  []Tick
	census census

	newestFinding atomic.Pointer[Noted]

	work    chan struct{} // a bundle waits to be written
	mu      sync.Mutex    // of what follows
	bundle  Bundle        // the one that waits, or is being written
	busy    bool
	quota   time.Duration // of writing: each bundle takes writeEvery of it
	since   time.Duration // quota is as of then
	written time.Duration // when the last one was handed over
	last    Finding       // its
	unkept  uint64        // findings since, that were not kept
	err     error         // of the archive, newest
}

// A Noted is a finding and when it was made.
type Noted struct {
	Finding
	At     time.Time
	Misses uint64 // so far
	Worst  Tick   // that was judged
}

// NewInspector returns an Inspector that has looked once.
func NewInspector(o Options) *Inspector {
	i := &Inspector{
		Recorder: NewRecorder(o.Period), o: o, probe: NewProbe(o.Witness), faultCost: faultCost(), boot: bootID(),
		work: make(chan struct{}, 1), ticks: make([]Tick, 0, kept), judged: -judgeEvery, quota: atOnce * writeEvery,
	}
	i.bundle.Ticks = make([]Tick, 0, ticksBefore+ticksAfter)
	if o.Archive != nil {
		i.err = o.Archive.make()
	}
	return i
}

// Close gives up the kernel's files.
func (i *Inspector) Close() error { return i.probe.Close() }

// Newest returns the newest finding, nil before the first.
func (i *Inspector) Newest() *Noted { return i.newestFinding.Load() }

// Err returns why the newest bundle was not kept, or the first one could not be; nil
// otherwise.
func (i *Inspector) Err() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.err
}

// Look reads the counters and judges what was missed since. One slow goroutine calls
// it, ten times a second, at an instant of the ticks' clock. throttled counts how
// often a processor slowed itself down.
func (i *Inspector) Look(now time.Duration, throttled uint64) {
	c := i.probe.Look(now, throttled)
	c.Misses = i.Misses()
	if i.looked > 0 {
		c.LateLook = max(0, now-i.seen[i.newest].At-LookEvery)
	}
	if tid := i.o.Witness.Thread(); tid != 0 && i.census.ran == nil {
		policy, priority := class(tid)
		i.census.begin(policy, priority)
	}
	i.newest = (i.newest + 1) % looks
	i.seen[i.newest] = c
	i.looked++
	before, ok := i.at(1)
	if ok && i.first == 0 && c.Misses != before.Misses {
		i.first = i.looked
	}
	if i.first == 0 || i.looked == i.first || now-i.judged < judgeEvery {
		return // the next look has the ticks after it
	}
	i.judged = now
	i.judge(now, i.looked-i.first)
	i.first = 0
}

// at returns the look that was n before the newest, and whether there was one.
func (i *Inspector) at(n int) (*Counters, bool) {
	if n >= looks || n >= i.looked {
		return nil, false
	}
	return &i.seen[(i.newest-n+looks)%looks], true
}

// judge gathers the evidence around the misses that a look first saw, so many looks
// before the newest.
func (i *Inspector) judge(now time.Duration, ago int) {
	i.ticks = i.Recorder.Newest(i.ticks)
	n := min(ago+1, looks-1, i.looked-1) // looks back to the newest before the first missed tick was due
	before, _ := i.at(n)
	e := Evidence{Period: i.o.Period, FaultCost: i.faultCost}
	e.Miss = missIn(i.ticks, i.o.Period, before.At, now)
	if e.Miss.Ticks == 0 {
		return
	}
	for before.At > e.Miss.From {
		earlier, ok := i.at(n + 1)
		if !ok {
			break
		}
		before, n = earlier, n+1
	}
	after := i.seen[i.newest]
	e.Grew = after.minus(before)
	e.Grew.LateLook = i.lateSince(n)
	quiet := i.quiet(n)
	e.Beyond = e.Grew.beyond(&quiet)
	e.Policy, e.Priority = class(i.o.Witness.Thread())
	if i.o.Surroundings != nil {
		i.o.Surroundings(&e)
	}
	i.conclude(&e, now)
}

// lateSince returns how late the looks of the window were together.
func (i *Inspector) lateSince(n int) (sum time.Duration) {
	for k := range n {
		if c, ok := i.at(k); ok {
			sum += c.LateLook
		}
	}
	return sum
}

// quiet returns what the counters grew by before the n-th look, between looks in
// which nothing was missed: what is always so explains no miss.
func (i *Inspector) quiet(n int) (sum Counters) {
	for k := n; ; k++ {
		after, _ := i.at(k)
		before, ok := i.at(k + 1)
		if !ok {
			return sum
		}
		if after.Misses == before.Misses {
			d := after.minus(before)
			sum = sum.plus(&d)
		}
	}
}

// conclude judges, tells and hands a bundle over if one is due.
func (i *Inspector) conclude(e *Evidence, now time.Duration) {
	f := Judge(e)
	if f.Cause == HigherPriority { // who? that takes many reads
		e.Rivals = i.census.take(e.Priority, time.Now())
		f = Judge(e)
	}
	i.newestFinding.Store(&Noted{Finding: f, At: time.Now(), Misses: i.Misses(), Worst: e.Miss.Worst})
	if i.o.Archive == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.quota = min(i.quota+now-i.since, atOnce*writeEvery)
	i.since = now
	again := f.Cause == i.last.Cause && now-i.written < sameEvery && f.Cost < muchMore*i.last.Cost
	if i.busy || again || i.quota < writeEvery {
		i.unkept++
		return
	}
	i.quota -= writeEvery
	i.busy, i.written, i.last = true, now, f
	i.bundle.fill(i, e, &f)
	i.unkept = 0
	i.work <- struct{}{} // has room: nothing is busy
}

// Run writes bundles until ctx is done. Errors are kept for Err.
func (i *Inspector) Run(ctx context.Context) error {
	tracer, err := i.startTrace()
	if err != nil {
		i.note(err, false)
	}
	if tracer != nil {
		defer tracer.Stop()
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-i.work:
		}
		path, err := i.o.Archive.Put(&i.bundle)
		if err == nil && tracer != nil {
			err = i.o.Archive.putTrace(path, tracer)
		}
		i.note(err, true)
	}
}

// note keeps the newest error; done says that the bundle's memory is free again.
func (i *Inspector) note(err error, done bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.err = err
	if done {
		i.busy = false
	}
}
