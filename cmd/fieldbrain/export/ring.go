package export

import (
	"errors"
	"fmt"
	"io"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/daemon/telemetry"
)

// ErrNoBrain says that a ring's ticks follow no whole brain that is in it.
var ErrNoBrain = errors.New("no whole brain is in the flight ring that its ticks follow (sim --realtime keeps the one of its start only, a field on a graphics card or with a part taken away none): take --csv, --png or --gif")

// Flown writes the ticks of a flight ring as a recording, from the oldest whole brain on
// whose ticks are all there. hash, from a brain's file to the hash of its whole field, lets
// a replay compare the fields at every later brain; where it fails there is nothing to
// compare. The error wraps ErrMissing where ticks of the ring are missing in the recording.
func Flown(w io.Writer, r *telemetry.Ring, hash func(h *recording.Head, frozen []byte) (uint64, error)) (ticks int, err error) {
	setup, err := r.Setup()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNoBrain, err)
	}
	stills, err := r.Stills()
	if err != nil {
		return 0, err
	}
	flight, err := r.Flight(0)
	if err != nil {
		return 0, err
	}
	in := NewFlight(flight)
	defer in.End()
	source := &gaps{Source: in}
	var e recording.Entry
	if err := source.Next(&e.Tick); err != nil {
		return 0, err
	}
	for len(stills) > 0 && stills[0].Tick < e.Input.Tick {
		stills = stills[1:]
	}
	if len(stills) == 0 {
		return 0, ErrNoBrain
	}
	run := r.Run()
	f := &flown{source: source, stills: stills, hash: hash, head: recording.Head{
		Program: run.Program, Setup: setup, Epoch: r.Epoch(),
		Facts: map[string]string{"body": run.Body, "world": run.World, "from": "flight ring"},
	}}
	return f.write(w, &e)
}

// flown is a ring on its way into a recording.
type flown struct {
	source *gaps
	stills []*telemetry.Still // that are not yet written
	hash   func(h *recording.Head, frozen []byte) (uint64, error)
	head   recording.Head
}

// write writes the tick that was read first and all others.
func (f *flown) write(w io.Writer, e *recording.Entry) (ticks int, err error) {
	began := f.stills[0].Tick
	if f.head.Brain, err = recording.Unpack(f.stills[0].Data[:f.stills[0].Length]); err != nil {
		return 0, err
	}
	f.stills = f.stills[1:]
	out, err := recording.NewWriter(w, &f.head)
	if err != nil {
		return 0, err
	}
	for ; err == nil; err = f.source.Next(&e.Tick) {
		if e.Input.Tick < began {
			continue
		}
		if err := f.still(out, e); err != nil {
			return ticks, err
		}
		if err := out.Write(e); err != nil {
			return ticks, err
		}
		ticks++
	}
	return ticks, errors.Join(f.source.end(err), out.Close())
}

// still writes the brain that a tick leaves behind, where the ring has it, and lets the
// tick say what its field was.
func (f *flown) still(out *recording.Writer, e *recording.Entry) error {
	for len(f.stills) > 0 && f.stills[0].Tick <= e.Input.Tick {
		f.stills = f.stills[1:]
	}
	if len(f.stills) == 0 || f.stills[0].Tick != e.Input.Tick+1 {
		return nil
	}
	s := f.stills[0]
	packed := s.Data[:s.Length]
	if frozen, err := recording.Unpack(packed); err == nil {
		if e.Field, err = f.hash(&f.head, frozen); err != nil {
			e.Field = 0
		}
	}
	return out.Freeze(&recording.Frozen{Tick: s.Tick, At: time.Duration(s.At), Data: packed})
}
