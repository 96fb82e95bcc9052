package brain

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/brain/reckoning"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// ErrNoTick is returned by a Remote when no tick answered: the loop is not
// running.
var ErrNoTick = errors.New("brain: no tick answered within a second; the loop is not running")

// A Status shows people how a brain stands.
type Status struct {
	Trace   Trace
	Safety  safety.Status
	State   robot.State
	Mode    Mode
	Heading [32]int32   // output of HEADING in Q15, bearing bins 0..31
	Input   [32]float32 // its input

	Quality quality.Choice // rung of the next tick

	Prediction field.Prediction // of the senses, as of the newest frame
	Recall     field.Recall     // patterns that led the newest tick

	Escapes uint64 // since start
	Stalls  uint64 // since start
	Hemmed  bool   // the car is stuck: an edge blocks the way forward, and the floor behind it is unverified

	Mission Mission       // what the car is about
	Before  Mission       // the order before, and how it ended; Number 0 and no instant where there was none
	Fix     reckoning.Fix // where the car is, in the frame of the start
	Driver  DriverState   // who drives

	Settings Settings // the parameters, as the newest tick has them
	Planner  string   // one of Planners while the car plans, else empty
}

// A Remote is the part of a Brain that other goroutines may use. The tick
// never waits for them.
type Remote struct {
	reflexes *safety.Reflexes

	callers sync.Mutex    // one request at a time
	asked   uint32        // number of the last request
	request atomic.Uint32 // request number << 3 | operation; 0 when none waits
	answer  atomic.Uint32 // number of the last request carried out
	result  error         // of that request; written before answer
	post    posting       // what the request is about; written before request
	around  atomic.Uint32 // quality.Surroundings: heat << 3 | tight << 2 | slowed << 1 | saving
	stop    atomic.Bool   // the next tick stops the car, whatever else waits

	outcome atomic.Uint32 // bits of what people said of the last seconds, 0: nothing

	manual manualInbox // the sources of a manual drive

	top   float32             // m/s, Params.Top; this and the next three never change
	lines bool                // the body sees lines
	start Settings            // as the parameters had them
	spans [NumParameters]span // what the parameters may be set to

	view   sync.Mutex // held while status is copied; the tick only tries it
	status Status
}

// The operations of a request.
const (
	opArm    = uint32(AskArm)
	opDisarm = uint32(AskDisarm)
	opEStop  = uint32(AskEStop)
	opReset  = uint32(AskReset)
	opGo     = uint32(AskGo)
	opSet    = uint32(AskSet)
)

// A posting is what a request is about.
type posting struct {
	order   Order   // of opGo
	setting Setting // of opSet
}

// Arm lets the motors run from the next tick, or says what stands against it.
func (r *Remote) Arm() error { return r.ask(opArm) }

// Disarm makes the motors inert with the next tick.
func (r *Remote) Disarm() error { return r.ask(opDisarm) }

// Stop makes the next tick an emergency stop. It does not wait, for the tick or
// for anybody else's request, so nothing can keep it from the tick.
func (r *Remote) Stop() { r.stop.Store(true) }

// EStop stops the car and latches until somebody calls Reset and Arm.
func (r *Remote) EStop() error { return r.ask(opEStop) }

// Reset clears the latch, or says what stands against it.
func (r *Remote) Reset() error { return r.ask(opReset) }

// Go gives the car an order, in place of the one before. A disarmed car keeps it and
// begins when it is armed. An order that nobody can carry out is refused.
func (r *Remote) Go(o Order) error {
	if err := r.takes(o); err != nil {
		return fmt.Errorf("brain: %w", err)
	}
	return r.send(opGo, posting{order: o})
}

// errNoLine refuses to follow a line.
var errNoLine = errors.New("line: this body has no floor sensors that see one: it needs three, 0.12 m ahead of the rear axle and 0.02 m apart " +
	"(Shape.FloorAhead, FloorPitch), and what they read beside a line and on it (LineLight, LineDark)")

// takes refuses an order that no car can carry out, or not this one.
func (r *Remote) takes(o Order) error {
	if err := o.Check(); err != nil {
		return err
	}
	if o.Do == DoLine && !r.lines {
		return errNoLine
	}
	return nil
}

// Outcome tells the car how good its last seconds were, -1..1. The next tick takes
// it; of several before it the last one counts. 0 and NaN say nothing.
func (r *Remote) Outcome(o float32) {
	if o == o {
		r.outcome.Store(math.Float32bits(min(max(o, -1), 1)))
	}
}

// told returns the outcome that people gave, once. Only the tick calls it.
func (r *Remote) told() float32 {
	if r.outcome.Load() == 0 {
		return 0
	}
	return math.Float32frombits(r.outcome.Swap(0))
}

// ask posts a request and waits for a tick to carry it out.
func (r *Remote) ask(op uint32) error { return r.send(op, posting{}) }

// send asks with an order or a setting. An arm, a reset, an order or a setting that no tick took within a
// second is withdrawn, so that a loop that wakes up later does not arm a car nobody
// watches any more; what stops the car stays.
func (r *Remote) send(op uint32, p posting) error {
	r.callers.Lock()
	defer r.callers.Unlock()
	if r.request.Load() == 0 { // no tick reads it
		r.post = p
	}
	r.asked++
	number, posted := r.asked, r.asked<<3|op
	if !r.request.CompareAndSwap(0, posted) {
		return ErrNoTick // a stop still waits for its tick
	}
	for deadline := time.Now().Add(time.Second); r.answer.Load() != number; {
		if time.Now().After(deadline) && (op == opEStop || op == opDisarm || r.request.CompareAndSwap(posted, 0)) {
			return ErrNoTick
		}
		time.Sleep(time.Millisecond)
	}
	return r.result
}

// obey carries out a posted request, or hands out the order that it is, and a stop
// behind it, and notes both. Only the tick calls it.
func (r *Remote) obey(h *TickInput) (o Order, given bool) {
	o, given = r.carryOut(h)
	if r.stop.Load() && r.stop.Swap(false) {
		h.Stop = true
		r.reflexes.EStop()
	}
	return o, given
}

// carryOut carries out a posted request, or hands out the order that it is.
func (r *Remote) carryOut(h *TickInput) (o Order, given bool) {
	posted := r.request.Load()
	if posted == 0 || !r.request.CompareAndSwap(posted, 0) {
		return o, false
	}
	h.Asked = Ask(posted & 7)
	switch posted & 7 {
	case opArm:
		r.result = r.reflexes.Arm()
	case opDisarm:
		r.reflexes.Disarm()
		r.result = nil
	case opEStop:
		r.reflexes.EStop()
		r.result = nil
	case opReset:
		r.result = r.reflexes.Reset()
	case opGo:
		o, given, r.result = r.post.order, true, nil
		h.Order = o
	case opSet:
		h.Setting, r.result = r.post.setting, nil
	}
	r.answer.Store(posted >> 3)
	return o, given
}

// offer returns the status for the tick to fill in, or nil while somebody reads
// it. The tick alone calls it, and show when it is done.
func (r *Remote) offer() *Status {
	if !r.view.TryLock() {
		return nil
	}
	return &r.status
}

// show ends what offer began.
func (r *Remote) show() { r.view.Unlock() }

// Status returns a copy of the newest published status.
func (r *Remote) Status() Status {
	r.view.Lock()
	defer r.view.Unlock()
	return r.status
}

// Surround tells the brain how warm the machine is, whether it saves power, holds itself
// back, and is short of the card's memory.
func (r *Remote) Surround(s quality.Surroundings) {
	packed := uint32(s.Heat) << 3
	for bit, is := range [...]bool{s.Saving, s.Slowed, s.Tight} {
		if is {
			packed |= 1 << bit
		}
	}
	r.around.Store(packed)
}

// surroundings returns what Surround told last.
func (r *Remote) surroundings() quality.Surroundings {
	packed := r.around.Load()
	return quality.Surroundings{Heat: quality.Heat(packed >> 3), Saving: packed&1 != 0, Slowed: packed&2 != 0, Tight: packed&4 != 0}
}
