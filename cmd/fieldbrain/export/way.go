package export

import (
	"errors"
	"math"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/robot"
)

// sampleEvery is how much time lies between two samples of a way.
const sampleEvery = 50 * time.Millisecond

// Where bearings and ranges begin, in m ahead of the rear axle and of that point
// (docs/robot.md).
const (
	reference = 0.05
	face      = 0.06
)

// A point is a place in the frame of the start, in m.
type point struct{ x, y float64 }

// A sample is the car at an instant.
type sample struct {
	at      time.Duration
	axle    point
	heading float64
	held    bool    // something held against motion
	echoes  []point // heard since the sample before
}

// A Way is what a picture is drawn of.
type Way struct {
	samples   []sample
	low, high point // bounds of everything
}

// Trace reads a way. A recording that is cut short gives the way up to there, with the
// recording's error.
func Trace(s Source) (*Way, error) {
	w := &Way{low: point{math.Inf(1), math.Inf(1)}, high: point{math.Inf(-1), math.Inf(-1)}}
	var t recording.Tick
	var seen [robot.NumSectors]time.Duration
	var waiting []point
	for {
		if err := s.Next(&t); err != nil {
			if len(w.samples) == 0 {
				return nil, errors.Join(errors.New("export: there is no tick in the recording"), end(err))
			}
			return w, end(err)
		}
		for i := range t.Heard.State.Range {
			r := &t.Heard.State.Range[i]
			if r.OK && !r.Beyond && r.At != seen[i] && r.Value-r.Value == 0 {
				seen[i] = r.At
				waiting = append(waiting, echo(&t, i))
			}
		}
		n := len(w.samples)
		if n > 0 && t.At()-w.samples[n-1].at < sampleEvery {
			continue
		}
		w.add(sample{at: t.At(), axle: point{t.Fix.X, t.Fix.Y}, heading: t.Fix.Heading, held: t.Causes != 0, echoes: waiting})
		waiting = nil
	}
}

// echo returns where a range was heard.
func echo(t *recording.Tick, sector int) point {
	sin, cos := math.Sincos(t.Fix.Heading)
	s, c := math.Sincos(t.Fix.Heading + float64(robot.SectorBearing(sector)))
	far := float64(t.Heard.State.Range[sector].Value) + face
	return point{t.Fix.X + reference*cos + far*c, t.Fix.Y + reference*sin + far*s}
}

// add adds a sample and widens the bounds.
func (w *Way) add(s sample) {
	w.samples = append(w.samples, s)
	for _, p := range append(s.echoes, s.axle) {
		w.low.x, w.low.y = min(w.low.x, p.x), min(w.low.y, p.y)
		w.high.x, w.high.y = max(w.high.x, p.x), max(w.high.y, p.y)
	}
}
