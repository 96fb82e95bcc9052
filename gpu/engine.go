package gpu

import (
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/field"
)

// An Engine steps the field in a child process. It implements field.Engine; one
// goroutine owns it. Its first failure is its last: every later Step returns
// the same error at once, Read and Write do nothing. A Supervisor makes them.
type Engine struct {
	name   string
	table  *[field.Channels]field.Channel
	layout field.Layout
	shelf  field.Shelf
	page   *Page
	caller *caller

	deadline time.Duration // of a step, from the call
	patience time.Duration // of any other order
	tick     uint64        // of the newest step
	out      field.Output
	obstacle [field.Plane]float32

	err     error         // why it is dead, owner only
	failure Failure       // the same, where an order failed
	broken  chan *Failure // the same for the supervisor, holds one
	taken   chan struct{} // holds one once somebody drives with it
	lease   atomic.Uint32 // who still needs the page, see Close
	unmap   func() error  // gives the page back
	nanos   nanos         // of the newest step
	took    time.Duration // by the newest step, seen from here
	lag     lag           // see Tolerance
	plans   planning      // see Plan
	device  string        // name of the card
	copies  bool          // the child copies: the device may not see the page
	memory  Memory        // of the card
}

// States of an Engine's lease.
const (
	leased   uint32 = iota
	returned        // closed: the supervisor gives the page back
	orphaned        // the supervisor is gone: Close gives the page back
	unmapped        // whoever came second has given the page back, once
)

// newEngine puts an engine on a page whose child is ready.
func newEngine(m *Mapping, b *caller, s *Setup) *Engine {
	e := &Engine{
		table: &s.Params.Table, layout: field.NewLayout(&s.Params.Table, s.Step),
		shelf: field.NewShelf(&s.Params.Table), page: m.Page, caller: b,
		broken: make(chan *Failure, 1), taken: make(chan struct{}, 1), unmap: m.Close,
		device: text(m.Page.Head.Device[:]), copies: m.Page.Head.Registered == 0,
		memory: memoryOf(&m.Page.Head),
	}
	e.name = fmt.Sprintf("cuda/%s/%s", e.device, s.Step)
	if s.Half {
		e.name += "/fp16"
	}
	e.out.Obstacle = &e.obstacle
	return e
}

// Step runs one tick in the child and waits for its answer, at most for the
// deadline. The answer is copied out of the page, 30 kB, and then judged: what
// passed the checks is what the caller gets, whatever the child does later. A late
// answer that is tolerated is ErrBehind, and so is every tick until the card has caught
// up; none of those waits. Other errors wrap ErrLate, ErrDied, ErrGarbage, ErrFailed or
// ErrClosed.
func (e *Engine) Step(in *field.Input) (*field.Output, error) {
	if e.err != nil {
		return nil, e.err
	}
	if !in.Quality.Valid() {
		return nil, fmt.Errorf("gpu: quality %+v: periods must be 1, 2, 4 or 8", in.Quality)
	}
	e.tick = in.Tick
	e.advance()
	e.lag.advanced = true
	if e.pump(); e.err != nil {
		return nil, e.err
	}
	if e.lag.open {
		return nil, e.keepInput(in)
	}
	return e.stepNow(in)
}

// stepNow gives the child an input and waits for the answer.
func (e *Engine) stepNow(in *field.Input) (*field.Output, error) {
	began := time.Now()
	if err := e.free(in, OrderStep, 0, began, e.deadline); err != nil {
		return nil, err
	}
	put(&e.page.In, in)
	e.caller.give(OrderStep, 0)
	switch o := e.caller.wait(true, began, e.deadline); o {
	case finished:
	case pending:
		e.lag.stepping, e.lag.tick = true, in.Tick
		return nil, e.later(nil, OrderStep, 0, began, e.deadline)
	default:
		return nil, e.fail(o, OrderStep, 0, began, e.deadline)
	}
	e.take()
	if f, ok := check(in.Tick, &e.page.Out, &e.out, e.table); !ok {
		return nil, e.lie(f, OrderStep, 0, began)
	}
	e.nanos.set(&e.page.Out.Stats.Nanos)
	e.took = time.Since(began)
	return &e.out, nil
}

// put copies the used part of an input.
func put(to, from *field.Input) {
	to.Tick, to.Forward, to.Turn = from.Tick, from.Forward, from.Turn
	to.NumTerms, to.NumBeams = from.NumTerms, from.NumBeams
	copy(to.Terms[:], from.Terms[:from.NumTerms])
	copy(to.Beams[:], from.Beams[:from.NumBeams])
	to.Edges, to.Drive, to.Senses, to.Quality = from.Edges, from.Drive, from.Senses, from.Quality
	to.Outcome = from.Outcome
}

// take copies the answer out of the page.
func (e *Engine) take() {
	a := &e.page.Out
	e.out.Marginals, e.obstacle = a.Marginals, a.Obstacle
	e.out.Blocked, e.out.Heading, e.out.Prediction = a.Blocked, a.Heading, a.Prediction
	e.out.Recall = a.Recall
}

// Read copies channel c, expanded, into dst, or another section. A child that fails
// at it, or holds values that no engine can have, leaves dst as it is, and the
// next Step says so.
func (e *Engine) Read(c field.Section, dst []float32) {
	if c >= field.Channels {
		e.readSection(c, dst)
		return
	}
	s := &e.layout.Storage[c]
	if began := time.Now(); e.obey(OrderRead, c, began) {
		cells := e.page.Cells[:s.Size()]
		if i, ok := sound(cells); !ok {
			e.lie(flaw{"cell that no field can hold, of channel", int(c), int64(i), 0}, OrderRead, c, began)
			return
		}
		s.Expand(dst, cells)
	}
}

// readSection copies a section that is no channel.
func (e *Engine) readSection(s field.Section, dst []float32) {
	began := time.Now()
	if !e.obey(OrderRead, s, began) {
		return // and the page may be gone
	}
	cells := e.page.Cells[:s.Cells(&e.shelf)]
	if !s.Sound(cells, &e.shelf) {
		e.lie(flaw{"number that nobody can have learned or kept, of section", int(s), 1, 0}, OrderRead, s, began)
		return
	}
	clear(dst[copy(dst, cells):])
}

// Write sets channel c from its expanded form, or another section. A failure is told
// by the next Step. Reads and writes do nothing while the card is behind.
func (e *Engine) Write(c field.Section, src []float32) {
	began := time.Now()
	if e.err != nil || e.lag.open || e.free(nil, OrderWrite, c, began, e.patience) != nil {
		return
	}
	if c >= field.Channels {
		copy(e.page.Cells[:c.Cells(&e.shelf)], src)
	} else {
		s := &e.layout.Storage[c]
		s.Collapse(e.page.Cells[:s.Size()], src)
	}
	e.obey(OrderWrite, c, began)
}

// Rest puts every channel to rest, as in a new engine. A failure is told by the
// next Step.
func (e *Engine) Rest() { e.obey(OrderRest, 0, time.Now()) }

// obey gives an order other than a step and waits until the child is done. It returns
// false at once while the card is behind.
func (e *Engine) obey(order Order, section field.Section, began time.Time) bool {
	if e.err != nil || e.lag.open || e.free(nil, order, section, began, e.patience) != nil {
		return false
	}
	e.caller.give(order, int(section))
	switch o := e.caller.wait(false, began, e.patience); o {
	case finished:
		return true
	case pending:
		e.later(nil, order, section, began, e.patience)
	default:
		e.fail(o, order, section, began, e.patience)
	}
	return false
}

// free waits until the child is done with the order before: its answer comes
// a little earlier than that. If that is late, the input of a step is kept.
func (e *Engine) free(in *field.Input, order Order, section field.Section, began time.Time, limit time.Duration) error {
	switch o := e.caller.wait(false, began, limit); o {
	case finished:
		return nil
	case pending:
		e.lag.stepping = false
		return e.later(in, order, section, began, limit)
	default:
		return e.fail(o, order, section, began, limit)
	}
}

// fail makes the engine dead because an order ended badly.
func (e *Engine) fail(o outcome, order Order, section field.Section, began time.Time, limit time.Duration) error {
	f := Failure{Kind: ErrLate, Order: order, Channel: int(section), After: time.Since(began), Limit: limit}
	switch o {
	case died:
		f.Kind = ErrDied
		if load(&e.page.Head.State) == ChildFailed { // it said why, between two orders
			f.Kind, f.detail.words = ErrFailed, e.page.Head.Fault
		}
	case refused:
		f.Kind, f.detail.note = ErrFailed, "it is done without an answer"
		if load(&e.page.Call.Failed) != 0 {
			f.detail.words = e.page.Head.Fault
		}
	}
	return e.end(&f)
}

// lie makes the engine dead because an answer cannot be true.
func (e *Engine) lie(f flaw, order Order, section field.Section, began time.Time) error {
	return e.end(&Failure{
		Kind: ErrGarbage, Order: order, Channel: int(section),
		After: time.Since(began), Limit: e.deadline, detail: detail{flaw: f},
	})
}

// end makes the engine dead, once: the first reason stays. It keeps a copy, so that a
// tick need not allocate one.
func (e *Engine) end(f *Failure) error {
	if e.err != nil {
		return e.err
	}
	f.Tick, f.Request = e.tick, e.caller.last
	e.failure = *f
	e.err = &e.failure
	e.lag.behind.Store(0) // the dead are not late
	e.lag.recent.Store(0)
	select {
	case e.broken <- &e.failure:
	default:
	}
	return e.err
}

// Err returns why every further Step fails, nil while none does.
func (e *Engine) Err() error { return e.err }

// Parts returns how long parts of the newest step took: the doorbell, which is all but
// the card's own work, and the evolve pass; the comparison of patterns is part of the
// preparation and has no time of its own. Negative where the card's times are unknown,
// as they are while Setup.Profile is off. Owner only.
func (e *Engine) Parts() (doorbell, evolve, match time.Duration) {
	n := e.nanos.get()
	if n.Total == 0 {
		return -1, -1, -1
	}
	return max(0, e.took-time.Duration(n.Total)), time.Duration(n.Evolve), -1
}

// Nanos returns the device times of the newest step, zero while Setup.Profile is
// off. Any goroutine may call it; two of the times may then be of the step
// before.
func (e *Engine) Nanos() Nanos { return e.nanos.get() }

// Name says which device and step this is: cuda/DEVICE/STEP.
func (e *Engine) Name() string { return e.name }

// Layout returns how the child stores the field.
func (e *Engine) Layout() *field.Layout { return &e.layout }

// Close gives the engine up and returns at once; the supervisor ends the child
// and gives the page back. It is safe to repeat.
func (e *Engine) Close() error {
	e.end(&Failure{Kind: ErrClosed})
	e.err = ErrClosed
	if e.lease.CompareAndSwap(leased, returned) || !e.lease.CompareAndSwap(orphaned, unmapped) {
		return nil
	}
	return e.unmap()
}

// abandon is the supervisor's last word: the page is given back now if the
// engine is closed, else when it will be.
func (e *Engine) abandon() error {
	if e.lease.CompareAndSwap(leased, orphaned) || !e.lease.CompareAndSwap(returned, unmapped) {
		return nil
	}
	return e.unmap()
}
