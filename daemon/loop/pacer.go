package loop

import "time"

// DefaultPeriod is the loop's period where nobody says another (docs/decisions/0003).
const DefaultPeriod = 5 * time.Millisecond

// A Pacer decides when ticks are released. It is the policy only: it reads no
// clock and never sleeps, so a test can check its arithmetic alone.
//
// Releases lie on a fixed grid, first + k·period. When a tick has not ended as
// the next release comes due, the pacer skips whole periods. It never makes up
// for them with a burst of late ticks: one new command serves a car better than
// three old ones in a row.
type Pacer struct {
	period  time.Duration
	release time.Duration
}

// NewPacer returns a pacer whose first release is at first. The period must be
// positive.
func NewPacer(period, first time.Duration) Pacer {
	if period <= 0 {
		panic("loop: pacer needs a positive period")
	}
	return Pacer{period: period, release: first}
}

// Release returns the instant at which the next tick is due.
func (p *Pacer) Release() time.Duration { return p.release }

// Advance takes the instants at which the released tick started and ended and
// moves on to the next release. It returns how many whole periods it skipped:
// ceil(late/period), where late is how far ended lies behind the release that
// would have followed. The new release is never before ended and always in a
// later period than started, so no period sees two ticks.
func (p *Pacer) Advance(started, ended time.Duration) (skipped int) {
	p.release += p.period
	if late := ended - p.release; late > 0 {
		skipped = int((late + p.period - 1) / p.period)
		p.release += time.Duration(skipped) * p.period
	}
	if p.release <= started { // a tick of no length, woken exactly on the grid
		skipped++
		p.release += p.period
	}
	return skipped
}
