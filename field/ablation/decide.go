package ablation

import (
	"math"

	"fieldbrain/field"
	"fieldbrain/field/exact"
)

// argmax takes the largest input of this moment.
type argmax struct{}

func (argmax) bin(s *field.Row, _ bool, _ float64) (x, strength float64) { return largest(s) }

func (argmax) reset() {}

// level is how far below the largest input a bin still counts as large: the input is
// clipped at a ceiling and often has many bins of one height.
const level = 1e-3

// largest returns the middle of the largest inputs that hang together and lie nearest
// to straight ahead, and how large they are. A single one is refined by the parabola
// through it and its neighbours, so that a bin is no smallest angle.
func largest(s *field.Row) (x, strength float64) {
	top := s[0]
	for _, v := range s {
		top = max(top, v)
	}
	best, width := 0.0, math.Inf(1)
	for i := range s {
		if s[i] < top-level || s[(i+field.Side-1)%field.Side] >= top-level {
			continue // not the first of a run
		}
		n := 1
		for n < field.Side && s[(i+n)%field.Side] >= top-level {
			n++
		}
		middle := float64(i) + float64(float64(n-1)/2)
		if n == 1 {
			middle += summit(s, i)
		}
		if off := math.Abs(distance(middle, field.Ahead)); off < width {
			best, width = middle, off
		}
	}
	if math.IsInf(width, 1) { // all bins are equal
		best = field.Ahead
	}
	return best, float64(top)
}

// summit returns where the parabola through bin i and its neighbours is highest, in
// bins from i.
func summit(s *field.Row, i int) float64 {
	left, here, right := float64(s[(i+field.Side-1)%field.Side]), float64(s[i]), float64(s[(i+1)%field.Side])
	bend := left - float64(2*here) + right
	if bend >= 0 {
		return 0
	}
	return min(max(float64(0.5*(left-right))/bend, -0.5), 0.5)
}

// lowpass takes the largest of the input's running average.
type lowpass struct {
	off, on float32 // alpha, and while a line is followed
	mean    field.Row
}

func (l *lowpass) bin(s *field.Row, onLine bool, _ float64) (x, strength float64) {
	alpha := l.off
	if onLine {
		alpha = l.on
	}
	for i := range l.mean {
		l.mean[i] += float32(alpha * (s[i] - l.mean[i]))
	}
	return largest(&l.mean)
}

func (l *lowpass) reset() {} // the average goes on

// attractor is Bicho's, Mallet's and Schoener's equation of the heading, with the noise
// by which theirs leaves a fixed point that has come to repel.
type attractor struct {
	key  uint32 // of the noise
	tick uint64
	phi  float64 // rad
	runs bool
}

// Constants of the equation. With the pull ahead alone, 6 over a Gaussian of 45 deg,
// the heading goes to it with 0.1 s, about HEADING's own time at a weak input; an
// obstacle's share stands in S as in the published model, by its range.
const (
	attracts = 0.25  // 1/s per unit of input and bin
	repels   = 0.6   // the same of the repelling part
	reaches  = 0.35  // rad, half of a sonar's cone and of the car's width at 0.5 m
	farthest = 1.745 // rad, 100 deg: the field allows no heading beyond either
	speed    = 8.0   // rad/s, above the rate of the ascent that follows
	stirs    = 0.10  // rad after 1 s by noise alone
)

func (a *attractor) bin(s *field.Row, _ bool, dt float64) (x, strength float64) {
	if !a.runs { // where the input is largest there is a decision to begin with
		first, top := largest(s)
		if top < detects {
			return first, top
		}
		a.phi, a.runs = field.Bearing(first), true
	}
	force := 0.0
	for i, v := range s {
		d := exact.Wrap(field.Bearing(float64(i)) - a.phi)
		if v >= 0 {
			force += float64(attracts * float64(float64(v)*exact.Sin(d)))
			continue
		}
		near := exact.Exp(-float64(d*d) / (2 * reaches * reaches))
		force += float64(repels * float64(float64(v)*float64(d*near)))
	}
	a.tick++
	chance := float64(field.Noise(0, field.Heading, field.TickKey(a.tick, a.key)))
	a.phi += float64(min(max(force, -speed), speed)*dt) + float64(stirs*float64(chance*math.Sqrt(dt)))
	a.phi = min(max(exact.Wrap(a.phi), -farthest), farthest)
	x = field.BearingBin(a.phi)
	return x, at(s, x)
}

func (a *attractor) reset() { a.runs = false }

// at returns the larger input of the two bins around a place: a decision holds while
// one of them lets it.
func at(s *field.Row, x float64) float64 {
	low := int(x) % field.Side
	return float64(max(s[low], s[(low+1)%field.Side]))
}
