package forensics

import (
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
)

// A Tick is what the loop's thread notes of one tick.
type Tick struct {
	Number   uint64                         `json:"number"`     // ticks before it
	Release  time.Duration                  `json:"release_ns"` // it was due
	Start    time.Duration                  `json:"start_ns"`   // it began
	End      time.Duration                  `json:"end_ns"`     // it returned
	Skipped  int                            `json:"skipped"`    // whole periods after it
	Warm     bool                           `json:"warm"`       // past the warm-up
	Laps     [brain.NumStages]time.Duration `json:"stages_ns"`  // sense, encode, step, decode, reflex, act
	Doorbell time.Duration                  `json:"doorbell_ns,omitempty"`
	Evolve   time.Duration                  `json:"evolve_ns,omitempty"`
	Match    time.Duration                  `json:"match_ns,omitempty"`
	Response time.Duration                  `json:"response_ns,omitempty"` // longest from data to command since the tick before
	Rung     int                            `json:"rung"`                  // of the quality ladder

	// Of the loop's thread since the tick before.
	Ran       time.Duration `json:"ran_ns"`    // processor time
	System    time.Duration `json:"system_ns"` // of it, what the kernel took, which it knows roughly
	Waited    time.Duration `json:"waited_ns"` // it was ready and got no processor
	Minor     uint32        `json:"minor_faults"`
	Major     uint32        `json:"major_faults"`
	Slept     uint32        `json:"slept"`     // it gave the processor away itself: every wait is one
	Preempted uint32        `json:"preempted"` // somebody took it
}

// Late returns how late the tick began.
func (t *Tick) Late() time.Duration { return t.Start - t.Release }

// Busy returns how long it took.
func (t *Tick) Busy() time.Duration { return t.End - t.Start }

// Missed reports whether the tick missed a deadline: it was not finished at the next
// release, or began later than half a period.
func (t *Tick) Missed(period time.Duration) bool {
	return t.Warm && (t.Skipped > 0 || t.Late() > period/2)
}

// Lengths of a Recorder.
const (
	kept    = 1024 // ticks: five seconds at 5 ms
	backlog = 16   // ticks that wait while a reader copies
)

// A Recorder keeps the newest ticks.
type Recorder struct {
	period time.Duration
	misses atomic.Uint64 // so far

	// The loop's thread only.
	thread  self
	before  usage
	begun   bool
	waiting [backlog]Tick
	n       int
	lost    uint64 // ticks that found the backlog full

	mu   sync.Mutex // of what follows; the loop's thread only tries it
	ring [kept]Tick
	next uint64 // ticks put in
}

// NewRecorder returns an empty recorder for a loop of a period.
func NewRecorder(period time.Duration) *Recorder { return &Recorder{period: period} }

// Parts are what a trace does not know of its tick.
type Parts struct {
	Doorbell, Evolve, Match time.Duration // of the engine's step; negative where it has no such part
	Response                time.Duration // longest from data to command
}

// Put notes a tick that has ended. Only the loop's thread may call it; it allocates
// nothing and waits for nobody.
func (r *Recorder) Put(trace *brain.Trace, s loop.Sample, p Parts) {
	now := r.thread.ask()
	t := Tick{
		Number: trace.Tick, Release: s.Release, Start: s.Start, End: s.End, Skipped: s.Skipped,
		Warm: s.Warm && r.begun, Laps: trace.Laps, Rung: trace.Rung,
		Doorbell: max(0, p.Doorbell), Evolve: max(0, p.Evolve), Match: max(0, p.Match), Response: p.Response,
		Ran: now.ran - r.before.ran, System: now.system - r.before.system, Waited: now.waited - r.before.waited,
		Minor: uint32(now.minor - r.before.minor), Major: uint32(now.major - r.before.major),
		Slept: uint32(now.slept - r.before.slept), Preempted: uint32(now.preempted - r.before.preempted),
	}
	r.before, r.begun = now, true
	if r.n == backlog {
		r.n--
		r.lost++
	}
	r.waiting[r.n] = t
	r.n++
	missed := t.Missed(r.period)
	if !r.mu.TryLock() {
		if missed {
			r.misses.Add(1)
		}
		return
	}
	for i := range r.n {
		r.ring[r.next%kept] = r.waiting[i]
		r.next++
	}
	r.n = 0
	r.mu.Unlock()
	if missed {
		r.misses.Add(1)
	}
}

// Misses returns how many ticks have missed their deadline so far.
func (r *Recorder) Misses() uint64 { return r.misses.Load() }

// Newest copies the newest ticks into the memory of list, the oldest first.
func (r *Recorder) Newest(list []Tick) []Tick {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(r.next, kept)
	list = list[:0]
	for i := r.next - n; i < r.next; i++ {
		list = append(list, r.ring[i%kept])
	}
	return list
}
