package cpu

import (
	"fieldbrain/field"
	"fieldbrain/field/isa"
)

// Work is the least that one step of a channel table must do, whatever the
// implementation: bytes that must cross from and to the field's memory, and
// 32-bit lane operations as the C++ engines execute them. Terms, loads, stores
// and loops are not counted: the floor is the time of this arithmetic when
// nothing else costs anything.
type Work struct {
	Bytes   float64 // read and written once each: u 4+4, f 2+2 per cell
	LaneOps float64 // additions, multiplications, comparisons, conversions
}

// Operations per cell, counted off the equations.
const (
	sigmoidOps = 12 // add, mul, clip 2, square, 2t, 3-, product; to Q15: mul, add, convert, narrow
	rampOps    = 6  // clip 2; to Q15: mul, add, convert, narrow
	relaxOps   = 7  // h + S, clip 2, - base; (b-d), alpha (), d +
	lateralOps = 4  // widen, to float, gain, add: per kernel
	traceOps   = 2  // gain, add: the preshape
	sumOps     = 2  // marginals of plane and row
	noiseOps   = 34 // two mixes of 8, four halves, centre, scale, gain, add
	followOps  = 10 // a trace: widen, to float, scale, error, share, add, compare, forget, choose, store
	warpOps    = 9  // three interpolations
	tapOps     = 2  // a 16-bit multiply-add takes two taps of two outputs: one of it and one add per tap beyond the centre
	fusedOps   = 1  // the same where one instruction multiplies and adds to a sum
	passOps    = 4  // centre, interleave, round and shift, narrow
)

// Minimum returns the work of one step at full quality with every channel
// active, on the cells that the layout stores, with an instruction set of this machine.
func Minimum(table *[field.Channels]field.Channel, l *field.Layout, name string) Work {
	var w Work
	perTap := tapOps
	if set, ok := isa.Find(name); ok && set.Dots() {
		perTap = fusedOps
	}
	for c := range table {
		ch, cells := &table[c], float64(l.Storage[c].Size())
		cells /= float64(field.Full().Every(c))
		w.Bytes += float64(cells * 12)
		w.LaneOps += float64(cells * channelOps(ch, perTap))
	}
	return w
}

// channelOps returns the operations per cell of one channel, with so many per tap.
func channelOps(ch *field.Channel, perTap int) float64 {
	axes, r := float64(ch.Mask.Axes()), ch.Regime
	switch r.Kind {
	case field.Memory, field.Leaky:
		return followOps + rampOps + sumOps
	case field.Mapping:
		return rampOps + sumOps
	}
	ops := float64(relaxOps + sumOps)
	if ch.Diffusion != 0 {
		ops += axes + axes - 1 + 4 // neighbours; count u, sum -, nu, add
	}
	if ch.Noise != 0 {
		ops += noiseOps
	}
	if ch.Preshape != 0 {
		ops += traceOps
	}
	if r.Kind == field.Linear {
		return ops + rampOps
	}
	ops += sigmoidOps
	if ch.Egocentric {
		ops += warpOps + sigmoidOps
	}
	if r.Excitation != 0 {
		ops += lateralOps + float64(axes*float64(perTap*(len(field.Excite())-1)+passOps))
	}
	if r.Inhibition != 0 {
		ops += lateralOps + float64(axes*float64(perTap*(len(field.Inhibit())-1)+passOps))
	}
	return ops
}
