package figures

import (
	"errors"
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// under is the channel that the figures watch.
const under = 0

const period = 5 * time.Millisecond

// A row is one channel of one axis in an otherwise idle field: 32 cells, one
// per direction. It keeps its first error, and everything after it does
// nothing.
type row struct {
	engine field.Engine
	in     field.Input
	out    *field.Output
	cells  []float32
	err    error
}

// newRow builds a row of a regime as the table of B.4 was made, tau 80 ms and no
// diffusion, with noise of standard deviation q drawn from a key.
func newRow(regime string, q float32, key uint32) *row {
	p := field.Default()
	p.Period, p.Key, p.Couplings = period, key, nil
	for c := range p.Table {
		p.Table[c] = field.Channel{Name: "IDLE", Mask: field.Uniform, Regime: byName("LIN"), Tau: time.Second, Trace: -1}
	}
	for _, c := range []int{field.Heading, field.HeadPref, field.PlanHead} {
		p.Table[c].Mask = field.X // the heading's input is computed in any case
	}
	p.Table[under] = field.Channel{Name: "TEST", Mask: field.X, Regime: byName(regime), Tau: 80 * time.Millisecond, Trace: -1, Noise: q}
	r := &row{cells: make([]float32, field.Cells), in: field.Input{Quality: field.Full()}}
	r.engine, r.err = cpu.New(p, cpu.DefaultOptions())
	return r
}

// byName returns a regime of the table of B.4, or the linear one.
func byName(name string) field.Regime {
	for _, r := range field.Regimes() {
		if r.Name == name {
			return r
		}
	}
	return field.Regime{Name: "LIN", Kind: field.Linear}
}

// show shows stimuli for a time and returns the activation after every tick.
func (r *row) show(d time.Duration, terms ...field.Term) (all [][]float64) {
	for range d / period {
		if r.err != nil {
			return nil
		}
		r.in.NumTerms = 0
		for _, t := range terms {
			if !r.in.Add(t) {
				r.err = errors.New("a stimulus was refused")
				return nil
			}
		}
		if r.out, r.err = r.engine.Step(&r.in); r.err == nil {
			all = append(all, r.activation())
		}
		r.in.Tick++
	}
	return all
}

// activation returns the row's cells.
func (r *row) activation() []float64 {
	r.engine.Read(under, r.cells)
	u := make([]float64, field.Side)
	for x := range u {
		u[x] = float64(r.cells[x*field.Plane])
	}
	return u
}

// close gives the engine back and returns the first error.
func (r *row) close() error {
	if r.engine == nil {
		return r.err
	}
	return errors.Join(r.err, r.engine.Close())
}

// stimulus is a bump of 2 bins width around a bearing in degrees.
func stimulus(a float32, degrees float64) field.Term {
	return field.At(under, a, field.BearingBin(degrees*math.Pi/180), 2)
}

// alone returns where the cells would come to rest without each other: resting
// level and stimuli.
func alone(regime string, terms ...field.Term) []float64 {
	u := make([]float64, field.Side)
	for x := range u {
		u[x] = float64(byName(regime).Resting)
		for _, t := range terms {
			d := math.Remainder(float64(x)-float64(t.Centre[0]), field.Side) / float64(t.Sigma[0])
			u[x] += float64(t.A) * math.Exp(-d*d/2)
		}
	}
	return u
}

// The first and the last bin's bearings in degrees, and the outer edges of the two.
const (
	first     = -180.0
	last      = first + 360.0*(field.Side-1)/field.Side
	firstEdge = first - 180.0/field.Side
	lastEdge  = last + 180.0/field.Side
)
