package robot

import (
	"runtime"
	"time"
)

const (
	cedeEvery = 4 * time.Millisecond   // sysmon's patience is 10 ms, and it looks at most 10 ms apart
	cedeRoom  = 500 * time.Microsecond // that must be left until a thread is due: the way back leads through another
)

// A Ceder lets a thread that a goroutine is locked to pass Go's scheduler now and then.
//
// A goroutine that only computes and waits in short system calls never does so by itself.
// After 10 ms the runtime's monitor (sysmon) takes it for one that runs on and on: it takes
// the goroutine's processor of Go's (P) away in the middle of each wait, looks around every
// 20 us for ever, and interrupts the goroutine between two instructions, which then waits
// for another thread wherever it is, in a tick as well (retake and preemptone in
// runtime/proc.go, Go 1.26). One that cedes its P at a moment of its own choosing is left
// alone. The thread through which the
// way back leads must not be one that a load starves. A Ceder belongs to one goroutine; the
// zero value is ready.
type Ceder struct {
	Off  bool // does not cede
	last time.Duration
}

// Cede gives the processor of Go's back and fetches one again, where the last time is long
// ago and until, when the caller is due, is not near. Both are instants of one clock.
func (c *Ceder) Cede(now, until time.Duration) {
	if c.due(now, until) {
		c.last = now
		runtime.Gosched()
	}
}

// due reports whether it is time to cede, and there is time for it.
func (c *Ceder) due(now, until time.Duration) bool {
	return !c.Off && now-c.last >= cedeEvery && until-now >= cedeRoom
}
