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
	scratch []scratch // one per worker
}

// scratch is what one worker needs while it evolves one channel.
type scratch struct {
	u    []float32 // activations after displacement
	f    []uint16  // outputs after displacement
	e, i []uint16  // lateral excitation and inhibition in Q15
	tmp  []uint16  // between two axis passes
}

func newPureGo(e *Engine, threads int) *pureGo {
	p := &pureGo{params: &e.params, layout: &e.layout, store: e.store, units: e.plan.units}
	for range threads {
		p.scratch = append(p.scratch, scratch{
			u: make([]float32, field.Cells), f: make([]uint16, field.Cells),
			e: make([]uint16, field.Cells), i: make([]uint16, field.Cells), tmp: make([]uint16, field.Cells),
		})
	}
	return p
}

func (p *pureGo) close() {}

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
	f, ch := p.store.frame, &p.params.Table[c]
	if p.layout.Step == field.Dense || p.store.still[c] == 0 || f.Start[c] != f.Start[c+1] || ch.Noise != 0 {
		return false
	}
	if ch.Trace >= 0 && p.store.still[ch.Trace] == 0 || ch.Egocentric && f.Warp.Active != 0 {
		return false
	}
	for i := range f.NumCouplings {
		if int(f.To[i]) == c && f.Weight[i] != 0 {
			return false
		}
	}
	return true
}

// channel advances one Amari or linear channel:
//
//	u~ = ADV(u)    d = u~ + nu LAP(u~)
//	b  = h + S - min(40, c_glob F) + c_exc G2*f - c_inh G4*f + c_pre p
//	u' = d + alpha (b - d) + q' xi
func (p *pureGo) channel(c int, w *scratch) {
	if p.resting(c) {
		return
	}
	s, fr, ch := &p.layout.Slots[c], p.store.frame, &p.params.Table[c]
	k := &fr.Coef[c]
	n := s.Size()
	u, f := p.store.u[s.Offset:][:n], p.store.f[s.Offset:][:n]
	total := p.store.marginals[c].Total
	old, out := w.u[:n], f
	if ch.Egocentric && fr.Warp.Active != 0 {
		warpSheet(&fr.Warp, s, u, old, k.Resting)
		out = w.f[:n]
		for i, v := range old {
			out[i] = ch.Regime.Kind.Output(v)
		}
		m := marginal(out, s)
		total = m.Total
	} else {
		copy(old, u)
	}
	amari := ch.Regime.Kind == field.Amari
	active := amari && (total != 0 || p.layout.Step == field.Dense)
	base := float32(0)
	if amari {
		base = min(40, float32(float32(total)*k.Global))
	}
	if active {
		lateral(out, w.e[:n], w.tmp[:n], s, field.Excite[:])
		if k.Inhibit != 0 {
			lateral(out, w.i[:n], w.tmp[:n], s, field.Inhibit[:])
		}
	}
	var trace []float32
	if ch.Trace >= 0 {
		t := &p.layout.Slots[ch.Trace]
		trace = p.store.u[t.Offset:][:n]
	}
	changed := false
	for a := range s.Extent[0] {
		for b := range s.Extent[1] {
			i := (a*s.Extent[1] + b) * side
			var d, drive row
			p.diffuse(old, s, a, b, k.Nu, &d)
			p.input(c, s, a, b, &drive)
			for r := range side {
				v := k.Resting + min(max(drive[r], -20), 12)
				v -= base
				if active {
					v += float32(float32(w.e[i+r]) * k.Excite)
					if k.Inhibit != 0 {
						v -= float32(float32(w.i[i+r]) * k.Inhibit)
					}
				}
				if trace != nil {
					v += float32(k.Preshape * trace[i+r])
				}
				next := d[r] + float32(k.Alpha*(v-d[r]))
				if k.Noise != 0 {
					cell := a*s.Key[0] + b*s.Key[1] + r*s.Key[2]
					next += float32(k.Noise * field.Noise(cell, c, fr.TickKey))
				}
				if !amari {
					next = field.Settle(next)
				}
				changed = changed || math.Float32bits(next) != math.Float32bits(u[i+r])
				u[i+r] = next
				f[i+r] = ch.Regime.Kind.Output(next)
			}
		}
	}
	p.finish(c, f, s, changed)
}

// finish records the marginals and whether the update changed anything.
func (p *pureGo) finish(c int, f []uint16, s *field.Slots, changed bool) {
	p.store.still[c] = 1
	if changed {
		p.store.still[c] = 0
		p.store.marginals[c] = marginal(f, s)
	}
}

// diffuse writes u + nu LAP(u) of one row into d, over the localised axes in
// the order X, Y, Z: periodic along X, zero flux at the ends of Y and Z.
func (p *pureGo) diffuse(u []float32, s *field.Slots, a, b int, nu float32, d *row) {
	at := func(a, b int) *row { return (*row)(u[(a*s.Extent[1]+b)*side:]) }
	centre := at(a, b)
	*d = *centre
	if nu == 0 {
		return
	}
	var sum row
	count := float32(0)
	for slot, i := range [2]int{a, b} {
		if !s.Local[slot] {
			continue
		}
		lo, hi := neighbours(i, s.Axis[slot])
		below, above := centre, centre
		if slot == 0 {
			below, above = at(lo, b), at(hi, b)
		} else {
			below, above = at(a, lo), at(a, hi)
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
func (p *pureGo) input(c int, s *field.Slots, a, b int, sum *row) {
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

// profile returns the weight of bin i along an axis; an unused slot has 1.
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
	s, m := &p.layout.Slots[c], &p.store.frame.Maps
	sheet := &m.Obstacle
	switch c {
	case field.HazardMap:
		sheet = &m.Hazard
	case field.VisitedMap:
		sheet = &m.Visited
	}
	u, f := p.store.u[s.Offset:][:s.Size()], p.store.f[s.Offset:][:s.Size()]
	i := 0
	for a := range s.Extent[0] {
		for b := range s.Extent[1] {
			for r := range side {
				v := sheet[a*s.Pack[0]+b*s.Pack[1]+r*s.Pack[2]]
				u[i], f[i] = v, field.Q15(field.Ramp(v))
				i++
			}
		}
	}
	p.finish(c, f, s, true)
}

// trace advances a memory trace or a leaky average of its source's output.
func (p *pureGo) trace(c int) {
	s, ch := &p.layout.Slots[c], &p.params.Table[c]
	k := &p.store.frame.Coef[c]
	src := &p.layout.Slots[ch.Source]
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
