package cpu

import (
	"math"

	"fieldbrain/field"
)

const side = field.Side

type row = [side]float32

// pureGo evolves channels with plain Go loops: the engine of builds without a
// C compiler, and the readable twin of field/cpu/native/kernel.h.
type pureGo struct {
	params  *field.Params
	layout  *field.Layout
	store   *store
	units   [][]int
	scratch []scratch  // one per worker
	excite  [3][]int32 // half of each kernel between planes of 1, 2 and 4 bins
	inhibit [3][]int32
}

// scratch is a worker's memory while it evolves one channel.
type scratch struct {
	u    []float32 // activations after displacement
	f    []uint16  // outputs after displacement
	e, i []uint16  // lateral excitation and inhibition in Q15
	tmp  []uint16  // between two axis passes
}

func newPureGo(e *Engine, threads int) *pureGo {
	p := &pureGo{params: &e.params, layout: &e.layout, store: e.store, units: e.units}
	for n := range p.excite {
		p.excite[n], p.inhibit[n] = field.Thicken(field.Excite(), 1<<n), field.Thicken(field.Inhibit(), 1<<n)
	}
	for range threads {
		p.scratch = append(p.scratch, scratch{
			u: make([]float32, field.Cells), f: make([]uint16, field.Cells),
			e: make([]uint16, field.Cells), i: make([]uint16, field.Cells), tmp: make([]uint16, field.Cells),
		})
	}
	return p
}

func (p *pureGo) close() {}

func (p *pureGo) cosines() field.MatchFunc { return nil }

func (p *pureGo) loops() field.Loops { return field.PlainLoops() }

func (p *pureGo) evolve(unit, worker int) {
	for _, c := range p.units[unit] {
		if p.store.frame.Run[c] == 0 {
			continue
		}
		switch p.params.Table[c].Regime.Kind {
		case field.Memory, field.Leaky:
			p.trace(c)
		case field.Mapping:
			p.mapping(c)
		default:
			p.channel(c, &p.scratch[worker])
		}
	}
}

// resting reports whether the update is known to change nothing: it changed
// nothing last time and all it reads is the same. Only the collapsed step uses
// it; the dense step always computes every cell.
func (p *pureGo) resting(c int) bool {
	ch := &p.params.Table[c]
	if p.layout.Step == field.Dense || p.store.still[c] == 0 || ch.Noise != 0 {
		return false
	}
	return (ch.Trace < 0 || p.store.still[ch.Trace] != 0) && !drives(p.store.frame, ch, c)
}

// An update holds everything besides the frame that one channel's update reads.
type update struct {
	c       int
	s       *field.Storage
	k       *field.Coef
	kind    field.Kind
	old     []float32   // activations after displacement
	e, i    []uint16    // lateral excitation and inhibition; nil without
	trace   []float32   // memory trace that preshapes it; nil without
	base    float32     // min(40, c_glob F)
	lead    *field.Lead // how recalled patterns lead it; nil without
	changed bool        // whether any bit of the activation changed
}

// channel advances one Amari or linear channel:
//
//	u~ = ADV(u)    d = u~ + nu LAP(u~)
//	b  = h + S - min(40, c_glob F) + c_exc G2*f - c_inh G4*f + c_pre p
//	u' = d + alpha (b - d) + q' xi + recalled
func (p *pureGo) channel(c int, w *scratch) {
	if p.resting(c) {
		return
	}
	ch := &p.params.Table[c]
	x := update{c: c, s: &p.layout.Storage[c], k: &p.store.frame.Coef[c], kind: ch.Regime.Kind}
	n := x.s.Size()
	u, f := p.store.u[x.s.Offset:][:n], p.store.f[x.s.Offset:][:n]
	out, total := p.displace(&x, u, f, w)
	if x.kind == field.Amari {
		x.base = min(40, float32(float32(total)*x.k.Global))
		if total != 0 || p.layout.Step == field.Dense {
			x.e = w.e[:n]
			lateral(out, x.e, w.tmp[:n], x.s, &p.excite)
			if x.k.Inhibit != 0 {
				x.i = w.i[:n]
				lateral(out, x.i, w.tmp[:n], x.s, &p.inhibit)
			}
		}
	}
	if ch.Trace >= 0 {
		x.trace = p.store.u[p.layout.Storage[ch.Trace].Offset:][:n]
	}
	if n := field.LeadOf(c); n >= 0 && p.store.frame.Leads[n].Rate != 0 {
		x.lead = &p.store.frame.Leads[n]
	}
	for a := range x.s.Extent[0] {
		for b := range x.s.Extent[1] {
			p.row(&x, a, b, u, f)
		}
	}
	p.finish(c, f, x.s, x.changed)
}

// displace sets the old activations and returns their outputs and total.
func (p *pureGo) displace(x *update, u []float32, f []uint16, w *scratch) (out []uint16, total int32) {
	x.old = w.u[:len(u)]
	fr := p.store.frame
	if !p.params.Table[x.c].Egocentric || fr.Warp.Active == 0 {
		copy(x.old, u)
		return f, p.store.marginals[x.c].Total
	}
	warpChannel(&fr.Warp, x.s, u, x.old, x.k.Resting)
	out = w.f[:len(u)]
	for i, v := range x.old {
		out[i] = x.kind.Output(v)
	}
	m := marginal(out, x.s)
	return out, m.Total
}

// row advances the 32 cells of row (a, b).
func (p *pureGo) row(x *update, a, b int, u []float32, f []uint16) {
	i := (a*x.s.Extent[1] + b) * side
	var d, drive row
	x.diffuse(a, b, &d)
	p.input(x.c, x.s, a, b, &drive)
	for r := range side {
		v := x.k.Resting + min(max(drive[r], -20), 12)
		v -= x.base
		if x.e != nil {
			v += float32(float32(x.e[i+r]) * x.k.Excite)
		}
		if x.i != nil {
			v -= float32(float32(x.i[i+r]) * x.k.Inhibit)
		}
		if x.trace != nil {
			v += float32(x.k.Preshape * x.trace[i+r])
		}
		next := d[r] + float32(x.k.Alpha*(v-d[r]))
		if x.k.Noise != 0 {
			cell := a*x.s.Key[0] + b*x.s.Key[1] + r*x.s.Key[2]
			next += float32(x.k.Noise * field.Noise(cell, x.c, p.store.frame.TickKey))
		}
		if x.lead != nil {
			next += p.recalled(x.lead, a*x.s.Pack[0]+b*x.s.Pack[1]+r*x.s.Pack[2], d[r])
		}
		if x.kind != field.Amari {
			next = field.Settle(next)
		}
		x.changed = x.changed || math.Float32bits(next) != math.Float32bits(u[i+r])
		u[i+r] = next
		f[i+r] = x.kind.Output(next)
	}
}

// recalled returns what recalled patterns add to distinct cell i, whose diffused
// activation is d.
func (p *pureGo) recalled(l *field.Lead, i int, d float32) float32 {
	at := func(n int) float32 { return float32(l.Weight[n] * p.store.patterns[int(l.From[n])+i]) }
	sum := at(0) + at(1) + at(2)
	return float32(l.Rate * (sum - float32(l.Pull*d)))
}

// finish records the marginals and whether the update changed anything.
func (p *pureGo) finish(c int, f []uint16, s *field.Storage, changed bool) {
	p.store.still[c] = 1
	if changed {
		p.store.still[c] = 0
		p.store.marginals[c] = marginal(f, s)
	}
}

// diffuse writes u + nu LAP(u) of one row into d, over the localised axes in
// the order of the loops: periodic along X, zero flux at the ends of Y and Z, and a
// share of it between planes of several bins.
func (x *update) diffuse(a, b int, d *row) {
	s, nu := x.s, x.k.Nu
	at := func(a, b int) *row { return (*row)(x.old[(a*s.Extent[1]+b)*side:]) }
	centre := at(a, b)
	*d = *centre
	if nu == 0 {
		return
	}
	var sum row
	count := float32(0)
	for loop, i := range [2]int{a, b} {
		if !s.Local[loop] {
			continue
		}
		lo, hi := neighbours(i, s.Axis[loop])
		hi = min(hi, s.Extent[loop]-1)
		below, above := centre, centre
		if loop == 0 {
			below, above = at(lo, b), at(hi, b)
		} else {
			below, above = at(a, lo), at(a, hi)
		}
		if s.Thick > 1 && loop == 0 {
			share := 1 / float32(s.Thick)
			for r := range sum {
				sum[r] = float32(share * (below[r] + above[r]))
			}
			count = float32(2 * share)
			continue
		}
		for r := range sum {
			sum[r] += below[r] + above[r]
		}
		count += 2
	}
	if s.Local[2] {
		for r := range sum {
			lo, hi := neighbours(r, s.Axis[2])
			sum[r] += centre[lo] + centre[hi]
		}
		count += 2
	}
	for r, v := range centre {
		d[r] = v + float32(nu*(sum[r]-float32(count*v)))
	}
}

// neighbours returns the bins below and above i: around the circle on X,
// itself at the ends of the others.
func neighbours(i int, axis field.Mask) (lo, hi int) {
	if axis == field.X {
		return (i - 1) & (side - 1), (i + 1) & (side - 1)
	}
	return max(i-1, 0), min(i+1, side-1)
}

// input sums the channel's terms and couplings of one row into s.
func (p *pureGo) input(c int, s *field.Storage, a, b int, sum *row) {
	f := p.store.frame
	for _, t := range f.Index[f.Start[c]:f.Start[c+1]] {
		rows := &f.Rows[t]
		w := float32(profile(rows, s.Axis[0], a) * f.Amp[t])
		w = float32(w * profile(rows, s.Axis[1], b))
		for r := range sum {
			sum[r] += float32(w * profile(rows, s.Axis[2], r))
		}
	}
	for i := range f.NumCouplings {
		if int(f.To[i]) != c || f.Weight[i] == 0 {
			continue
		}
		at := a*s.Pack[0] + b*s.Pack[1]
		for r := range sum {
			sum[r] += float32(f.Weight[i] * f.Proj[i][at+r*s.Pack[2]])
		}
	}
}

// profile returns the weight of bin i along an axis; an unused loop has 1.
func profile(rows *[3]field.Row, axis field.Mask, i int) float32 {
	switch axis {
	case field.X:
		return rows[0][i]
	case field.Y:
		return rows[1][i]
	case field.Z:
		return rows[2][i]
	}
	return 1
}

// mapping copies one egocentric map, computed by the preparation, into its
// channel.
func (p *pureGo) mapping(c int) {
	s, m := &p.layout.Storage[c], &p.store.frame.Maps
	from := &m.Obstacle
	switch c {
	case field.HazardMap:
		from = &m.Hazard
	case field.VisitedMap:
		from = &m.Visited
	}
	u, f := p.store.u[s.Offset:][:s.Size()], p.store.f[s.Offset:][:s.Size()]
	i := 0
	for a := range s.Extent[0] {
		for b := range s.Extent[1] {
			for r := range side {
				v := from[a*s.Pack[0]+b*s.Pack[1]+r*s.Pack[2]]
				u[i], f[i] = v, field.Q15(field.Ramp(v))
				i++
			}
		}
	}
	p.finish(c, f, s, true)
}

// trace advances a memory trace or a leaky average of its source's output.
func (p *pureGo) trace(c int) {
	s, ch := &p.layout.Storage[c], &p.params.Table[c]
	k := &p.store.frame.Coef[c]
	src := &p.layout.Storage[ch.Source]
	if p.layout.Step == field.Collapsed && p.store.still[c] == 1 && p.store.still[ch.Source] == 1 {
		return
	}
	u, f := p.store.u[s.Offset:][:s.Size()], p.store.f[s.Offset:][:s.Size()]
	changed := false
	for i, q := range p.store.f[src.Offset:][:s.Size()] {
		v := u[i]
		seen := float32(float32(q) * (1.0 / field.One))
		next := v + float32(k.Alpha*(seen-v))
		if ch.Regime.Kind == field.Memory && q <= field.One/2 {
			next = float32(v * k.Keep)
		}
		next = field.Settle(next)
		changed = changed || math.Float32bits(next) != math.Float32bits(v)
		u[i], f[i] = next, field.Q15(field.Ramp(next))
	}
	p.finish(c, f, s, changed)
}
