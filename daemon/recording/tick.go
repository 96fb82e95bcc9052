package recording

import (
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/reckoning"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// A Tick is what entered one tick, and what came out of it: a plain value of fixed size.
type Tick struct {
	Input brain.TickInput `pb:"heard"` // everything that entered

	Told   robot.Command // what the body was told
	Causes safety.Causes // that held against motion
	Rung   int           // of the quality ladder, as the tick ran
	Failed bool          // engine or body refused
	Answer uint64        // see Answer
	Field  uint64        // hash of the whole field (field.Hash), 0 where nobody took it

	Lost    uint64        // ticks since the start that this recording does not have, because the disk was slow, full or gone
	Fix     reckoning.Fix // where the brain believed to be, in the frame of its start
	Bearing float64       // rad, the heading's peak
	Mass    float64       // its mass in cells of full output

	Partly bool // more entered than Input has: the flight ring that it comes from had no room for it
}

// A Picture is a slice of the field for people: 0 is silence, 255 full output.
type Picture struct {
	Rows     [field.Channels][field.Side]uint8 // output of every channel over its first axis
	Obstacle [field.Plane]uint8                // the obstacle map, bearing by range
}

// An Entry is one place of a Ring.
type Entry struct {
	Tick
	Picture Picture
	Drawn   bool // there is a picture
}

// pictureEvery is how many ticks lie between two pictures.
const pictureEvery = 40

// take copies a tick that has just ended. It does not allocate.
func (e *Entry) take(b *brain.Brain, t *brain.Trace, lost, whole uint64) {
	out := b.Output()
	e.Input = *b.TickInput()
	e.Told, e.Causes, e.Rung, e.Failed = t.Command, t.Causes, t.Rung, t.Err != nil
	e.Answer, e.Field, e.Lost, e.Fix = Answer(out), whole, lost, b.Fix()
	e.Bearing, e.Mass = b.Heading()
	if e.Drawn = t.Tick%pictureEvery == 0; e.Drawn {
		e.Picture.draw(out)
	}
}

// draw scales the outputs.
func (p *Picture) draw(out *field.Output) {
	for c := range out.Marginals {
		m := &out.Marginals[c]
		for i, v := range m.X {
			p.Rows[c][i] = shade(v)
		}
	}
	for i, v := range out.Obstacle {
		p.Obstacle[i] = uint8(min(max(v, 0), 1) * 255)
	}
}

// shade scales a sum of outputs in Q15; three cells of full output are white.
func shade(v int32) uint8 { return uint8(min(int64(max(v, 0))*255/(3*field.One), 255)) }

// Answer hashes what a brain reads of its field after a tick: the outputs of all 64
// channels, each summed over all axes but one, the obstacle map, and the heading's
// input. Fields that differ in a cell of output differ in these sums, but for two
// that cancel. It does not allocate.
func Answer(out *field.Output) uint64 {
	var h [4]uint64
	for c := range out.Marginals {
		m := &out.Marginals[c]
		h[3] = mix(h[3], uint64(uint32(m.Total)))
		if m.Total == 0 { // no output is negative: every sum is 0
			continue
		}
		for i := 0; i < field.Side; i += 2 {
			h[0] = mix(h[0], pair(m.X[i], m.X[i+1]))
			h[1] = mix(h[1], pair(m.Y[i], m.Y[i+1]))
			h[2] = mix(h[2], pair(m.Z[i], m.Z[i+1]))
		}
	}
	for i, v := range out.Obstacle {
		h[i&3] = mix(h[i&3], bits(v))
	}
	for i := range out.Blocked {
		h[0], h[1] = mix(h[0], bits(out.Blocked[i])), mix(h[1], bits(out.Heading[i]))
	}
	return mix(mix(mix(h[0], h[1]), h[2]), h[3])
}

// mix adds a word to a hash, as FNV-1a does with bytes.
func mix(h, word uint64) uint64 {
	h = (h ^ word) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// pair returns two sums as one word.
func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// bits returns a number as it lies in memory.
func bits(v float32) uint64 { return uint64(math.Float32bits(v)) }

// At returns the instant of the tick on the body's clock.
func (t *Tick) At() time.Duration { return t.Input.Now }
