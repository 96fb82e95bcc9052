package gpu

import (
	"errors"
	"math/bits"
	"sync/atomic"
	"time"

	"fieldbrain/field"
)

// ErrBehind is returned by Step of an engine whose card is behind: this tick is
// another engine's. The engine lives, keeps the input and catches up, see Tolerance.
var ErrBehind = errors.New("gpu: the card is behind: its answer is late and awaited")

// LateWindow is m of the rule: of so many ticks the late answers are counted, as many as
// a word has bits.
const LateWindow = 64

const lateWindow = "64" // the same, for people

// A Tolerance says how late a card may be before that ends its engine. The zero value
// tolerates nothing: the first late answer is the end
// (docs/decisions/0031-late-answers.md).
type Tolerance struct {
	Late   int // so many late answers of LateWindow ticks end it
	Behind int // ticks after a late answer in which the card has to catch up
}

// Tolerant is the tolerance of a daemon.
func Tolerant() Tolerance { return Tolerance{Late: 8, Behind: 16} }

// A Lateness says how late a card is.
type Lateness struct {
	Recent uint32 // late answers of the last LateWindow ticks
	Behind uint32 // ticks whose inputs the card has not stepped yet, 0 while it keeps up
	Total  uint64 // late answers since the engine was made
}

// lag is an engine's lateness. While it is open the order that was late belongs to
// the child, and the page with it: the client looks at Call.Done and touches nothing
// else. The inputs of the ticks that pass meanwhile wait in a ring.
type lag struct {
	rule     Tolerance
	open     bool
	stepping bool          // the child carries out a step
	tick     uint64        // of that step
	began    time.Time     // when the late order was given
	passed   int           // ticks since then
	history  uint64        // bit n: an answer was late n ticks ago
	advanced bool          // by Step, since CatchUp
	ring     []field.Input // rule.Behind of them
	first    int
	waiting  int // inputs in the ring

	recent, behind atomic.Uint32 // for any goroutine
	total          atomic.Uint64
}

// tolerate sets the rule. It allocates the room for inputs and touches it, so that no
// late tick takes a page fault.
func (e *Engine) tolerate(t Tolerance) {
	e.lag.rule, e.lag.ring = t, make([]field.Input, t.Behind)
	for i := range e.lag.ring {
		e.lag.ring[i].Tick = 1
		e.lag.ring[i] = field.Input{}
	}
}

// Lateness returns how late the card is. Any goroutine may call it; two of the numbers
// may then be of two ticks.
func (e *Engine) Lateness() Lateness {
	l := &e.lag
	return Lateness{Recent: l.recent.Load(), Behind: l.behind.Load(), Total: l.total.Load()}
}

// Behind returns how many ticks' inputs, at least 1, the card has yet to step while it
// is late, 0 while it keeps up or is dead. Owner only.
func (e *Engine) Behind() int {
	if l := &e.lag; l.open && e.err == nil {
		n := l.waiting
		if l.stepping {
			n++
		}
		return max(1, n)
	}
	return 0
}

// CatchUp gives a card that is late the next of the inputs that it has missed, if it
// is done with the one before, and returns what Behind does. The owner calls it once
// between two ticks; it never waits. The steps have the bits that they would have had
// in time, so once it returns 0 the field is that of a card that was never late.
func (e *Engine) CatchUp() int {
	if !e.lag.advanced && e.err == nil {
		e.advance()
	}
	e.lag.advanced = false
	e.pump()
	return e.Behind()
}

// advance lets one tick pass.
func (e *Engine) advance() {
	l := &e.lag
	l.history <<= 1
	l.recent.Store(uint32(bits.OnesCount64(l.history)))
	if !l.open {
		return
	}
	if l.passed++; l.passed > l.rule.Behind {
		e.tooLate("%d ticks later it has not caught up", l.passed)
	}
}

// later notes that the newest order is late. An input, if there is one, was not given
// to the child and is kept. It returns ErrBehind, or why that was too often.
func (e *Engine) later(in *field.Input, order Order, section field.Section, began time.Time, limit time.Duration) error {
	l := &e.lag
	l.total.Add(1)
	l.history |= 1
	n := bits.OnesCount64(l.history)
	l.recent.Store(uint32(n))
	if l.rule.Late == 0 || l.rule.Behind == 0 {
		return e.fail(pending, order, section, began, limit)
	}
	if l.began = began; n >= l.rule.Late {
		return e.tooLate("%d answers of the last "+lateWindow+" ticks were late", n)
	}
	l.open, l.passed = true, 0
	if in == nil {
		l.behind.Store(uint32(e.Behind()))
		return ErrBehind
	}
	return e.keepInput(in)
}

// keepInput puts an input behind those that wait.
func (e *Engine) keepInput(in *field.Input) error {
	l := &e.lag
	if l.waiting == len(l.ring) {
		return e.tooLate("%d inputs wait for it", l.waiting)
	}
	put(&l.ring[(l.first+l.waiting)%len(l.ring)], in)
	l.waiting++
	l.behind.Store(uint32(e.Behind()))
	return ErrBehind
}

// pump looks whether the late order is done and gives the next input.
func (e *Engine) pump() {
	l := &e.lag
	if !l.open || e.err != nil {
		return
	}
	o := e.caller.look(false)
	if o == finished && l.stepping {
		o = e.caller.look(true) // refused: done without an answer
	}
	switch {
	case o == pending:
		return
	case o != finished:
		e.fail(o, OrderStep, 0, time.Now(), e.deadline)
		return
	case l.stepping && !e.judge(l.tick):
		return
	}
	if l.stepping = l.waiting > 0; !l.stepping {
		l.open = false
		l.behind.Store(0)
		return
	}
	in := &l.ring[l.first]
	put(&e.page.In, in)
	l.first, l.waiting, l.tick = (l.first+1)%len(l.ring), l.waiting-1, in.Tick
	e.caller.give(OrderStep, 0)
	l.behind.Store(uint32(e.Behind()))
}

// judge takes the answer to a step that was late and reports whether it can be true.
func (e *Engine) judge(tick uint64) bool {
	e.take()
	f, ok := check(tick, &e.page.Out, &e.out, e.table)
	if !ok {
		e.lie(f, OrderStep, 0, time.Now())
	}
	return ok
}

// tooLate ends the engine. The note has room for a number.
func (e *Engine) tooLate(note string, n int) error {
	f := Failure{Kind: ErrLate, Order: OrderStep, After: time.Since(e.lag.began), Limit: e.deadline}
	f.detail.note, f.detail.n = note, n
	return e.end(&f)
}
