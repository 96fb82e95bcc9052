package drive

import (
	"io"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
)

// A Tape records a drive in virtual time into a file from which fieldbrain replay
// repeats it. In virtual time nobody waits for anybody: ticks are written between two of
// them, and none is lost. The zero Tape is not ready, a nil one records nothing.
type Tape struct {
	Program string        // version that records
	Every   time.Duration // from one frozen brain to the next, from which a replay can begin; 0: none

	to     io.Writer
	ring   *recording.Ring
	writer *recording.Writer
	cold   *freezer
	err    error
}

const (
	tapePlaces  = 64          // ticks that are written at once
	hashEvery   = 1000        // ticks from one hash of the whole field to the next
	freezeEvery = time.Minute // as Tape.Every
)

// NewTape returns a tape that writes to w.
func NewTape(w io.Writer, program string) *Tape {
	return &Tape{Program: program, Every: freezeEvery, to: w, ring: recording.NewRing(tapePlaces)}
}

// begin writes what the mind was built with.
func (t *Tape) begin(c config.Config, m *car.Mind, world string) error {
	if t == nil {
		return nil
	}
	setup := replay.SetupOf(c, &m.Seat, m.Engine, world)
	head, err := setup.Head(t.Program)
	if err == nil {
		t.cold, err = newFreezer(m, t.Program, t.Every)
	}
	if err == nil {
		t.writer, err = recording.NewWriter(t.to, &head)
	}
	return err
}

// tick keeps a tick that has just ended. An error is told at the end.
func (t *Tape) tick(m *car.Mind, trace *brain.Trace) {
	if t == nil {
		return
	}
	whole := uint64(0)
	if trace.Tick%hashEvery == hashEvery-1 {
		whole = field.Hash(m.Engine)
	}
	t.ring.Put(m.Brain, trace, whole)
	if t.ring.Waiting() == tapePlaces {
		t.drain()
	}
	still, err := t.cold.between(m, trace.Now)
	if still != nil {
		t.drain()
		err = t.writer.Freeze(still)
	}
	if t.err == nil {
		t.err = err
	}
}

// drain writes what waits.
func (t *Tape) drain() {
	for e := t.ring.Peek(); e != nil; e = t.ring.Peek() {
		if t.err == nil {
			t.err = t.writer.Write(e)
		}
		t.ring.Drop()
	}
}

// end writes the rest and the file's index, or says what went wrong on the way.
func (t *Tape) end() error {
	if t == nil || t.writer == nil {
		return nil
	}
	t.drain()
	if t.err != nil {
		return t.err
	}
	return t.writer.Close()
}
