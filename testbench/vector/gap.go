package vector

import (
	"math"

	"fieldbrain/testbench/world"
)

// nearest2 returns the squared distance of q to the nearest of a group of
// segments, +Inf without any. The root of the least is the least of the roots.
func nearest2(numbers []float64, at, n int, q world.Vec) float64 {
	g, least := numbers[at:at+segArrays*n], math.Inf(1)
	for i := range n {
		d := world.Vec{X: g[segDX*n+i], Y: g[segDY*n+i]}
		w := q.Sub(world.Vec{X: g[segX*n+i], Y: g[segY*n+i]})
		t := 0.0
		if l := g[segLength2*n+i]; l > 0 {
			t = min(max(w.Dot(d)/l, 0), 1)
		}
		v := w.Sub(d.Scale(t))
		least = min(least, v.Dot(v))
	}
	return least
}

// distance returns how far q is from the nearest surface of a car's site, its
// movers where they are now: world.World.Distance.
func (f *Fleet) distance(r []int32, feet []float64, q world.Vec) float64 {
	least := math.Sqrt(nearest2(f.numbers, int(r[wallsAt]), int(r[walls]), q))
	n := int(r[discs])
	g := f.numbers[r[discsAt]:]
	for i := range n {
		c := world.Disc{Centre: world.Vec{X: g[discX*n+i], Y: g[discY*n+i]}, Radius: g[discR*n+i]}
		least = min(least, c.Distance(q))
	}
	for i := range int(r[movers]) {
		d := f.disc(r, i, feet[2*i], feet[2*i+1])
		least = min(least, d.Distance(q))
	}
	return least
}

// disc returns where mover i of a site is when it comes from corner leg and has
// done so many metres: world.Mover.Disc.
func (f *Fleet) disc(r []int32, i int, leg, done float64) world.Disc {
	m := f.mover(r, i)
	a, b := f.leg(m, leg)
	d := b.Sub(a)
	if l := d.Norm(); l > 0 {
		a = a.Add(d.Scale(done / l))
	}
	return world.Disc{Centre: a, Radius: m[moverRadius]}
}

// mover returns a mover's record.
func (f *Fleet) mover(r []int32, i int) []float64 {
	at := int(r[moversAt]) + i*moverWords
	return f.numbers[at : at+moverWords]
}

// leg returns the two ends of a mover's leg.
func (f *Fleet) leg(m []float64, leg float64) (a, b world.Vec) {
	n := int(m[moverCorners])
	k := int(leg)
	path := f.numbers[int(m[moverPath]):]
	next := (k + 1) % n
	return world.Vec{X: path[2*k], Y: path[2*k+1]}, world.Vec{X: path[2*next], Y: path[2*next+1]}
}

// further returns where a mover is a step later: world.World.Step.
func (f *Fleet) further(m []float64, leg, done float64) (float64, float64) {
	done += float64(m[moverSpeed] * dt)
	for range int(m[moverCorners]) {
		a, b := f.leg(m, leg)
		length := b.Sub(a).Norm()
		if done < length {
			return leg, done
		}
		leg, done = leg+1, done-length
		if leg == m[moverCorners] {
			leg = 0
		}
	}
	return leg, 0
}

// walk lets the movers take the steps that they have not yet: none of them was so
// near then that it had to wait for the car.
func (f *Fleet) walk(r []int32, feet []float64, steps int) {
	for i := range int(r[movers]) {
		m := f.mover(r, i)
		for range steps {
			feet[2*i], feet[2*i+1] = f.further(m, feet[2*i], feet[2*i+1])
		}
	}
}

// meet lets the movers take one step beside a body, for which they wait.
func (f *Fleet) meet(r []int32, feet []float64, body world.Disc) {
	for i := range int(r[movers]) {
		leg, done := f.further(f.mover(r, i), feet[2*i], feet[2*i+1])
		next := f.disc(r, i, leg, done)
		gap := next.Distance(body.Centre) - body.Radius
		here := f.disc(r, i, feet[2*i], feet[2*i+1])
		if gap < moverMargin && gap < here.Distance(body.Centre)-body.Radius {
			continue
		}
		feet[2*i], feet[2*i+1] = leg, done
	}
}
