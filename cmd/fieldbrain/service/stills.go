package service

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
)

// stills freezes the whole brain now and then, for the flight ring and the recording: a
// replay begins with such a one. As in an autosave its goroutine wants a copy, the loop's
// thread takes it behind a tick when there is time, and the goroutine packs and writes it.
type stills struct {
	mind   *car.Mind
	frost  *memory.Frost
	packer *recording.Packer
	slack  time.Duration

	turn atomic.Uint32 // as in an autosave
	at   time.Duration // the owner's: instant of the copied brain's last tick
	want *tape         // the owner's: begins with the copy, see taping

	file, packed []byte // the goroutine's, used again: nobody collects while the car is armed
}

// Bounds between two frozen brains.
const (
	stillEvery = time.Minute     // of a recording
	stillMost  = 5 * time.Minute // of the ring: half its length, and no more
	stillLeast = time.Second
)

// A calendar says for whom a copy of the brain is due: for ring and recording, each at its
// own pace, and never for one that there is not.
type calendar struct {
	every      time.Duration // of the ring, 0 without one
	ring, tape time.Time     // of the next copy; tape is zero while nothing is recorded
}

// newCalendar begins with a ring of a length, which has its first brain already.
func newCalendar(now time.Time, length time.Duration) *calendar {
	if length <= 0 {
		return &calendar{}
	}
	every := min(max(length/2, stillLeast), stillMost)
	return &calendar{every: every, ring: now.Add(every)}
}

// due returns for whom a copy is due. A recording has its first brain when it begins.
func (c *calendar) due(now time.Time, records bool) (ring, tape bool) {
	switch {
	case !records:
		c.tape = time.Time{}
	case c.tape.IsZero():
		c.tape = now.Add(stillEvery)
	}
	return c.every > 0 && !now.Before(c.ring), records && !now.Before(c.tape)
}

// had notes who has got a copy.
func (c *calendar) had(now time.Time, ring, tape bool) {
	if ring {
		c.ring = now.Add(c.every)
	}
	if tape {
		c.tape = now.Add(stillEvery)
	}
}

// ringLength returns the length of the flight ring, 0 where there is none.
func (s *Service) ringLength() time.Duration {
	if s.telemetry == nil {
		return 0
	}
	return time.Duration(s.settings.Telemetry.Length)
}

// newStills freezes the brain as it begins, and says to the ring what it was built with.
// It runs before the loop. Where it fails the car drives on, and the ring makes tables only.
func (s *Service) newStills() error {
	if s.ringLength() == 0 && s.recording.Load() == nil && s.settings.Record.Path == "" {
		return nil // nobody would keep a copy
	}
	table := field.PiCarX()
	frost, err := memory.NewFrost(s.car.Brain, &table)
	if err != nil {
		return err
	}
	packer, err := recording.NewPacker()
	if err != nil {
		return err
	}
	k := &stills{mind: s.car.Mind, frost: frost, packer: packer, slack: time.Duration(s.settings.Loop.Period) / 2}
	if err := k.frost.All(k.mind.Processor); err != nil { // also makes the room that no tick may make
		return err
	}
	if s.ringLength() > 0 {
		head, err := s.head()
		if err == nil {
			err = s.telemetry.w.Setup(head.Setup)
		}
		if err == nil {
			err = s.still(k, true, false)
		}
		if err != nil {
			return err
		}
	}
	s.stills = k
	return nil
}

// between does a tick's share of a copy that is wanted, on the loop's thread. While a
// graphics card steps there is none: the processor's copy is up to a second old.
func (k *stills) between(now time.Duration, s loop.Sample, into *atomic.Pointer[recording.Recorder]) {
	if k.turn.Load() != turnWanted || s.Skipped > 0 || s.Next-s.End < k.slack {
		return
	}
	if k.mind.GPU != nil && k.mind.GPU.Failover.State().Primary {
		return
	}
	switch done := k.frost.Step(k.mind.Processor); {
	case done:
		if k.at = now; k.want != nil {
			into.Store(k.want.recorder) // from the next tick on
		}
		k.turn.Store(turnTaken)
	case k.frost.Short():
		k.turn.Store(turnShort)
	}
}

// keepStills wants a copy whenever one is due and hands it on, until ctx is done.
func (s *Service) keepStills(ctx context.Context) error {
	k := s.stills
	ticker := time.NewTicker(lookEvery) // a look at a number, nothing is paced by it
	defer ticker.Stop()
	dates := newCalendar(time.Now(), s.ringLength())
	var tapes sync.WaitGroup
	defer tapes.Wait()
	for {
		asked := s.taping.asked
		if k.turn.Load() != turnIdle {
			asked = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case k.want = <-asked:
			k.begin()
			continue
		case <-ticker.C:
		}
		now := time.Now()
		ring, tape := dates.due(now, k.want == nil && s.recording.Load() != nil)
		switch turn := k.turn.Load(); {
		case turn == turnShort:
			k.frost.Grow()
			k.turn.Store(turnWanted)
		case turn == turnTaken:
			s.noteStill(s.still(k, ring, tape))
			dates.had(now, ring, tape)
			if n := k.want; n != nil {
				k.want = nil
				file := bytes.Clone(k.file)
				tapes.Go(func() { s.tape(ctx, n, file) })
			}
			k.turn.Store(turnIdle)
		case turn == turnIdle && (ring || tape):
			k.begin()
		}
	}
}

// begin makes the loop's thread copy the brain.
func (k *stills) begin() {
	k.frost.Begin()
	k.turn.Store(turnWanted)
}

// still hands the copy to whoever it is due for, packed, and makes a file of it for a
// recording that begins with it.
func (s *Service) still(k *stills, ring, tape bool) (err error) {
	if !ring && !tape && k.want == nil { // the recording has ended meanwhile
		return nil
	}
	if k.file, err = k.frost.EncodeInto(k.file, memory.Header{Body: s.settings.Body.Kind, Program: s.version}); err != nil {
		return err
	}
	if !ring && !tape {
		return nil
	}
	k.packed = k.packer.PackInto(k.packed, k.file)
	f := &recording.Frozen{Tick: k.frost.Tick(), At: k.at, Data: k.packed}
	if r := s.recording.Load(); r != nil && tape {
		r.Freeze(f)
	}
	if ring {
		return s.telemetry.w.Freeze(f.Tick, f.At, f.Data)
	}
	return nil
}

// noteStill keeps visible that the newest brain has no room in the ring.
func (s *Service) noteStill(err error) {
	c := loop.Condition{
		Name: "stills", Value: "the flight ring cannot be replayed from its newest part; the car drives on",
		Remedy: "record with --record, whose files have room, or reset the saved brain (fieldbrain brain reset)",
	}
	if err != nil {
		c.Cause = fmt.Sprint(err)
	}
	s.conditions.Put(c, err != nil)
}
