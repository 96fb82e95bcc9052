package cpu

import (
	"fieldbrain/field"
	"fieldbrain/field/isa"
)

// Work is the least that one step of a channel table must do, whatever the
// implementation: bytes that must cross from and to the field's memory, and
// 32-bit lane operations as the C++ engines execute them. Terms, loads, stores
// and loops are not counted. Toil does both at once.
type Work struct {
	Bytes   float64 // read and written once each: u 4+4, f 2+2 per cell; traces that preshape, 4
	LaneOps float64 // additions, multiplications, comparisons, conversions
}

// Operations per cell, counted off the equations.
const (
	sigmoidOps = 9  // add, mul, clip 2, square, product; to Q15: add, convert, narrow; and 3 - 2t, exact
	rampOps    = 4  // clip 2; to Q15: convert, narrow; and scale and add, exact
	inputOps   = 3  // h + S, clip 2: once for all cells with the same input
	baseOps    = 1  // - base, likewise
	relaxOps   = 3  // (b-d), alpha (), d +
	lateralOps = 4  // widen, to float, gain, add: per kernel
	traceOps   = 2  // gain, add: the preshape
	sumOps     = 2  // marginals of plane and row
	noiseOps   = 34 // two mixes of 8, four halves, centre, scale, gain, add
	followOps  = 8  // a trace: widen, to float, share, add, compare, forget, choose, store; and scale and error, exact
	warpOps    = 9  // three interpolations
	tapOps     = 2  // a 16-bit multiply-add takes two taps of two outputs: one of it and one add per tap beyond the centre
	fusedOps   = 1  // the same where one instruction multiplies and adds to a sum
	passOps    = 4  // centre, interleave, round and shift, narrow
)

// Minimum returns the work of one step at full quality with every channel
// active, on the cells that the layout stores, with an instruction set of this machine.
func Minimum(table *[field.Channels]field.Channel, l *field.Layout, name string) Work {
	var w Work
	ops := perCell(table, l, name)
	for c := range table {
		cells, every := float64(l.Storage[c].Size()), float64(field.Full().Every(c))
		w.Bytes += cells * 12 / every
		w.LaneOps += float64(cells * ops[c] / every)
		if t := table[c].Trace; t >= 0 { // read in the ticks, too, that leave it as it is
			w.Bytes += float64(cells * 4 * (1 - 1/float64(field.Full().Every(t))))
		}
	}
	return w
}

// perCell returns the operations per cell of every channel, in a tick that updates it.
func perCell(table *[field.Channels]field.Channel, l *field.Layout, name string) (ops [field.Channels]float64) {
	have := costs{tap: tapOps, exact: 2}
	if set, ok := isa.Find(name); ok && set.Dots() {
		have.tap = fusedOps
	}
	if name != isa.SSE.String() { // all others multiply and add at once
		have.exact = 1
	}
	for c := range table {
		ch, cells := &table[c], float64(l.Storage[c].Size())
		ops[c] = have.channel(ch) + float64(min(cells, float64(ch.Mask.Cells()))*input(ch)/cells)
	}
	return ops
}

// costs are the operations that differ from one instruction set to the other.
type costs struct {
	tap   int     // of two taps of two outputs of the interaction
	exact float64 // of a product and a sum, where the product is exact and one rounding does
}

// input returns the operations per cell of a channel whose input is another.
func input(ch *field.Channel) float64 {
	switch ch.Regime.Kind {
	case field.Amari:
		return inputOps + baseOps
	case field.Linear:
		return inputOps
	}
	return 0
}

// channel returns the operations per cell of one channel.
func (have *costs) channel(ch *field.Channel) float64 {
	axes, r := float64(ch.Mask.Axes()), ch.Regime
	ramp, sigmoid := rampOps+have.exact, sigmoidOps+have.exact
	switch r.Kind {
	case field.Memory, field.Leaky:
		return followOps + have.exact + ramp + sumOps
	case field.Mapping:
		return ramp + sumOps
	}
	ops := float64(relaxOps + sumOps)
	if ch.Diffusion != 0 {
		ops += axes + axes - 1 + 2 // neighbours; nu, add
		if count := 2 * axes; count == 6 {
			ops += 2 // count u, sum -
		} else {
			ops += have.exact
		}
	}
	if ch.Noise != 0 {
		ops += noiseOps
	}
	if ch.Preshape != 0 {
		ops += traceOps
	}
	if r.Kind == field.Linear {
		return ops + ramp
	}
	ops += sigmoid
	if ch.Egocentric {
		ops += warpOps + sigmoid
	}
	if r.Excitation != 0 {
		ops += lateralOps + float64(axes*float64(have.tap*(len(field.Excite())-1)+passOps))
	}
	if r.Inhibition != 0 {
		ops += lateralOps + float64(axes*float64(have.tap*(len(field.Inhibit())-1)+passOps))
	}
	return ops
}
