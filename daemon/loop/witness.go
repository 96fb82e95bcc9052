package loop

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Interruptions are what kept threads of this process from running for a while.
type Interruptions struct {
	Stolen    time.Duration // the machine stood: its host gave the time of a processor to others
	Collected time.Duration // the collector stopped every thread of the process
	Waited    time.Duration // the loop's thread was ready and got no processor
	Stopped   time.Duration // something else of the runtime's stopped every thread of the process
	Ran       time.Duration // the loop's thread had a processor
	Counted   time.Duration // what the kernel accounts for, mean of the processors, stolen time too: the clock's, unless the machine stood
}

// A Why says which of them explains a gap.
type Why uint8

// The explanations, from the outside in: a machine that stands also makes its
// collector late, and a collection its threads.
const (
	NotScheduled Why = iota // nothing else is known: other threads had the processors
	MachineStood
	Collection
)

// Explain says what most likely made a gap: what took at least half of it.
func (i Interruptions) Explain(gap time.Duration) Why {
	switch {
	case gap <= 0:
		return NotScheduled
	case i.Stolen >= gap/2:
		return MachineStood
	case i.Collected >= gap/2:
		return Collection
	}
	return NotScheduled
}

// String says what took how long, for a condition's cause.
func (i Interruptions) String() string {
	ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
	return fmt.Sprintf("the loop's thread waited %.1f ms for a processor, the machine's host took %.1f ms, the collector %.1f ms",
		ms(i.Waited), ms(i.Stolen), ms(i.Collected))
}

// Minus returns what happened since an earlier look.
func (i Interruptions) Minus(before Interruptions) Interruptions {
	return Interruptions{
		Stolen:    max(0, i.Stolen-before.Stolen),
		Collected: max(0, i.Collected-before.Collected),
		Waited:    max(0, i.Waited-before.Waited),
		Stopped:   max(0, i.Stopped-before.Stopped),
		Ran:       max(0, i.Ran-before.Ran),
		Counted:   max(0, i.Counted-before.Counted),
	}
}

// looks is how many looks a Witness keeps: at ten a second, more than a second.
const looks = 16

// A Witness keeps what the computer took from the process. A slow goroutine
// calls Look; any may ask. It stops nobody: it reads two files of the kernel's and
// counters of the runtime's that need no stop of the world.
type Witness struct {
	mu      sync.Mutex
	stat    *os.File // /proc/stat, nil where there is none
	sched   *os.File // schedstat of thread of, nil before the first look at it
	of      int64
	text    [64 << 10]byte
	pauses  [2]metrics.Sample
	thread  atomic.Int64 // of the loop, 0 before it began
	at      [looks]time.Time
	seen    [looks]Interruptions
	newest  int
	sources func() Interruptions // since the start of each counter; tests replace it
}

// NewWitness returns a Witness that has looked once.
func NewWitness() *Witness { return WitnessOf("/proc/stat") }

// WitnessOf is NewWitness with another file in the place of /proc/stat.
func WitnessOf(stat string) *Witness {
	w := &Witness{}
	w.stat, _ = os.Open(stat) // without it nothing was stolen as far as anybody knows
	w.pauses[0].Name = "/sched/pauses/total/gc:seconds"
	w.pauses[1].Name = "/sched/pauses/total/other:seconds"
	w.sources = w.read
	w.Look()
	return w
}

// Close gives up the kernel's files.
func (w *Witness) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.closeSched()
	if w.stat != nil {
		err = errors.Join(err, w.stat.Close())
	}
	return err
}

// Here says that the calling thread is the loop's.
func (w *Witness) Here() { w.thread.Store(int64(unix.Gettid())) }

// Look notes how things stand.
func (w *Witness) Look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.newest = (w.newest + 1) % looks
	w.at[w.newest], w.seen[w.newest] = time.Now(), w.sources()
}

// Newest returns everything up to the newest look, since the start of each counter.
func (w *Witness) Newest() Interruptions {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[w.newest]
}

// Over returns what happened within the last span, or since the look before it.
func (w *Witness) Over(span time.Duration) Interruptions {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, total := time.Now(), w.sources()
	before := w.newest
	for i := range looks {
		at := (w.newest - i + looks) % looks
		if w.at[at].IsZero() {
			break
		}
		before = at
		if now.Sub(w.at[at]) >= span {
			break
		}
	}
	return total.Minus(w.seen[before])
}

// read asks kernel and runtime.
func (w *Witness) read() Interruptions {
	var i Interruptions
	if w.stat != nil {
		n, _ := w.stat.ReadAt(w.text[:], 0)
		i.Stolen, i.Counted = accounts(w.text[:n])
	}
	metrics.Read(w.pauses[:])
	for at, to := range []*time.Duration{&i.Collected, &i.Stopped} {
		if v := w.pauses[at].Value; v.Kind() == metrics.KindFloat64Histogram {
			*to = paused(v.Float64Histogram())
		}
	}
	if tid := w.thread.Load(); tid != 0 {
		i.Ran, i.Waited = w.turns(tid)
	}
	return i
}

// Thread returns the number of the loop's thread, 0 before it began.
func (w *Witness) Thread() int { return int(w.thread.Load()) }

// userHZ is the unit of /proc/stat, the same on every Linux.
const userHZ = 100

// accounts returns the longest time that the host took from one processor, and the
// mean of what the kernel accounts for.
func accounts(stat []byte) (most, counted time.Duration) {
	processors, sum := 0, int64(0)
	for len(stat) > 0 {
		line, rest, _ := bytes.Cut(stat, []byte("\n"))
		stat = rest
		if !bytes.HasPrefix(line, []byte("cpu")) || bytes.HasPrefix(line, []byte("cpu ")) {
			continue
		}
		processors++
		const steal = 8 // cpu0 user nice system idle iowait irq softirq steal, and guests that user and nice count too
		_, field, _ := bytes.Cut(line, []byte(" "))
		for column := 1; column <= steal; column++ {
			text, after, _ := bytes.Cut(field, []byte(" "))
			field = after
			ticks := whole(text)
			sum += ticks
			if column == steal {
				most = max(most, time.Duration(ticks)*time.Second/userHZ)
			}
		}
	}
	return most, time.Duration(sum/int64(max(processors, 1))) * time.Second / userHZ
}

// whole reads a number without a sign; anything else is 0.
func whole(text []byte) (n int64) {
	for _, digit := range text {
		if digit < '0' || digit > '9' {
			return 0
		}
		n = n*10 + int64(digit-'0')
	}
	return n
}

// paused returns the least time that the pauses of a histogram took together.
func paused(h *metrics.Float64Histogram) (sum time.Duration) {
	for i, n := range h.Counts {
		if least := h.Buckets[i]; n > 0 && least > 0 {
			sum += time.Duration(float64(n) * least * float64(time.Second))
		}
	}
	return sum
}

// turns returns how long a thread of this process has run, and how long it has been
// ready without running, 0 where the kernel does not say. The file stays open: ten looks
// a second must leave the collector nothing.
func (w *Witness) turns(tid int64) (ran, waited time.Duration) {
	if w.sched == nil || w.of != tid {
		_ = w.closeSched()                                                  // it was only read
		f, err := os.Open(fmt.Sprintf("/proc/self/task/%d/schedstat", tid)) // ns run, ns waited, turns
		if err != nil {
			return 0, 0
		}
		w.sched, w.of = f, tid
	}
	n, _ := w.sched.ReadAt(w.text[:128], 0) // a thread that has ended gives none
	first, rest, _ := bytes.Cut(w.text[:n], []byte(" "))
	second, _, _ := bytes.Cut(rest, []byte(" "))
	return time.Duration(whole(first)), time.Duration(whole(second))
}

// closeSched gives up the file of a thread.
func (w *Witness) closeSched() error {
	if w.sched == nil {
		return nil
	}
	f := w.sched
	w.sched = nil
	return f.Close()
}
