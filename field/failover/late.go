package failover

import "fieldbrain/field"

// A Laggard is an engine whose Step may fail because it is late, and which lives: it
// keeps the input, steps it later and then has the field of one that was never late. A
// primary that is one loses the ticks that it misses to the standby and nothing else.
type Laggard interface {
	field.Engine
	// Behind returns how many ticks it lacks, 0 where it keeps up or is dead.
	Behind() int
	// CatchUp steps what it lacks as far as that goes without waiting, and returns
	// what Behind then does. It is called once between two steps.
	CatchUp() int
}

// lagging reports whether the primary is late and lives.
func (f *Engine) lagging() bool {
	l, may := f.primary.(Laggard)
	return may && l.Behind() > 0
}

// late lends the standby one tick.
func (f *Engine) late() {
	f.lates.Add(1)
	if !f.behind.Load() {
		f.behind.Store(true)
		f.active.Store(f.standbyName)
	}
}

// level ends what late began.
func (f *Engine) level() {
	if f.behind.Load() {
		f.behind.Store(false)
		f.active.Store(f.primaryName)
	}
}
