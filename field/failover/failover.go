package failover

import (
	"errors"
	"math"
	"sync/atomic"
	"time"

	"fieldbrain/field"
)

// An Engine is an engine made of two: the primary steps the field, and the
// standby takes over in the very tick in which the primary fails. Mirror, between
// two ticks, copies a few channels from the one that steps to the other: no part
// of the standby's field is older than a second, no tick pays for all of it, and
// no command waits for it.
//
// It may begin without a primary, and takes one only when told. One goroutine
// owns it, as any engine; State may be called by any.
type Engine struct {
	primary, standby field.Engine // primary is nil until there is one
	onStandby        bool
	mirror           bool // the one that does not step gets copies
	again            int  // steps until the primary returns, 1: with the next one; 0: not returning

	buf   []float32 // one section
	share int       // sections copied per step
	turn  int       // sections copied so far, in a round of roundLength
	shelf mirrored  // patterns

	// State reads these from any goroutine.
	ticks, failovers, returns atomic.Uint64
	active                    atomic.Pointer[string] // one of the names
	primaryName               *string                // written by the owner only
	standbyName, aloneName    *string                // never written
	lastErr                   atomic.Pointer[error]
	lastAt                    atomic.Uint64
}

// hot sections carry the present decision, the obstacles, the predictor and the
// library. Every third copy is one of them, so that no motor jumps at a takeover
// and the predictor meets no surprise.
var hot = [...]field.Section{field.Heading, field.ObstMap, field.Speed, field.Gaze, field.PredictorSection, field.LibrarySection}

const (
	snapshotAge = time.Second        // bounds the age of every copied channel
	roundLength = 3 * field.Channels // copies until all channels had their turn: a hot one, one in turn, a pattern
)

// New joins two engines that were built from equal parameters at the
// given period and have stepped equally far. It owns both. Without a primary,
// nil, the standby steps alone until Return brings one.
func New(primary, standby field.Engine, period time.Duration) *Engine {
	if standby == nil || period <= 0 {
		panic("failover: New needs a standby and a period")
	}
	alone, second := standby.Name(), standby.Name()+" (standby)"
	f := &Engine{
		standby: standby, onStandby: true, buf: make([]float32, field.Cells),
		share:       int((roundLength*period + snapshotAge - 1) / snapshotAge),
		standbyName: &second, aloneName: &alone,
	}
	f.active.Store(f.aloneName)
	if primary != nil {
		first := primary.Name()
		f.primary, f.primaryName, f.onStandby, f.mirror = primary, &first, false, true
		f.active.Store(f.primaryName)
	}
	return f
}

// A State says which engine steps and what changes there were.
type State struct {
	Engine    string // name of the engine that steps
	Primary   bool   // it is a primary
	Standby   bool   // it stands in for a primary that failed
	Failovers uint64 // times the primary failed, since start
	Returns   uint64 // times a primary took over again
	At        uint64 // step of the newest failure, counted from 0
	Err       error  // that failure, nil when there was none
}

// State returns the names and counts that the daemon shows. Any goroutine may call
// it; while a
// change is under way it may mix before and after.
func (f *Engine) State() State {
	name := f.active.Load()
	s := State{
		Engine: *name, Primary: name != f.standbyName && name != f.aloneName, Standby: name == f.standbyName,
		Failovers: f.failovers.Load(), Returns: f.returns.Load(), At: f.lastAt.Load(),
	}
	if err := f.lastErr.Load(); err != nil {
		s.Err = *err
	}
	return s
}

// Step runs one tick on the engine that is active. When the primary fails the
// same tick runs on the standby, and the failure is in State, not in the error:
// the tick has an output. An error means that the standby failed as well, or
// that the input is no engine's fault.
func (f *Engine) Step(in *field.Input) (*field.Output, error) {
	defer f.ticks.Add(1)
	if !f.onStandby && in.Quality.Valid() {
		out, err := f.primary.Step(in)
		if err == nil {
			return out, nil
		}
		f.fail(err)
	}
	out, err := f.stepping().Step(in)
	if err != nil {
		if last := f.lastErr.Load(); last != nil {
			err = errors.Join(err, *last)
		}
		return nil, err
	}
	return out, nil
}

// Parts returns how long parts of the newest step took, see cpu.Engine.Parts, as far as
// the engine says that steps now. Owner only.
func (f *Engine) Parts() (doorbell, evolve, match time.Duration) {
	if t, times := f.stepping().(interface {
		Parts() (doorbell, evolve, match time.Duration)
	}); times {
		return t.Parts()
	}
	return -1, -1, -1
}

// Mirror copies this tick's share of channels to the engine that does not step,
// and makes a primary step again once it has all. The owner calls it between two
// steps, when the command is out.
func (f *Engine) Mirror() {
	switch {
	case !f.onStandby:
		f.copy(f.primary, f.standby)
	case f.mirror:
		f.copy(f.standby, f.primary)
		if f.again > 1 {
			f.again--
		}
		if f.again == 1 && !f.shelf.missing() {
			f.comeBack()
		}
	}
}

// fail makes the standby step from now on. The primary is not touched again.
func (f *Engine) fail(err error) {
	f.onStandby, f.mirror, f.again = true, false, 0
	f.lastErr.Store(&err)
	f.lastAt.Store(f.ticks.Load())
	f.failovers.Add(1)
	f.active.Store(f.standbyName)
}

// copy moves this step's share of sections: a hot one, a channel in turn and a
// pattern that changed, by turns.
func (f *Engine) copy(from, to field.Engine) {
	for range f.share {
		c := f.turn / 3
		switch f.turn % 3 {
		case 0:
			f.move(hot[c%len(hot)], from, to)
		case 1:
			f.move(field.Section(c), from, to)
		case 2:
			f.shelf.move(f, from, to)
		}
		f.turn = (f.turn + 1) % roundLength
	}
}

// move copies one section, unless the engine cannot give it: the buffer's old
// numbers must not spoil the other field.
func (f *Engine) move(s field.Section, from, to field.Engine) (moved bool) {
	unread := float32(math.NaN()) // no cell of a field
	f.buf[0] = unread
	from.Read(s, f.buf)
	if f.buf[0] != f.buf[0] {
		return false
	}
	to.Write(s, f.buf)
	if s == field.LibrarySection {
		f.shelf.note(f.buf)
	}
	return true
}

// ErrPrimaryWorks is returned by Return while the primary steps. Nothing has
// changed; offer the other engine again when this one has failed.
var ErrPrimaryWorks = errors.New("failover: return to a primary: the present one has not failed")

// Return gives the field to a primary that works: the first one, the old one
// repaired, or another. It gets copies for one round, within a second, and of all
// patterns, some 64 a second, and steps from then on. Return closes the primary
// that it replaces and reports its error; it refuses while the primary steps.
func (f *Engine) Return(primary field.Engine) error {
	if !f.onStandby {
		return ErrPrimaryWorks
	}
	var err error
	if f.primary != nil && primary != f.primary {
		err = f.primary.Close()
	}
	name := primary.Name()
	f.primary, f.primaryName, f.mirror = primary, &name, true
	f.shelf.forget() // this one has none of the patterns
	f.again = (roundLength+f.share-1)/f.share + 1
	return err
}

// comeBack makes the primary step again. Its hot channels get a last copy, so
// that the change shows in no motor.
func (f *Engine) comeBack() {
	for _, s := range hot {
		f.move(s, f.standby, f.primary)
	}
	f.onStandby, f.again = false, 0
	f.returns.Add(1)
	f.active.Store(f.primaryName)
}

// Read implements field.Engine with the engine that steps.
func (f *Engine) Read(s field.Section, dst []float32) { f.stepping().Read(s, dst) }

// Write implements field.Engine: both engines get the channel, a failed primary
// does not.
func (f *Engine) Write(s field.Section, src []float32) {
	f.standby.Write(s, src)
	if !f.onStandby || f.mirror {
		f.primary.Write(s, src)
	}
}

// Prep implements field.Rememberer with the standby, nil where it is none: what a library
// knows of the last seconds does not move between the two.
func (f *Engine) Prep() *field.Prep {
	if r, is := f.standby.(field.Rememberer); is {
		return r.Prep()
	}
	return nil
}

func (f *Engine) stepping() field.Engine {
	if f.onStandby {
		return f.standby
	}
	return f.primary
}

// Name names the engine that steps. Any goroutine may call it.
func (f *Engine) Name() string { return *f.active.Load() }

// Close closes both engines. It is safe to repeat.
func (f *Engine) Close() error {
	if f.primary == nil {
		return f.standby.Close()
	}
	return errors.Join(f.primary.Close(), f.standby.Close())
}
