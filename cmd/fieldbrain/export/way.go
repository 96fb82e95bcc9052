package export

import (
	"fmt"
	"io"
	"math"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/robot"
	"fieldbrain/robot/kit"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// sampleEvery is how much time lies between two samples of a way.
const sampleEvery = 50 * time.Millisecond

// Where bearings and ranges begin, in m ahead of the rear axle and of that point
// (docs/robot.md).
const (
	reference = kit.Ahead
	face      = kit.SonarAhead - kit.Ahead
)

// A Way is what a picture is drawn of.
type Way struct{ drive picture.Recorded }

// PNG draws the whole way.
func (w *Way) PNG(to io.Writer) error { return w.drive.Write(to, "png") }

// GIF draws the way as it grows.
func (w *Way) GIF(to io.Writer) error { return w.drive.GIF(to) }

// empty returns ErrEmpty with the reason why there is no tick, nil of a whole recording.
func empty(why error) error {
	if why == nil {
		return fmt.Errorf("export: %w", ErrEmpty)
	}
	return fmt.Errorf("export: %w: %w", ErrEmpty, why)
}

// Trace reads a way. A recording that is cut short gives the way up to there, with the
// recording's error; one in which ticks are missing, ErrMissing.
func Trace(from Source) (*Way, error) {
	s := &gaps{Source: from}
	w := &Way{picture.Recorded{Body: plant.Default()}}
	var t recording.Tick
	var seen [robot.NumSectors]time.Duration
	var waiting []world.Vec
	for {
		if err := s.Next(&t); err != nil {
			if len(w.drive.Samples) == 0 {
				return nil, empty(s.end(err))
			}
			return w, s.end(err)
		}
		if !within(t.Fix.X, t.Fix.Y, t.Fix.Heading) {
			return w, fmt.Errorf("export: %w: nobody is at %g m, %g m, as tick %d says", recording.ErrDamaged, t.Fix.X, t.Fix.Y, t.Input.Tick)
		}
		for i := range t.Input.State.Range {
			r := &t.Input.State.Range[i]
			if r.OK && !r.AtLeast && r.At != seen[i] && within(float64(r.Value)) {
				seen[i] = r.At
				waiting = append(waiting, echo(&t, i))
			}
		}
		n := len(w.drive.Samples)
		if n > 0 && t.At()-w.drive.Samples[n-1].At < sampleEvery {
			continue
		}
		pose := plant.Pose{At: world.Vec{X: t.Fix.X, Y: t.Fix.Y}, Heading: t.Fix.Heading}
		w.drive.Samples = append(w.drive.Samples, picture.Sample{At: t.At(), Pose: pose, Held: t.Causes != 0, Echoes: waiting})
		waiting = nil
	}
}

// farthest is more than a car gets, or hears, in m; headings are well below it, too.
const farthest = 1e5

// within reports whether numbers can be those of a drive.
func within(numbers ...float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= farthest) { // NaN fails
			return false
		}
	}
	return true
}

// echo returns where a range was heard.
func echo(t *recording.Tick, sector int) world.Vec {
	sin, cos := math.Sincos(t.Fix.Heading)
	s, c := math.Sincos(t.Fix.Heading + float64(robot.SectorBearing(sector)))
	far := float64(t.Input.State.Range[sector].Value) + face
	return world.Vec{X: t.Fix.X + reference*cos + far*c, Y: t.Fix.Y + reference*sin + far*s}
}
