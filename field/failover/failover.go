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
	mirror           bool        // the one that does not step gets copies
	behind           atomic.Bool // the primary's answer is late: the standby steps until it has caught up
	again            int         // steps until the primary returns, 1: with the next one; 0: not returning

	buf   []float32 // one section
	share int       // sections copied per step
	turn  int       // sections copied so far, in a round of roundLength
	shelf mirrored  // patterns

	// State reads these from any goroutine.
	ticks, failovers, returns, lates atomic.Uint64
	active                           atomic.Pointer[string] // one of the names
	primaryName                      *string                // written by the owner only
	standbyName, aloneName           *string                // never written
	lastErr                          atomic.Pointer[error]
	lastAt                           atomic.Uint64
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
	Standby   bool   // it stands in for a primary that failed or is late
	Late      bool   // Standby, because the primary is late, and lives
	Failovers uint64 // times the primary failed, since start
	Returns   uint64 // times a primary took over again
	Lates     uint64 // ticks in which the standby stood in for a primary that was late
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
		Failovers: f.failovers.Load(), Returns: f.returns.Load(),
		Late: f.behind.Load(), Lates: f.lates.Load(), At: f.lastAt.Load(),
	}
	if err := f.lastErr.Load(); err != nil {
		s.Err = *err
	}
	return s
}

// Step runs one tick on the engine that is active. When the primary fails the
// same tick runs on the standby, and the failure is in State, not in the error:
// the tick has an output. A primary that is late and lives, see Laggard, lends the
// standby this tick and no more. An error means that the standby failed as well, or
// that the input is no engine's fault.
func (f *Engine) Step(in *field.Input) (*field.Output, error) {
	defer f.ticks.Add(1)
	if !f.onStandby && in.Quality.Valid() {
		out, err := f.primary.Step(in)
		if err == nil {
			f.level()
			return out, nil
		}
		if f.lagging() {
			f.late()
		} else {
			f.fail(err)
		}
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
// steps, when the command is out. While the primary is late nothing is copied, in
// either direction, and the round stands still.
func (f *Engine) Mirror() {
	if !f.onStandby || f.mirror {
		if l, may := f.primary.(Laggard); may && l.CatchUp() > 0 {
			return
		}
	}
	switch {
	case !f.onStandby:
		f.copy(f.primary, f.standby)
	case f.mirror:
		if !f.copy(f.standby, f.primary) {
			return
		}
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
	f.behind.Store(false)
	f.lastErr.Store(&err)
	f.lastAt.Store(f.ticks.Load())
	f.failovers.Add(1)
	f.active.Store(f.standbyName)
}

// copy moves this step's share of sections: a hot one, a channel in turn and a
// pattern that changed, by turns. It stops and returns false where the primary becomes
// late; the section then has its turn again.
func (f *Engine) copy(from, to field.Engine) bool {
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
		if f.lagging() {
			return false
		}
		f.turn = (f.turn + 1) % roundLength
	}
	return true
}

// move copies one section, unless the engine cannot give it: the buffer's old
// numbers must not spoil the other field. A primary that is late at it may have the
// section or not: it counts as not moved.
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
	return !f.lagging()
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
	f.primary, f.primaryName = primary, &name
	f.teach()
	return err
}

// teach makes the standby step and gives the primary all of its field before that
// steps again.
func (f *Engine) teach() {
	f.onStandby, f.mirror = true, true
	f.behind.Store(false)
	f.shelf.forget() // the primary has none of the patterns
	f.again = (roundLength+f.share-1)/f.share + 1
}

// comeBack makes the primary step again. Its hot channels get a last copy, so
// that the change shows in no motor.
func (f *Engine) comeBack() {
	for _, s := range hot {
		if f.move(s, f.standby, f.primary); f.lagging() {
			return // and tries again after the next step
		}
	}
	f.onStandby, f.again = false, 0
	f.returns.Add(1)
	f.active.Store(f.primaryName)
}

// Read implements field.Engine with the engine that steps.
func (f *Engine) Read(s field.Section, dst []float32) { f.stepping().Read(s, dst) }

// Write implements field.Engine: both engines get the channel, a failed primary
// does not. One that is late gets the whole field before it steps again: its own would
// be that of another past.
func (f *Engine) Write(s field.Section, src []float32) {
	f.standby.Write(s, src)
	if f.onStandby && !f.mirror {
		return
	}
	if !f.lagging() {
		f.primary.Write(s, src)
	}
	if f.lagging() {
		f.teach()
		f.active.Store(f.standbyName)
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
	if f.onStandby || f.behind.Load() {
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
