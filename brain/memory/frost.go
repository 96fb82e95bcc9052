package memory

import (
	"fmt"

	"fieldbrain/brain"
	"fieldbrain/field"
)

// A Frost freezes a brain and its field together, in the middle of a drive: at once, or a
// little behind every tick. One goroutine at a time has it.
type Frost struct {
	shot     *Snapshot
	patterns *Patterns
	episodes *Episodes
	freezer  *brain.Freezer
}

// NewFrost prepares to freeze a brain.
func NewFrost(b *brain.Brain, table *[field.Channels]field.Channel) (*Frost, error) {
	f, err := brain.NewFreezer(b)
	if err != nil {
		return nil, err
	}
	return &Frost{shot: New(table), patterns: NewPatterns(), episodes: NewEpisodes(table), freezer: f}, nil
}

// Begin begins another copy.
func (f *Frost) Begin() { f.episodes.Begin() }

// Step does a tick's share of a copy, right behind the tick, and reports whether the copy
// is complete: then it is of this very instant. It takes a part of a millisecond and, but
// for the first time, no memory. Where it lacks room for patterns, Short says so until Grow.
func (f *Frost) Step(e Source) (done bool) {
	if !f.patterns.Follow(e.Distinct) || !f.episodes.Follow(e.Prep()) {
		return false
	}
	return f.shot.Freeze(e.Distinct, f.freezer) == nil // else its owner has called the brain: behind the next tick
}

// A Source is an engine that gives all it has: the processor's.
type Source interface {
	field.Rememberer
	// Distinct copies a section as few values as say all of it.
	Distinct(section field.Section, dst []float32)
}

// All copies everything at once, between two ticks.
func (f *Frost) All(e Source) error {
	f.Begin()
	for range 3 * field.MaxPatterns * Strategic { // an engine that gives nothing has no end
		if f.patterns.Follow(e.Distinct) {
			break
		}
		if f.Short() {
			f.Grow()
		}
	}
	for !f.episodes.Follow(e.Prep()) {
	}
	return f.shot.Freeze(e.Distinct, f.freezer)
}

// Short reports whether Step lacks room for patterns.
func (f *Frost) Short() bool { return f.patterns.Short() }

// Grow makes room.
func (f *Frost) Grow() { f.patterns.Grow() }

// EncodeInto returns the complete copy as a file, in a buffer's memory where it fits.
func (f *Frost) EncodeInto(buf []byte, h Header) ([]byte, error) {
	tick := f.shot.Tick
	f.shot.Header, f.shot.Parts = h, f.patterns.Parts()
	f.shot.Tick = tick
	f.episodes.Put(f.shot)
	data, err := f.shot.EncodeInto(buf)
	if err != nil {
		return nil, fmt.Errorf("memory: freeze: %w", err)
	}
	return data, nil
}

// Tick returns how many ticks the copied brain had had.
func (f *Frost) Tick() uint64 { return f.shot.Tick }
