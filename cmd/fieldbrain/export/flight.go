package export

import (
	"io"
	"iter"

	"fieldbrain/brain/reckoning"
	"fieldbrain/daemon/recording"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// A Flight gives the ticks of a flight ring, as a Source.
type Flight struct {
	from *telemetry.Flight
	next func() (*telemetry.Tick, bool)
	stop func()
}

// NewFlight begins at a flight's oldest tick. End ends it.
func NewFlight(from *telemetry.Flight) *Flight {
	f := &Flight{from: from}
	f.next, f.stop = iter.Pull(from.Ticks())
	return f
}

// Next gives the next tick, io.EOF behind the last. Lost counts the records of the
// ring that were not whole. The hashes of the field are not in a ring.
func (f *Flight) Next(t *recording.Tick) error {
	from, ok := f.next()
	if !ok {
		if err := f.from.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	*t = recording.Tick{
		Told: from.Command(), Causes: safety.Causes(from.Causes), Rung: int(from.Rung), Failed: from.Is(telemetry.TickFailed),
		Fix: reckoning.Fix{
			X: float64(from.X), Y: float64(from.Y), Heading: float64(from.Heading), Off: float64(from.Off), Astray: float64(from.Astray),
		},
		Bearing: float64(from.Bearing), Mass: float64(from.Mass), Lost: uint64(f.from.Missed()),
	}
	whole := false
	t.Input, whole = from.TickInput()
	t.Partly = !whole // a replay stops there and says so
	return nil
}

// End ends the reading.
func (f *Flight) End() { f.stop() }
