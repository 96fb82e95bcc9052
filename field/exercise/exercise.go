// Package exercise makes inputs that drive every channel of a field at once: the
// input of tests that compare engines and of benchmarks. A field at rest costs
// nothing and proves nothing.
//
// # Source
//
// The numbers are counter-based (field.Mix) and the same on every machine, so
// a sequence is a recording that needs no file.
package exercise

import (
	"fieldbrain/field"
	"fieldbrain/field/exact"
)

// Hold is how many ticks an input keeps its stimuli, so that peaks form.
const Hold = 7

// Event is how many ticks lie between two outcomes.
const Event = 11

// FrameEvery is how many ticks lie between two frames of the senses.
const FrameEvery = 2

// A Sequence is endless.
type Sequence struct {
	state uint32
	in    field.Input

	start, left, loop uint32 // where a loop begins, how many renewals remain of it and it has
}

// New returns the sequence of a seed, at full quality.
func New(seed uint32) *Sequence {
	d := &Sequence{state: field.Mix(seed)}
	d.in.Quality = field.Full()
	return d
}

// NewLoop returns a sequence whose stimuli, senses included, come again after a
// number of renewals: situations to be recognised.
func NewLoop(seed, renewals uint32) *Sequence {
	d := New(seed)
	d.start, d.loop = d.state, renewals
	return d
}

// Next returns the input of the next tick. It belongs to the sequence and changes
// with the next call.
func (d *Sequence) Next() *field.Input {
	if d.in.Tick%Hold == 0 {
		d.renew()
	}
	in := &d.in
	d.in.Tick++
	if in.Senses.Frame = d.in.Tick%FrameEvery == 0; in.Senses.Frame {
		d.sense()
	}
	if in.Outcome = 0; d.in.Tick%Event == 0 {
		in.Outcome = d.uniform(-1, 1)
	}
	return in
}

// sense draws a frame of the senses: half of the slots swing, so that there is
// something to learn, half jump at random, and each is missing now and then.
func (d *Sequence) sense() {
	s := &d.in.Senses
	turn := float64(d.in.Tick) * 0.05
	for i := range s.S {
		v := d.uniform(0, 1)
		if i%2 == 0 {
			v = float32(0.5 + float64(0.4*exact.Sin(turn*float64(1+i%5))))
		}
		if s.Set(i, v); d.uniform(0, 1) > 0.9 {
			s.Valid &^= 1 << i
		}
	}
}

// uniform returns the next number in [low, high).
func (d *Sequence) uniform(low, high float32) float32 {
	d.state = field.Mix(d.state + 0x9E3779B9)
	return low + float32(float32(d.state>>8)*(1.0/(1<<24))*(high-low))
}

// renew draws new stimuli: one per channel, some of them strong, some the
// stimulus of a slot of the senses, motion, beams, edges and a drive.
func (d *Sequence) renew() {
	if d.loop != 0 {
		if d.left == 0 {
			d.state, d.left = d.start, d.loop
		}
		d.left--
	}
	in := &d.in
	in.NumTerms = 0
	for c := range field.Channels {
		in.Add(field.Term{
			Channel: c, A: d.uniform(-1, 8),
			Centre: [3]float32{d.uniform(0, 32), d.uniform(0, 32), d.uniform(0, 32)},
			Sigma:  [3]float32{2, 2, 2},
			Of:     int32((c + 1) * min(c%3, 1)), // every third shows none
		})
	}
	for c := 0; c < field.Channels; c += 5 { // a second, competing stimulus
		in.Add(field.Term{
			Channel: c, A: d.uniform(3, 7),
			Centre: [3]float32{d.uniform(0, 32), d.uniform(0, 32), d.uniform(0, 32)},
			Sigma:  [3]float32{d.uniform(1, 3), d.uniform(1, 3), d.uniform(1, 3)},
		})
	}
	in.Forward, in.Turn = d.uniform(-0.001, 0.002), d.uniform(-0.01, 0.01)
	in.NumBeams = 5
	for i := range in.Beams[:in.NumBeams] {
		in.Beams[i] = field.Beam{Bearing: d.uniform(-1.2, 1.2), Range: d.uniform(0.05, 3), HalfWidth: 0.21}
	}
	for i := range in.Edges {
		in.Edges[i] = d.uniform(0, 1) > 0.9
	}
	in.Drive = field.Drive{
		Goal: d.uniform(-3, 3), GoalWeight: d.uniform(0, 1),
		Line: d.uniform(-1, 1), LineWeight: d.uniform(0, 1), OnLine: d.uniform(0, 1) > 0.5,
		Side: 1, Memory: d.uniform(0, 1),
	}
	if d.uniform(0, 1) > 0.5 {
		in.Drive.Side = -1
	}
}
