package telemetry

import (
	"time"

	"golang.org/x/sys/unix"
)

// slack is how far the clocks of writer and reader may lie apart: a tick that ends so long
// after the reader's instant is of that instant.
const slack = time.Second

// Age returns how long before now a tick of the run ended, and false where nobody can tell.
// While the machine has not been started anew since, the kernel's monotonic clock says it,
// which nobody sets. Otherwise it is the wall's, and an instant in the future, as after the
// clock was set back, says nothing.
func (p *Page) Age(t *Tick, now time.Time) (time.Duration, bool) {
	if mono, ok := p.mono(); ok {
		return past(mono - time.Duration(t.End))
	}
	return past(now.Sub(p.Last(t)))
}

// Up returns for how long the run has been going at now, or went until its newest tick where
// nobody writes the page any more; false where nobody can tell.
func (p *Page) Up(alive bool, now time.Time) (time.Duration, bool) {
	newest, err := p.Newest()
	h := &p.head
	if mono, ok := p.mono(); alive && ok {
		return past(mono - time.Duration(h.Mono))
	}
	switch {
	case alive:
		return past(now.Sub(time.Unix(0, h.Wall)))
	case err != nil:
		return 0, false
	}
	return past(time.Duration(newest.Tick.End - h.Mono))
}

// past returns a length of time that has passed, and false for one that lies ahead.
func past(d time.Duration) (time.Duration, bool) { return max(0, d), d > -slack }

// mono returns the clock by which the run's ticks are dated, now; false where the machine
// was started anew since, or the ticks have a clock of their own.
func (p *Page) mono() (time.Duration, bool) {
	boot := Text(p.head.Boot[:])
	if p.head.Mono == 0 || boot == "" || boot != bootID() {
		return 0, false
	}
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
