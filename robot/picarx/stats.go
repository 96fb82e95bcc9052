package picarx

import "sync/atomic"

// Stats are the driver's health counters since New, for telemetry.
type Stats struct {
	Phase        string            // what the link is doing: "ready", "probe", ...
	Transactions uint64            // I2C transactions tried
	Errors       uint64            // of which failed
	Causes       [NumCauses]uint64 // failures by cause
	Retries      uint64            // transactions tried because the one before failed
	Resets       uint64            // controller resets after the first
	Desyncs      uint64            // resets because the byte stream was shifted
	Implausible  uint64            // battery readings outside 5..8.7 V
	LineErrors   uint64            // GPIO lines that refused a level
	Stalls       uint64            // times Watch found the bus owner silent
	Lates        uint64            // of which its thread was late and nothing hung
	Dropped      uint64            // response times lost because nobody drained them
	Sonar        SonarStats
	LastError    error // newest error of any kind, nil when there was none
}

// SonarStats count what became of the pings.
type SonarStats struct {
	Pings     uint64 // triggers sent
	Echoes    uint64 // of which gave a range
	Silent    uint64 // the echo did not rise within 5 ms: unplugged, or pinmux
	Endless   uint64 // the echo did not fall within 40 ms: a slow clone without a target, or wiring
	TooNear   uint64 // shorter than 2 cm: a ghost
	TooFar    uint64 // longer than 4 m: the sensor gave up, nothing echoed
	Mixed     uint64 // edges in an impossible order
	LostEdges uint64 // gaps in the edge numbers
	Stuck     uint64 // echo high for 250 ms before a ping: power or wiring
}

// counters are the shared, lock-free form of Stats.
type counters struct {
	transactions, errors, retries, resets, desyncs  atomic.Uint64
	implausible, lineErrors, stalls, lates, dropped atomic.Uint64
	causes                                          [NumCauses]atomic.Uint64

	pings, echoes, silent, endless, tooNear atomic.Uint64
	tooFar, mixed, lostEdges, stuck         atomic.Uint64

	phase   atomic.Uint32
	errorAt atomic.Int64 // instant of the newest failed transaction
	last    atomic.Pointer[error]
}

// fail records err as the newest error. It allocates, which only failures may.
func (n *counters) fail(err error) { n.last.Store(&err) }

// lastError returns the newest error or nil.
func (n *counters) lastError() error {
	if p := n.last.Load(); p != nil {
		return *p
	}
	return nil
}

// Stats returns the counters. Any goroutine may call it; the counters are read
// one by one, so a sum may be off by the transaction in progress.
func (c *Car) Stats() Stats {
	n := &c.count
	s := Stats{
		Phase:        phase(n.phase.Load()).String(),
		Transactions: n.transactions.Load(), Errors: n.errors.Load(), Retries: n.retries.Load(),
		Resets: n.resets.Load(), Desyncs: n.desyncs.Load(), Implausible: n.implausible.Load(),
		LineErrors: n.lineErrors.Load(), Stalls: n.stalls.Load(), Lates: n.lates.Load(), Dropped: n.dropped.Load(),
		LastError: n.lastError(),
		Sonar: SonarStats{
			Pings: n.pings.Load(), Echoes: n.echoes.Load(), Silent: n.silent.Load(),
			Endless: n.endless.Load(), TooNear: n.tooNear.Load(), TooFar: n.tooFar.Load(),
			Mixed: n.mixed.Load(), LostEdges: n.lostEdges.Load(), Stuck: n.stuck.Load(),
		},
	}
	for i := range s.Causes {
		s.Causes[i] = n.causes[i].Load()
	}
	return s
}
