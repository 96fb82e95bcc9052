// Package film records the heading field of a brain during a run, for the moving
// picture of picture.Animation.
//
// # Shapes
//
// Rows hold one value per bearing, field.Side of them, as field.Bearing counts.
//
// # Concurrency
//
// The goroutine that ticks the brain owns a Reel.
//
// # Errors
//
// None: an engine that cannot read leaves zeros.
package film

import (
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/testbench/picture"
)

// A Reel keeps a moment of a run every now and then. It reads and changes nothing
// of the brain.
type Reel struct {
	every   time.Duration
	begun   time.Duration
	next    time.Duration
	moments []picture.Moment
	cells   []float32
}

// NewReel returns a reel that keeps a moment of every so much time.
func NewReel(every time.Duration) *Reel {
	return &Reel{every: every, cells: make([]float32, field.Cells)}
}

// Watch keeps the moment of a tick that was released at now, when one is due.
func (r *Reel) Watch(now time.Duration, b *brain.Brain, engine field.Engine) {
	if r.moments == nil {
		r.begun, r.next = now, now
	}
	if now < r.next {
		return
	}
	r.next += r.every
	status := b.Remote().Status()
	engine.Read(field.Heading, r.cells)
	m := picture.Moment{At: now - r.begun, Steering: float64(status.Trace.Command.Steering)}
	for x := range field.Side {
		m.Input = append(m.Input, float64(status.Input[x]))
		m.Activation = append(m.Activation, float64(r.cells[x*field.Plane]))
		m.Output = append(m.Output, float64(status.Heading[x])/field.One)
	}
	for _, p := range field.Peaks(nil, &status.Heading, true, 0.1) {
		m.Peaks = append(m.Peaks, math.Remainder(field.Bearing(p.Position), 2*math.Pi))
	}
	for sector, reading := range status.State.Range {
		if reading.Fresh(now, 4*r.every) {
			m.Beams = append(m.Beams, picture.Beam{Bearing: float64(robot.SectorBearing(sector)), Range: float64(reading.Value)})
		}
	}
	r.moments = append(r.moments, m)
}

// Moments returns the kept moments in the order of time. They are the reel's own.
func (r *Reel) Moments() []picture.Moment { return r.moments }
