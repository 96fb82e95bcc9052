package brain

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// ErrNoTick is returned by a Remote when no tick answered: the loop is not
// running.
var ErrNoTick = errors.New("brain: no tick answered within a second; the loop is not running")

// A Status is what people are shown of a brain.
type Status struct {
	Trace   Trace
	Safety  safety.Status
	State   robot.State
	Mode    Mode
	Heading [32]int32   // output of HEADING in Q15, bearing bins 0..31
	Input   [32]float32 // its input

	Quality Choice // rung of the next tick

	Prediction field.Prediction // of the senses, as of the newest frame

	Escapes uint64 // since start
	Stalls  uint64 // since start
}

// A Remote is the part of a Brain that other goroutines may use. The tick
// never waits for them.
type Remote struct {
	brain *Brain

	callers sync.Mutex    // one request at a time
	asked   uint32        // number of the last request
	request atomic.Uint32 // request number << 3 | operation; 0 when none waits
	answer  atomic.Uint32 // number of the last request carried out
	result  error         // of that request; written before answer
	around  atomic.Uint32 // Surroundings: heat << 1 | saving

	view   sync.Mutex // held while status is copied; the tick only tries it
	status Status
}

// The operations of a request.
const (
	opArm = 1 + iota
	opDisarm
	opEStop
	opReset
)

// Arm lets the motors run from the next tick, or says what stands against it.
func (r *Remote) Arm() error { return r.ask(opArm) }

// Disarm makes the motors inert with the next tick.
func (r *Remote) Disarm() error { return r.ask(opDisarm) }

// EStop stops the car and latches until Reset and Arm.
func (r *Remote) EStop() error { return r.ask(opEStop) }

// Reset clears the latch, or says what stands against it.
func (r *Remote) Reset() error { return r.ask(opReset) }

// ask posts a request and waits for a tick to carry it out. An arm or reset
// that no tick took within a second is withdrawn, so that a loop that wakes up
// later does not arm a car nobody watches any more; what stops the car stays.
func (r *Remote) ask(op uint32) error {
	r.callers.Lock()
	defer r.callers.Unlock()
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

// obey carries out a posted request. Only the tick calls it.
func (r *Remote) obey() {
	posted := r.request.Load()
	if posted == 0 || !r.request.CompareAndSwap(posted, 0) {
		return
	}
	switch posted & 7 {
	case opArm:
		r.result = r.brain.reflexes.Arm()
	case opDisarm:
		r.brain.reflexes.Disarm()
		r.result = nil
	case opEStop:
		r.brain.reflexes.EStop()
		r.result = nil
	case opReset:
		r.result = r.brain.reflexes.Reset()
	}
	r.answer.Store(posted >> 3)
}

// publish copies the tick's outcome unless somebody is reading the last one.
func (r *Remote) publish(t *Trace) {
	if !r.view.TryLock() {
		return
	}
	b := r.brain
	r.status.Trace, r.status.State = *t, b.state
	r.status.Safety, r.status.Mode = b.reflexes.Status(), b.mode()
	r.status.Heading, r.status.Input = b.out.Marginals[field.Heading].X, b.out.Heading
	r.status.Quality = b.governor.Choice()
	r.status.Prediction = b.out.Prediction
	r.status.Escapes, r.status.Stalls = b.escape.count, b.stall.count
	r.view.Unlock()
}

// Status returns a copy of the newest published status.
func (r *Remote) Status() Status {
	r.view.Lock()
	defer r.view.Unlock()
	return r.status
}
