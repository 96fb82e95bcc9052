package reference

import (
	"math"

	"fieldbrain/field"
)

// gauss returns exp(-d^2 / 2 sigma^2), d in bins; a sigma of 0 is uniform.
func gauss(d, sigma float64) float64 {
	if sigma == 0 {
		return 1
	}
	return math.Exp(-d * d / (2 * sigma * sigma))
}

// around returns the distance d around the circle of 32 bins.
func around(d float64) float64 { return math.Remainder(d, field.Side) }

// stimuli returns S of every channel before it is clipped: the terms, those of a
// surprising slot stronger, the surprises, the pointwise couplings from the
// outputs of the last tick, the heading input.
func (r *Field) stimuli(in *field.Input) [field.Channels]array {
	var s [field.Channels]array
	for c := range s {
		s[c] = newArray(r.u[c].n, 0)
	}
	enter := func(t field.Term, gain float64) {
		p := profiles(t, s[t.Channel].n)
		s[t.Channel].each(func(x, y, z int, v *float64) { *v += gain * float64(t.A) * p[0][x] * p[1][y] * p[2][z] })
	}
	for _, t := range in.Terms[:in.NumTerms] {
		gain := 1.0
		if t.Of > 0 {
			gain += r.predictor.Boost[t.Of-1]
		}
		enter(t, gain)
	}
	for _, t := range r.predictor.surprises() {
		enter(t, 1)
	}
	for _, k := range r.params.Couplings {
		r.couple(k, &s[k.To])
	}
	heading := r.heading(&in.Drive)
	s[field.Heading].each(func(x, _, _ int, v *float64) { *v += heading[x] })
	return s
}

// profiles returns the three Gaussians of a term, 1 along uniform axes.
func profiles(t field.Term, n [3]int) (p [3][field.Side]float64) {
	for axis := range p {
		for i := range p[axis] {
			d := float64(i) - float64(t.Centre[axis])
			if axis == 0 {
				d = around(d)
			}
			p[axis][i] = gauss(d, float64(t.Sigma[axis]))
			if n[axis] == 1 {
				p[axis][i] = 1
			}
		}
	}
	return p
}

// couple adds weight * f of the source: summed over the axes that only the
// source has and clipped at 1, uniform along those that only the target has.
func (r *Field) couple(k field.Coupling, s *array) {
	f := &r.f[k.From]
	var over [3]int // extent of the axes summed over
	for axis := range over {
		over[axis] = 1
		if s.n[axis] == 1 {
			over[axis] = f.n[axis]
		}
	}
	s.each(func(x, y, z int, v *float64) {
		sum := 0.0
		for i := range over[0] {
			for j := range over[1] {
				for l := range over[2] {
					sum += f.at(x+i, y+j, z+l)
				}
			}
		}
		*v += float64(k.Weight) * min(sum, 1)
	})
}

// maps carries the three egocentric maps through one tick (B.5.1).
func (r *Field) maps(in *field.Input) {
	dt := r.params.Period.Seconds()
	for _, c := range []int{field.ObstMap, field.HazardMap, field.VisitedMap} {
		if r.params.Table[c].Regime.Kind == field.Mapping {
			r.u[c] = displaced(r.u[c], in, 0)
		}
	}
	for _, b := range in.Beams[:in.NumBeams] {
		r.beam(b, dt)
	}
	for i, flag := range in.Edges {
		if flag { // the sensors stand at bins 18, 16, 14 and look down 10 cm ahead
			r.mark(field.HazardMap, float64(18-2*i), 1.2, field.RangeBin(0.10), dt)
		}
	}
	r.each(field.VisitedMap, func(_, y, _ int, v *float64) {
		if y < 10 {
			*v += alpha(dt, r.params.Map.Visit.Seconds()) * (1 - *v)
		}
	})
	for _, c := range []int{field.ObstMap, field.HazardMap, field.VisitedMap} {
		r.each(c, func(_, _, _ int, v *float64) { *v *= math.Exp(-dt / r.params.Table[c].Decay.Seconds()) })
	}
}

// each visits the cells of a map, where the table has one.
func (r *Field) each(c int, visit func(x, y, z int, v *float64)) {
	if r.params.Table[c].Regime.Kind == field.Mapping {
		r.u[c].each(visit)
	}
}

// mark enters a hit: t = gx gy, m += alpha min(1, 1.5 t) (1 - m) where t > 0.35.
func (r *Field) mark(c int, x, sx, y, dt float64) {
	a := alpha(dt, r.params.Map.Hit.Seconds())
	r.each(c, func(i, j, _ int, m *float64) {
		gx := gauss(around(float64(i)-x), sx)
		t := gx * gauss(float64(j)-y, 1.2)
		if gx >= 0.05 && t > 0.35 {
			*m += a * min(1, 1.5*t) * (1 - *m)
		}
	})
}

// beam marks the echo and clears the space the beam saw through:
//
//	m -= alpha(clear) gx m  where y < yb - 2 and |dx| < 1.2
//
// A beam that is not a number is none.
func (r *Field) beam(b field.Beam, dt float64) {
	if sum := b.Bearing + b.Range + b.HalfWidth; math.IsNaN(float64(sum)) || math.IsInf(float64(sum), 0) {
		return
	}
	x := field.BearingBin(float64(b.Bearing))
	y := field.RangeBin(min(max(float64(b.Range), 0.03), 3))
	sx := max(1, float64(b.HalfWidth)/field.BinAngle)
	if b.Range < r.params.Map.MaxRange {
		r.mark(field.ObstMap, x, sx, y, dt)
	}
	a := alpha(dt, r.params.Map.Clear.Seconds())
	r.each(field.ObstMap, func(i, j, _ int, m *float64) {
		dx := around(float64(i) - x)
		if gx := gauss(dx, sx); gx >= 0.05 && math.Abs(dx) < 1.2 && float64(j) < y-2 {
			*m -= a * gx * *m
		}
	})
}

// heading returns S of the HEADING channel (B.5.3).
func (r *Field) heading(d *field.Drive) [field.Side]float64 {
	const deg = math.Pi / 180
	p := &r.params.Heading
	hazard, seen := r.strongest(field.HazardMap, 0.40), r.visited()
	o := r.blocked()
	least, fresh := math.Inf(1), math.Inf(1)
	for x := range field.Side {
		if math.Abs(field.Bearing(float64(x))) < 79*deg {
			least = min(least, o[x])
		}
		fresh = min(fresh, seen[x])
	}
	ahead, side := float64(p.Forward), 70*deg
	if d.OnLine {
		ahead = float64(p.OnLine)
	}
	if d.Side < 0 {
		side = -side
	}
	var s [field.Side]float64
	for x := range s {
		psi := field.Bearing(float64(x))
		toward := func(bearing, width float64) float64 {
			return gauss(math.Remainder(psi-bearing, 2*math.Pi), width)
		}
		free := o[x] - float64(p.Baseline)*least
		pull := ahead*toward(0, 45*deg) + float64(p.Memory)*share(d.Memory, d.Side)*toward(side, 30*deg)
		if w := share(d.GoalWeight, d.Goal); w > 0 {
			pull += float64(p.Goal) * w * toward(float64(d.Goal), 22.5*deg)
		}
		if w := share(d.LineWeight, d.Line); w > 0 {
			pull += float64(p.Line) * w * toward(float64(d.Line), 22.5*deg)
		}
		pref := r.f[field.HeadPref].at(x, 0, 0)
		if r.params.Recall.Match { // a way that was punished repels
			pref = min(max(r.u[field.HeadPref].at(x, 0, 0), -1), 1)
		}
		recall := float64(p.Recall)*pref + float64(p.Plan)*r.f[field.PlanHead].at(x, 0, 0)
		pull += recall * min(max(1-free, 0), 1)
		push := float64(p.Repel)*(1-share(d.Close, 0))*free + float64(p.Revisit)*(seen[x]-fresh) + float64(p.Hazard)*hazard[x]
		if math.Abs(psi) > 100*deg {
			push += float64(p.Behind)
		}
		s[x] = max(min(min(pull, float64(p.Ceiling))-push, float64(p.Ceiling)), -20)
	}
	return s
}

// share returns a weight within 0..1, or 0 where it or its angle is no number.
func share(w, angle float32) float64 {
	if math.IsNaN(float64(w)) || math.IsNaN(float64(angle)) || math.IsInf(float64(angle), 0) {
		return 0
	}
	return min(max(float64(w), 0), 1)
}

// strongest returns max_y min(1, exp(-(r_y - 0.25)/reach)) m(x, y).
func (r *Field) strongest(c int, reach float64) (best [field.Side]float64) {
	r.each(c, func(x, y, _ int, m *float64) {
		best[x] = max(best[x], min(1, math.Exp(-(field.Range(float64(y))-0.25)/reach))**m)
	})
	return best
}

// blocked returns O(x): each bearing's obstacles and what they block beside
// them, near ones farther to the side.
func (r *Field) blocked() (o [field.Side]float64) {
	near, far := r.strongest(field.ObstMap, 0.12), r.strongest(field.ObstMap, 0.40)
	for x := range o {
		for k := -6; k <= 6; k++ {
			at := (x + k + field.Side) % field.Side
			o[x] = max(o[x], gauss(float64(k), 2.5)*near[at], gauss(float64(k), 1.6)*far[at])
		}
	}
	return o
}

// visited returns V(x) = max of the visited map over 0.25 < r < 1.2 m.
func (r *Field) visited() (v [field.Side]float64) {
	r.each(field.VisitedMap, func(x, y, _ int, m *float64) {
		if d := field.Range(float64(y)); d > 0.25 && d < 1.2 {
			v[x] = max(v[x], *m)
		}
	})
	return v
}
