package brain

import (
	"encoding/binary"
	"errors"
	"fmt"

	"fieldbrain/brain/freeze"
	"fieldbrain/brain/rollout"
	"fieldbrain/field"
)

// A Freezer copies everything that a brain carries besides its field, reflexes, orders
// and half-made plans as well: the brain that gets the copy goes on as the first one did,
// bit for bit. What State is to a restart, a frozen brain is to a replay from the middle
// of a drive. It suits brains of equal parameters in the same program.
type Freezer struct {
	brain  *Brain
	copier *freeze.Copier
	parts  frozen
}

// frozen is what a Freezer walks: the brain, and a copy of what its engine answered last.
type frozen struct {
	brain    *Brain
	answer   field.Output
	obstacle [field.Plane]float32
}

// ErrCalled says that a brain's owner has called it since its last tick: the next tick
// will tell of that, and a copy with its consequences would have it twice.
var ErrCalled = errors.New("brain: its owner called it since the last tick: freeze it right behind one")

// ErrFrozen says that a frozen brain is not of this program and these parameters.
var ErrFrozen = errors.New("brain: no frozen brain of this program")

// frozenHead is what stands before the copy: its kind.
const frozenHead = 8

// NewFreezer returns the freezer of a brain. Owner only, as everything of it.
func NewFreezer(b *Brain) (*Freezer, error) {
	f := &Freezer{brain: b}
	f.parts.brain = b
	o := freeze.Options{Leave: []string{
		"brain.body", "brain.engine", "brain.clock", "brain.params", "brain.ladder", // given to New
		"brain.out", "answer.Obstacle", // see answer and obstacle
		"brain.remote",                                              // other goroutines write it; what a tick took of it stands in its TickInput
		"brain.trace.Err",                                           // shown, not read
		"brain.explorer.belief.caster", "brain.explorer.belief.isa", // given to New
		"brain.explorer.planner.lent", // given to Lend; Take and Put see that nothing is owed
	}}
	if b.carried != nil {
		o.Func = b.carried
	}
	if b.explorer.imagined != nil {
		const of = "brain.explorer.imagined.planner."
		kept, given := rollout.Freeze()
		for _, name := range kept {
			o.Slices = append(o.Slices, of+name)
		}
		for _, name := range given {
			o.Leave = append(o.Leave, of+name)
		}
	}
	var err error
	if f.copier, err = freeze.New(&f.parts, o); err != nil {
		return nil, fmt.Errorf("brain: %w", err)
	}
	return f, nil
}

// Ticks returns how many ticks the brain has had.
func (f *Freezer) Ticks() uint64 { return f.brain.tick }

// Size returns the bytes of every copy.
func (f *Freezer) Size() int { return frozenHead + f.copier.Size() }

// Take copies the brain to dst, which has Size bytes. It takes about as long as copying
// the memory, and where rays were lent as a tick's share of the plan; it allocates nothing. It refuses with ErrCalled.
func (f *Freezer) Take(dst []byte) error {
	if f.brain.coming.NumCalls > 0 {
		return ErrCalled
	}
	f.brain.explorer.planner.Finish(f.brain.explorer.belief)
	f.parts.answer, f.parts.obstacle = *f.brain.out, *f.brain.out.Obstacle
	binary.LittleEndian.PutUint64(dst, f.copier.Kind())
	return f.copier.Copy(dst[frozenHead:])
}

// Put makes the brain what the copied one was. A copy that does not suit it is refused
// with an error that wraps ErrFrozen, and changes nothing.
func (f *Freezer) Put(src []byte) error {
	if len(src) != f.Size() || binary.LittleEndian.Uint64(src) != f.copier.Kind() {
		return fmt.Errorf("%w: its kind or length is another: use the program that froze it, with the same configuration", ErrFrozen)
	}
	if err := f.copier.Put(src[frozenHead:]); err != nil {
		return fmt.Errorf("%w: %w", ErrFrozen, err)
	}
	f.brain.explorer.planner.Forget()
	out := restingOutput()
	*out.Obstacle = f.parts.obstacle
	f.parts.answer.Obstacle = out.Obstacle
	*out = f.parts.answer
	f.brain.out = out
	f.brain.refit()
	return nil
}
