package gpu

import (
	"errors"
	"fmt"
	"time"
)

// Kinds of failure. Each ends the engine; the supervisor starts another child.
var (
	ErrLate    = errors.New("no answer within the deadline") // hangs, or the deadline is too short
	ErrDied    = errors.New("the child process ended")
	ErrGarbage = errors.New("the answer cannot be true")
	ErrFailed  = errors.New("the child reports a failure") // Error has its words
	ErrStart   = errors.New("the child did not start")
	ErrProof   = errors.New("the child computes another field")
)

// ErrClosed is returned by Step once the engine was closed; take another from
// the supervisor.
var ErrClosed = errors.New("gpu: the engine is closed")

// kinds are the kinds with their short names, as counters carry them.
var kinds = [...]struct {
	err  error
	name string
}{
	{ErrLate, "late"},
	{ErrDied, "died"},
	{ErrGarbage, "garbage"},
	{ErrFailed, "failed"},
	{ErrStart, "start"},
	{ErrProof, "proof"},
}

// A Failure is why an engine is dead, with the order it died of.
type Failure struct {
	Kind    error // ErrLate, ErrDied, ErrGarbage or ErrFailed
	Order   Order
	Channel int           // of a read or write
	Tick    uint64        // of the newest step
	Request uint32        // number of the order
	After   time.Duration // since the order was given
	Limit   time.Duration // after which it is late

	detail detail
}

// A detail is what else is known of a failure, as it was found: the tick that finds it
// makes no text, which takes memory; Error does.
type detail struct {
	flaw  flaw            // of an answer
	words [faultSize]byte // the child's, zero-terminated
	note  string          // ours, with room for n where n is not 0
	n     int
}

// String returns one of them, empty where nothing is known.
func (d *detail) String() string {
	switch {
	case d.flaw.what != "":
		return d.flaw.String()
	case d.words[0] != 0:
		return text(d.words[:])
	case d.n != 0:
		return fmt.Sprintf(d.note, d.n)
	}
	return d.note
}

// Error says what happened in one line.
func (f *Failure) Error() string {
	what := f.Order.String()
	if f.Order == OrderRead || f.Order == OrderWrite {
		what = fmt.Sprintf("%s of channel %d", what, f.Channel)
	}
	text := fmt.Sprintf("gpu: %s at tick %d, order %d: %v after %v of %v", what, f.Tick, f.Request, f.Kind,
		f.After.Round(time.Microsecond), f.Limit)
	if more := f.detail.String(); more != "" {
		text += ": " + more
	}
	return text
}

// Unwrap returns the kind.
func (f *Failure) Unwrap() error { return f.Kind }

// String returns the order's name.
func (o Order) String() string {
	switch o {
	case OrderStep:
		return "step"
	case OrderRead:
		return "read"
	case OrderWrite:
		return "write"
	case OrderRest:
		return "rest"
	case OrderPlan:
		return "plan"
	}
	return fmt.Sprintf("order %d", uint32(o))
}
