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
	file []byte        // the goroutine's
}

// Bounds between two frozen brains.
const (
	stillEvery = time.Minute     // of a recording
	stillMost  = 5 * time.Minute // of the ring: half its length, and no more
	stillLeast = time.Second
)

// newStills freezes the brain as it begins, and says to the ring what it was built with.
// It runs before the loop. Where it fails the car drives on, and the ring makes tables only.
func (s *Service) newStills() error {
	if s.scribe == nil && s.recording.Load() == nil && s.settings.Record.Path == "" {
		return nil
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
	if s.scribe != nil {
		head, err := s.head()
		if err == nil {
			err = s.scribe.w.Setup(head.Setup)
		}
		if err == nil {
			err = k.frost.All(k.mind.Processor)
		}
		if err == nil {
			err = s.still(k, true)
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

// run wants a copy whenever one is due and writes it, until ctx is done.
func (s *Service) keepStills(ctx context.Context) error {
	k := s.stills
	ringEvery := min(max(time.Duration(s.settings.Telemetry.Length)/2, stillLeast), stillMost)
	every := min(ringEvery, stillEvery)
	ticker := time.NewTicker(min(lookEvery, every)) // a look at a number, nothing is paced by it
	defer ticker.Stop()
	due, ringDue := time.Now().Add(every), time.Now().Add(ringEvery)
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
			k.frost.Begin()
			k.turn.Store(turnWanted)
		case now := <-ticker.C:
			switch turn := k.turn.Load(); {
			case turn == turnShort:
				k.frost.Grow()
				k.turn.Store(turnWanted)
			case turn == turnTaken:
				ring := !now.Before(ringDue)
				if ring {
					ringDue = now.Add(ringEvery)
				}
				s.noteStill(s.still(k, ring))
				if n := k.want; n != nil {
					k.want = nil
					file := bytes.Clone(k.file)
					tapes.Go(func() { s.tape(ctx, n, file) })
				}
				k.turn.Store(turnIdle)
			case turn == turnIdle && !now.Before(due):
				due = now.Add(every)
				k.frost.Begin()
				k.turn.Store(turnWanted)
			}
		}
	}
}

// still packs the copy and hands it to whoever keeps it.
func (s *Service) still(k *stills, ring bool) (err error) {
	if k.file, err = k.frost.EncodeInto(k.file, memory.Header{Body: s.settings.Body.Kind, Program: s.version}); err != nil {
		return err
	}
	f := &recording.Frozen{Tick: k.frost.Tick(), At: k.at, Data: k.packer.Pack(k.file)}
	if r := s.recording.Load(); r != nil && k.want == nil {
		r.Freeze(f)
	}
	if ring && s.scribe != nil {
		return s.scribe.w.Freeze(f.Tick, f.At, f.Data)
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
