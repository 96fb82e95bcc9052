package telemetry

import (
	"sync/atomic"

	"fieldbrain/brain/ground"
	"fieldbrain/field"
)

// Shares of the slices that one tick copies.
const (
	channelsPerTick = 8
	rowsPerTick     = 16
)

// Turns of the slices.
const (
	sliceWanted uint32 = iota // the loop collects
	sliceTaken                // the slow goroutine writes
)

// slices collects field and ground over some ticks, a share in each, so that no tick
// pays for all of it. A slow goroutine writes what is whole and asks for the next.
type slices struct {
	turn   atomic.Uint32
	next   int // share, the loop's thread only
	here   Field
	around Ground

	field  entries[Field]
	ground entries[Ground]
}

// A Look is what the slices are collected from: of the tick that has just ended.
type Look struct {
	Number uint64 // of the tick
	Output *field.Output
	Ground *ground.Grid
	At     ground.Pose // of the car in the ground's frame
}

// Collect copies this tick's share of the slices, about a kilobyte, unless nobody has
// taken the last ones. The loop's thread calls it; it allocates nothing.
func (w *Writer) Collect(l *Look) {
	s := &w.slices
	if s.turn.Load() != sliceWanted {
		return
	}
	if s.next == 0 {
		s.around.West, s.around.South = l.Ground.Corner()
	}
	for c := s.next * channelsPerTick; c < min((s.next+1)*channelsPerTick, field.Channels); c++ {
		s.here.X[c] = l.Output.Marginals[c].X
	}
	for y := s.next * rowsPerTick; y < min((s.next+1)*rowsPerTick, groundSide); y++ {
		s.around.Occupied[y], s.around.Free[y] = l.Ground.Row(s.around.South+int32(y), s.around.West)
	}
	s.next++
	if s.next*channelsPerTick < field.Channels || s.next*rowsPerTick < groundSide {
		return
	}
	s.next = 0
	s.finish(l)
	s.turn.Store(sliceTaken)
}

// finish takes what is small enough for one tick.
func (s *slices) finish(l *Look) {
	out := l.Output
	s.here.Number, s.around.Number = l.Number, l.Number
	s.here.Input, s.here.Blocked, s.here.Obstacle = out.Heading, out.Blocked, *out.Obstacle
	s.here.Index, s.here.Cosine, s.here.Weight = out.Recall.Index, out.Recall.Cosine, out.Recall.Weight
	s.here.Gate, s.here.Error, s.here.Trust = out.Recall.Gate, out.Prediction.MeanError, out.Prediction.Trust
	s.around.X, s.around.Y, s.around.Heading = l.At.X, l.At.Y, l.At.Heading
}

// Publish writes the slices that are whole and asks for the next. A slow goroutine
// calls it.
func (w *Writer) Publish() {
	s := &w.slices
	if s.turn.Load() != sliceTaken {
		return
	}
	w.slowly(func() {
		s.field.put(&s.here)
		s.ground.put(&s.around)
	})
	s.turn.Store(sliceWanted)
}
