package picarx

import (
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/i2c"

	"fieldbrain/robot"
)

// A bus is the one owner's view of the adapter: 3-byte writes, 1-byte reads,
// and the run of failures that decides when the controller is lost. Buffers
// live here, on the heap, because an adapter may hand their addresses to the
// kernel as plain numbers.
type bus struct {
	dev   i2c.Bus
	clock robot.Clock
	count *counters
	addr  uint16

	out [3]byte
	in  [1]byte

	simulated bool                  // there are no wires
	tripped   *atomic.Pointer[trip] // somebody holds the reset line low
	starts    bool                  // the controller was heard and reset, and is waited for
	dead      bool                  // its reset line is low and is tested: a missing acknowledge is right
	entered   atomic.Int64          // start of the transaction under way, 0 when there is none

	costs costs // of transactions that succeeded

	ended    time.Duration // end of the newest transaction
	failures int           // in a row
	failing  time.Duration // start of the first of them
	slow     bool          // one of them is an adapter's own time limit
}

// Retries before the controller counts as lost: a wrong duty is worse than a
// missing reading, so motor writes get one more.
const (
	readRetries  = 2
	motorRetries = 3
)

// write sets a 16-bit register.
func (b *bus) write(register byte, value uint16) error {
	b.out = [3]byte{register, byte(value >> 8), byte(value)}
	return b.tx("write", register, b.addr, b.out[:], nil)
}

// pad writes a single zero: a third of a group, no register of the controller's.
func (b *bus) pad() error {
	b.out[0] = 0
	return b.tx("write", 0, b.addr, b.out[:1], nil)
}

// read returns the next byte the controller has queued; register is what it
// belongs to, for the error.
func (b *bus) read(register byte) (byte, error) {
	err := b.tx("read", register, b.addr, nil, b.in[:])
	return b.in[0], err
}

// probe reads one byte at addr: the Tegra adapter has neither quick commands
// nor empty transfers. A 1-byte read only consumes whatever byte was queued.
func (b *bus) probe(addr uint16) error { return b.tx("probe", 0, addr, nil, b.in[:]) }

// tx performs and accounts for one transaction.
func (b *bus) tx(op string, register byte, addr uint16, w, r []byte) error {
	start := b.clock.Now()
	b.count.transactions.Add(1)
	if b.failures > 0 {
		b.count.retries.Add(1)
	}
	b.entered.Store(max(1, int64(start))) // virtual time begins at 0
	err := b.dev.Tx(addr, w, r)
	b.ended = b.clock.Now()
	b.entered.Store(0)
	if err == nil {
		b.costs.note(len(w) > 0, b.ended-start)
		b.failures = 0
		return nil
	}
	cause := Classify(err)
	if b.dead && cause == NoAck {
		return err
	}
	if b.failures == 0 {
		b.failing, b.slow = start, false
	}
	b.failures++
	b.slow = b.slow || cause == Timeout || cause == Arbitration
	b.count.errors.Add(1)
	b.count.causes[cause].Add(1)
	b.count.errorAt.Store(int64(b.ended))
	wrapped := &BusError{
		Op: op, Device: b.dev.String(), Addr: addr, Register: register,
		Count: b.failures, Cause: cause, Err: err, Simulated: b.simulated,
	}
	if cause != NoAck || !b.starts && b.tripped.Load() == nil { // a HAT in reset or one that starts answers nobody: that is no news
		b.count.fail(wrapped)
	}
	return wrapped
}

// lost reports whether the failures are too many for an operation with this
// number of retries, or have lasted too long. A missing acknowledge comes at once: a
// single one that seems to have lasted was a thread that came late to look, and the
// next transaction decides.
func (b *bus) lost(retries int, silence time.Duration) bool {
	return b.failures > retries || (b.failures > 1 || b.slow) && b.ended-b.failing >= silence
}
