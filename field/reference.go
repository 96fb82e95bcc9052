package field

import "math"

// A Reference advances the same field as the engines, in float64 and in plain
// loops written from the equations (specification B.3 to B.5.3). It is the oracle
// the engines are judged against and shares nothing with them but the
// parameters, the maps between bins and quantities, and the random numbers; it
// is two orders of magnitude slower and belongs in no tick.
//
// What it does not copy is what float32 and Q15 cost the engines: outputs are
// not rounded, kernels are the taps divided by 32768, sums are double. The
// package comment derives how far the two may differ.
type Reference struct {
	params  Params
	u, f    [Channels]sheet // activations, and the outputs of the last step
	mind    ReferencePredictor
	library ReferenceLibrary
}

// NewReference returns the oracle at rest. The parameters must be valid.
func NewReference(p Params) *Reference {
	r := &Reference{params: p}
	for c := range p.Table {
		n := [3]int{1, 1, 1}
		for axis, m := range []Mask{X, Y, Z} {
			if p.Table[c].Mask&m != 0 {
				n[axis] = Side
			}
		}
		r.u[c] = newSheet(n, float64(p.Table[c].Regime.Resting))
		r.f[c] = output(p.Table[c].Regime.Kind, r.u[c])
	}
	return r
}

// Activation returns u of channel c at a cell.
func (r *Reference) Activation(c, x, y, z int) float64 { return r.u[c].at(x, y, z) }

// Output returns the output of channel c at a cell, in 0..1.
func (r *Reference) Output(c, x, y, z int) float64 { return r.f[c].at(x, y, z) }

// Write sets channel c from its expanded form [x][y][z]; of values along
// uniform axes those at coordinate 0 are read.
func (r *Reference) Write(c int, src []float32) {
	r.u[c].each(func(x, y, z int, v *float64) { *v = float64(src[(x*Side+y)*Side+z]) })
	r.f[c] = output(r.params.Table[c].Regime.Kind, r.u[c])
}

// Step runs one tick: maps, inputs, activations, then the traces that follow
// the new outputs.
func (r *Reference) Step(in *Input) {
	r.maps(in)
	blocked := r.blocked()
	if r.params.Recall.Match && r.params.Recall.Context {
		r.mind.Context = r.library.Context
	}
	r.mind.Frame(&r.params.Learn, &in.Senses)
	stimulus := r.stimuli(in)
	var next [Channels]sheet
	for c := range r.u {
		next[c] = r.u[c]
		if k := r.params.Table[c].Regime.Kind; (k == Amari || k == Linear) && r.runs(c, in) {
			next[c] = r.evolve(c, in, stimulus[c])
		}
	}
	r.u = next
	for c := range r.u {
		r.f[c] = output(r.params.Table[c].Regime.Kind, r.u[c])
	}
	for c := range r.u {
		if k := r.params.Table[c].Regime.Kind; (k == Memory || k == Leaky) && r.runs(c, in) {
			r.follow(c, in)
		}
	}
	r.remember(in, blocked)
}

// runs reports whether channel c is updated this tick.
func (r *Reference) runs(c int, in *Input) bool {
	return r.params.due(c, in)
}

// seconds returns the time that one update of channel c stands for.
func (r *Reference) seconds(c int, in *Input) float64 {
	return r.params.Period.Seconds() * float64(r.params.every(c, in.Quality))
}

// alpha returns 1 - exp(-Dt/tau), tau in seconds.
func alpha(dt, tau float64) float64 { return 1 - math.Exp(-dt/tau) }

// output returns f = phi(u): the interval sigmoid of Amari channels, the ramp
// of all others.
func output(k Kind, u sheet) sheet {
	f := newSheet(u.n, 0)
	for i, v := range u.v {
		f.v[i] = min(max(v, 0), 1)
		if k == Amari {
			t := min(max((v+3)/6, 0), 1)
			f.v[i] = t * t * (3 - 2*t)
		}
	}
	return f
}

// A sheet holds one value per distinct cell of a channel; its extent is 1 along
// the axes on which the channel is uniform.
type sheet struct {
	n [3]int
	v []float64
}

func newSheet(n [3]int, value float64) sheet {
	s := sheet{n: n, v: make([]float64, n[0]*n[1]*n[2])}
	for i := range s.v {
		s.v[i] = value
	}
	return s
}

// at returns the value at a cell, modulo the extents, which are 32 or 1: around
// the circle along X, the one value there is along a uniform axis.
func (s *sheet) at(x, y, z int) float64 { return *s.cell(x, y, z) }

// cell returns the place of that value.
func (s *sheet) cell(x, y, z int) *float64 {
	x, y, z = x&(s.n[0]-1), y&(s.n[1]-1), z&(s.n[2]-1)
	return &s.v[(x*s.n[1]+y)*s.n[2]+z]
}

// each visits the distinct cells in the order of their storage.
func (s *sheet) each(visit func(x, y, z int, v *float64)) {
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
func (s *sheet) size() int { return len(s.v) }

// sum returns the sum over the distinct cells.
func (s *sheet) sum() float64 {
	total := 0.0
	for _, v := range s.v {
		total += v
	}
	return total
}
