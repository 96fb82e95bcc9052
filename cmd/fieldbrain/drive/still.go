package drive

import (
	"errors"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
)

// A freezer freezes a mind every so often, for a file from which a replay can begin. A nil
// one never does.
type freezer struct {
	program string        // version that drives
	every   time.Duration // from one frozen brain to the next
	due     time.Duration // of the next
	frost   *memory.Frost
	packer  *recording.Packer
	file    []byte // kept from one to the next
}

// newFreezer returns the freezer of a mind, nil where a part of its field is out of reach:
// on a graphics card, or taken away.
func newFreezer(m *car.Mind, program string, every time.Duration) (*freezer, error) {
	if _, whole := m.Engine.(memory.Source); !whole || every <= 0 {
		return nil, nil
	}
	table := field.PiCarX()
	frost, err := memory.NewFrost(m.Brain, &table)
	if err != nil {
		return nil, err
	}
	packer, err := recording.NewPacker()
	return &freezer{program: program, every: every, due: every, frost: frost, packer: packer}, err
}

// between returns the mind as it is behind a tick, packed, where one is due, else nil. When
// the brain's owner has called it since, the next tick's end will do.
func (f *freezer) between(m *car.Mind, now time.Duration) (*recording.Frozen, error) {
	if f == nil || now < f.due {
		return nil, nil
	}
	still, err := f.take(m, now)
	if errors.Is(err, brain.ErrCalled) {
		return nil, nil
	}
	f.due = now + f.every
	return still, err
}

// take returns the mind as it is, packed.
func (f *freezer) take(m *car.Mind, now time.Duration) (*recording.Frozen, error) {
	err := f.frost.All(m.Processor)
	if err == nil {
		f.file, err = f.frost.EncodeInto(f.file, memory.Header{Program: f.program})
	}
	if err != nil {
		return nil, err
	}
	return &recording.Frozen{Tick: f.frost.Tick(), At: now, Data: f.packer.Pack(f.file)}, nil
}
