package reference

import (
	"math"

	"fieldbrain/field"
)

// A Field advances the same field as the engines.
type Field struct {
	params    field.Params
	u, f      [field.Channels]array // activations, and the outputs of the last step
	predictor Predictor
	library   Library
}

// New returns the oracle at rest. The parameters must be valid.
func New(p field.Params) *Field {
	r := &Field{params: p}
	for c := range p.Table {
		n := [3]int{1, 1, 1}
		for axis, m := range []field.Mask{field.X, field.Y, field.Z} {
			if p.Table[c].Mask&m != 0 {
				n[axis] = field.Side
			}
		}
		r.u[c] = newArray(n, float64(p.Table[c].Regime.Resting))
		r.f[c] = output(p.Table[c].Regime.Kind, r.u[c])
	}
	return r
}

// Activation returns u of channel c at a cell.
func (r *Field) Activation(c, x, y, z int) float64 { return r.u[c].at(x, y, z) }

// Output returns the output of channel c at a cell, in 0..1.
func (r *Field) Output(c, x, y, z int) float64 { return r.f[c].at(x, y, z) }

// Write sets channel c from its expanded form [x][y][z]; of values along
// uniform axes those at coordinate 0 are read.
func (r *Field) Write(c int, src []float32) {
	r.u[c].each(func(x, y, z int, v *float64) { *v = float64(src[(x*field.Side+y)*field.Side+z]) })
	r.f[c] = output(r.params.Table[c].Regime.Kind, r.u[c])
}

// Step runs one tick: maps, inputs, activations, then the traces that follow
// the new outputs.
func (r *Field) Step(in *field.Input) {
	r.maps(in)
	blocked := r.blocked()
	if r.params.Recall.Match && r.params.Recall.Context {
		r.predictor.Context = r.library.Context
	}
	r.predictor.Frame(&r.params.Learn, &in.Senses)
	stimulus := r.stimuli(in)
	var next [field.Channels]array
	for c := range r.u {
		next[c] = r.u[c]
		if k := r.params.Table[c].Regime.Kind; (k == field.Amari || k == field.Linear) && r.params.Due(c, in) {
			next[c] = r.evolve(c, in, stimulus[c])
		}
	}
	r.u = next
	for c := range r.u {
		r.f[c] = output(r.params.Table[c].Regime.Kind, r.u[c])
	}
	for c := range r.u {
		if k := r.params.Table[c].Regime.Kind; (k == field.Memory || k == field.Leaky) && r.params.Due(c, in) {
			r.follow(c, in)
		}
	}
	r.remember(in, blocked)
}

// seconds returns the time that one update of channel c stands for.
func (r *Field) seconds(c int, in *field.Input) float64 {
	return r.params.Period.Seconds() * float64(r.params.Every(c, in.Quality))
}

// alpha returns 1 - exp(-Dt/tau), tau in seconds.
func alpha(dt, tau float64) float64 { return 1 - math.Exp(-dt/tau) }

// output returns f = phi(u): the interval sigmoid of Amari channels, the ramp
// of all others.
func output(k field.Kind, u array) array {
	f := newArray(u.n, 0)
	for i, v := range u.v {
		f.v[i] = min(max(v, 0), 1)
		if k == field.Amari {
			t := min(max((v+3)/6, 0), 1)
			f.v[i] = t * t * (3 - 2*t)
		}
	}
	return f
}

// An array holds one value per distinct cell of a channel; its extent is 1 along
// the axes on which the channel is uniform.
type array struct {
	n [3]int
	v []float64
}

func newArray(n [3]int, value float64) array {
	s := array{n: n, v: make([]float64, n[0]*n[1]*n[2])}
	for i := range s.v {
		s.v[i] = value
	}
	return s
}

// at returns the value at a cell, modulo the extents, which are 32 or 1: around
// the circle along X, the one value there is along a uniform axis.
func (s *array) at(x, y, z int) float64 { return *s.cell(x, y, z) }

// cell returns the place of that value.
func (s *array) cell(x, y, z int) *float64 {
	x, y, z = x&(s.n[0]-1), y&(s.n[1]-1), z&(s.n[2]-1)
	return &s.v[(x*s.n[1]+y)*s.n[2]+z]
}

// each visits the distinct cells in the order of their storage.
func (s *array) each(visit func(x, y, z int, v *float64)) {
	i := 0
	for x := range s.n[0] {
		for y := range s.n[1] {
			for z := range s.n[2] {
				visit(x, y, z, &s.v[i])
				i++
			}
		}
	}
}

// size returns how many distinct cells there are.
func (s *array) size() int { return len(s.v) }

// sum returns the sum over the distinct cells.
func (s *array) sum() float64 {
	total := 0.0
	for _, v := range s.v {
		total += v
	}
	return total
}
