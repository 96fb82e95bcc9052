package table

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// estimate is what the sensors say of the edge's direction: rad from the heading to the
// way square on to it, and its standard error.
func (t *Map) estimate() (off, err float64) {
	l, m, r := t.seen[robot.FloorLeft], t.seen[robot.FloorMiddle], t.seen[robot.FloorRight]
	from := func(way, bars float64) float64 { return exact.Atan2(way, float64(bars*ground.BarPitch)) }
	switch {
	case l && m && r:
		return from(t.saw[robot.FloorRight]-t.saw[robot.FloorLeft], 2), three
	case l && m:
		return from(t.saw[robot.FloorMiddle]-t.saw[robot.FloorLeft], 1), two
	case r && m:
		return from(t.saw[robot.FloorRight]-t.saw[robot.FloorMiddle], 1), two
	case l && !r, r && !l: // the middle one would have seen it with less
		low := min(from(t.run, 1), oneHigh)
		off, err = (low+oneHigh)/2, (oneHigh-low)/2
		if r {
			off = -off
		}
		return off, max(err, two)
	}
	return 0, square
}

// Slant is how the edge under the bar runs: rad from the heading to the way square on to it,
// positive to the left.
func (t *Map) Slant() float64 {
	off, _ := t.estimate()
	return off
}

// What floor sensors saw is an edge if the car came to it driving forwards and lost it about
// where it had seen it when it drove back. A faulty sensor fulfils neither.
const (
	edgeRun   = 0.001 // m driven forwards before an edge counts; braking alone takes 4 to 10 mm
	edgeForth = 0.005
	edgeRan   = 0.003 // m backwards while it is seen: 5 mm and more
	edgeLost  = 0.03  // m behind where it was seen first, by which it must be lost
)

// edged reports whether what sensors saw in the meeting that ends was an edge.
func (t *Map) edged() bool { return t.Shown() && t.ran-t.run < edgeLost }

// Shown reports whether what floor sensors see in a meeting under way has to be an edge: the
// car has come forwards to it, and goes back.
func (t *Map) Shown() bool { return t.forth+t.run > edgeRun && t.ran > edgeRan }

// settle ends a meeting with a side.
func (t *Map) settle() {
	off, err := t.estimate()
	first := !t.known
	if first {
		t.begin(off, err)
	}
	q := quarter(t.where[2] + off)
	wrong := exact.Wrap(float64(float64(q)*90*deg) - t.where[2] - off)
	doubt := math.Sqrt(t.doubt + float64(t.unsure*float64(t.turned*t.turned)))
	if math.Abs(wrong) > max(cutOff, 2*doubt) { // a corner cut off
		t.leg, t.crossed, t.way, t.vain = (quarter(t.where[2])+2)&3, false, 0, [4]bool{}
		return
	}
	if !first {
		t.correct(wrong, float64(err*err))
	}
	c, s := axis(q)
	s0 := &t.sides[q]
	far := float64(t.where[0]*c) + float64(t.where[1]*s) + ground.BarAhead
	if miss := s0.far - far; s0.met && math.Abs(miss) < sameSide { // the car is elsewhere than it thinks
		spread := &t.spread[q&1]
		gain := *spread / (*spread + float64(edgeErr*edgeErr))
		t.x += float64(gain * miss * c)
		t.y += float64(gain * miss * s)
		*spread -= float64(gain * *spread)
		s0.far -= float64((1 - gain) * miss)
	} else if !s0.met || far < s0.far { // the nearer one, where the table is no rectangle
		s0.far = far
	}
	if at := float64(t.where[1]*c) - float64(t.where[0]*s); !s0.met {
		s0.at, s0.low, s0.high = at, at, at
	} else if math.Abs(at-s0.at) < laneWide {
		s0.low, s0.high = min(s0.low, at), max(s0.high, at)
	}
	s0.met, s0.ago = true, 0
	t.crossed, t.turned, t.way, t.vain = false, 0, 0, [4]bool{}
	t.next(q)
}

// correct takes out what the heading is wrong by, as one meeting tells with a variance:
// the share that its own doubt, of the scale and of the last meeting, has in the whole
// (Kalman 1960, doi:10.1115/1.3662552). On the way since the last turn the heading was
// as wrong.
func (t *Map) correct(wrong, variance float64) {
	turns := float64(t.unsure * float64(t.turned*t.turned))
	all := t.doubt + turns + variance
	gain := (t.doubt + turns) / all
	t.scale = exact.Clip(t.scale+float64(wrong*t.unsure*t.turned/all), -scaleMost, scaleMost)
	t.unsure -= float64(t.unsure * turns / all)
	t.doubt = float64((t.doubt + turns) * (1 - gain))
	by := float64(gain * wrong)
	t.heading = exact.Wrap(t.heading + by)
	t.where[0], t.where[1] = t.swung(t.where[0], t.where[1], by)
	t.x, t.y = t.swung(t.x, t.y, by)
}

// swung turns a place about where the car last turned.
func (t *Map) swung(x, y, by float64) (sx, sy float64) {
	c, s := exact.Cos(by), exact.Sin(by)
	dx, dy := x-t.fromX, y-t.fromY
	return t.fromX + float64(dx*c) - float64(dy*s), t.fromY + float64(dx*s) + float64(dy*c)
}

// begin makes the frame of the first side, whose slant it takes. Behind it is the floor
// that the car came over.
func (t *Map) begin(slant, err float64) {
	off := t.where[2] + slant // of the new frame in the old
	c, s := exact.Cos(off), exact.Sin(off)
	x, y := t.x-t.where[0], t.y-t.where[1]
	first := Map{known: true, scale: t.scale, heading: exact.Wrap(t.heading - off), seen: t.seen, saw: t.saw, run: t.run}
	first.x, first.y = float64(x*c)+float64(y*s), float64(y*c)-float64(x*s)
	first.where, first.doubt, first.unsure = [3]float64{0, 0, -slant}, float64(err*err), scaleFirst
	first.fromX, first.fromY = first.x, first.y
	bx, by := -t.where[0], -t.where[1] // where it began
	first.been[2] = max(0, -(float64(bx*c) + float64(by*s)))
	aside := float64(by*c) - float64(bx*s)
	first.been[1], first.been[3] = max(0, aside), max(0, -aside)
	*t = first
}
