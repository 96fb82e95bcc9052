package vector

import (
	"math"

	"fieldbrain/testbench/world"
)

// A surface is what a ray met last: how it treats sound.
type surface struct{ distance, incidence, rough, lost, within float64 }

// echoes is world.Hit.Echoes.
func (s surface) echoes(luck, limit float64) bool {
	if s.rough >= 0 {
		limit = s.rough
	}
	return s.incidence >= limit && luck >= s.lost && s.distance <= s.within
}

// hear returns the noiseless range of a sonar: plant.Car.Hear for a ping with this
// luck.
func (f *Fleet) hear(l *lane, bearing, luck float64) float64 {
	c, towards := f.numbers[l.site[carAt]:], l.get(heading)
	origin := l.at().Add(world.Vec{X: c[carSonar]}.Turn(world.Unit(towards)))
	middle := world.Unit(towards + bearing)
	best := math.Inf(1)
	for i := range rays {
		u := middle.Turn(world.Vec{X: c[carCone+i], Y: c[carCone+pad+i]})
		if hit := f.ray(l.site, l.feet, origin, u); hit.echoes(luck, c[carLimit]) {
			best = min(best, hit.distance)
		}
	}
	return best
}

// ray is world.World.Meet.
func (f *Fleet) ray(r []int32, feet []float64, origin, u world.Vec) surface {
	hit := surface{distance: math.Inf(1), rough: -1, within: math.Inf(1)}
	n := int(r[walls])
	g := f.numbers[r[wallsAt]:]
	for i := range n {
		w := world.Vec{X: g[segX*n+i], Y: g[segY*n+i]}.Sub(origin)
		d := world.Vec{X: g[segDX*n+i], Y: g[segDY*n+i]}
		den := u.Cross(d)
		if den == 0 {
			continue
		}
		along, across := w.Cross(d)/den, w.Cross(u)/den
		if along < 0 || across < 0 || across > 1 || !(along < hit.distance) {
			continue
		}
		hit = surface{along, math.Abs(den) / d.Norm(), g[segRough*n+i], g[segLost*n+i], g[segWithin*n+i]}
	}
	n = int(r[discs])
	g = f.numbers[r[discsAt]:]
	for i := range n {
		disc := world.Disc{Centre: world.Vec{X: g[discX*n+i], Y: g[discY*n+i]}, Radius: g[discR*n+i]}
		if d, c := disc.Ray(origin, u); d < hit.distance {
			hit = surface{d, c, g[discRough*n+i], g[discLost*n+i], g[discWithin*n+i]}
		}
	}
	for i := range int(r[movers]) {
		m := f.mover(r, i)
		if d, c := f.disc(r, i, feet[2*i], feet[2*i+1]).Ray(origin, u); d < hit.distance {
			hit = surface{d, c, m[moverRough], m[moverLost], m[moverWithin]}
		}
	}
	if hit.distance > world.Reach {
		hit.distance, hit.incidence, hit.rough, hit.lost, hit.within = math.Inf(1), 0, -1, 0, math.Inf(1)
	}
	return hit
}

// reflectance is world.Floor.Reflectance.
func (f *Fleet) reflectance(r []int32, q world.Vec) float64 {
	c := f.numbers[r[carAt]:]
	if r[corners] > 0 && !f.inside(r, q) {
		return c[carVoid]
	}
	covered := 0.0
	for i := range int(r[lines]) {
		l := f.numbers[int(r[linesAt])+i*lineWords:]
		d := math.Sqrt(nearest2(f.numbers, int(l[lineAt]), int(l[lineSegments]), q))
		edge := (float64(l[lineWidth]/2) - d) / spot
		covered = max(covered, min(max(edge+0.5, 0), 1))
	}
	return c[carGround] + float64((c[carTape]-c[carGround])*covered)
}

// inside is world.Inside of the table.
func (f *Fleet) inside(r []int32, q world.Vec) bool {
	n, in := int(r[corners]), false
	t := f.numbers[r[tableAt]:]
	for i := range n {
		k := (i + 1) % n
		ax, ay, bx, by := t[2*i], t[2*i+1], t[2*k], t[2*k+1]
		if (ay > q.Y) == (by > q.Y) {
			continue
		}
		if q.X < ax+float64((bx-ax)*((q.Y-ay)/(by-ay))) {
			in = !in
		}
	}
	return in
}
