package steer

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

const (
	maxNodes = 1500
	perTick  = 24 // nodes expanded per tick

	turnStep = math.Pi / 8 // heading per elementary stroke at full lock
	headings = 16
	cell     = 0.05 // m, places nearer are the same
	places   = 48   // of a side
)

// Costs of a manoeuvre, in s.
const (
	wheelCost   = 0.15
	blindStroke = 1.2  // per elementary stroke over unknown ground
	strayStroke = 6.0  // the same where the rear axle leaves the floor that has carried the car
	sideShare   = 0.4  // of what blindness costs where beams look to the sides
	blindBack   = 0.15 // share of the floor behind it that need not be known
	sidesBack   = 0.03 // the same where beams have looked to the sides
	backPace    = 0.20
	forePace    = 0.22
)

type node struct {
	x, y   float32
	turn   float32 // rad
	cost   float32 // s so far
	rank   float32
	parent int16
	move   move
	by     int8 // sixteenths of a turn from the start
}

// A search finds the strokes that bring the car to where a way ahead is free.
type search struct {
	busy      bool
	step      float64 // m of an elementary stroke
	bend      float64 // 1/m at full lock
	wheelbase float64 // m
	numbers   Params
	shift     [moves]struct{ x, y, turn float32 }
	curve     [moves]float32

	aim        float64 // rad in the world
	drawn      bool
	close      bool    // the aim is a goal that is near
	goal       goal    // where, for a car that can steer at it
	turned     bool    // an exit led nowhere: back to where the car came from
	again      bool    // likewise, and the aim is the task's
	away       bool    // short exits lead nowhere: one beam, and no goal that they bring nearer
	blind      float64 // share of what blindness costs
	behind     float32 // share of the floor behind it that need not be known
	bars       moveSet
	held       bool                           // a reflex refuses to go forwards from here
	carried    func(ahead, left float32) bool // see Situation; nil for everywhere
	floorEdges floorEdges                     // likewise
	daring     int                            // searches before it that found nothing: then blind ground must do, and less of it

	nodes [maxNodes]node
	made  int
	heap  [maxNodes]int16
	open  int
	seen  [places * places * headings]uint16
	stamp uint16
	best  int16
	value float32
	exit  bool    // best can be left forwards
	out   float64 // rad, steering of the exit
}

func (q *search) init(bend float64, b *Body) {
	q.wheelbase = b.Wheelbase
	q.bend, q.step = bend, turnStep/bend
	for m := range move(moves) {
		s := m.gear() * q.step
		k := bend * float64(1-int(m)%(moves/2))
		q.curve[m] = float32(k)
		if k == 0 {
			q.shift[m].x = float32(s)
			continue
		}
		a := k * s
		q.shift[m].x = float32(exact.Sin(a) / k)
		q.shift[m].y = float32((1 - exact.Cos(a)) / k)
		q.shift[m].turn = float32(a)
	}
}

func (q *search) cancel() { q.busy = false }

// begin starts from the car's place.
func (q *search) begin(s *Situation, from *trail, t *turn) {
	if q.stamp++; q.stamp == 0 {
		q.seen, q.stamp = [places * places * headings]uint16{}, 1
	}
	q.busy, q.exit, q.made, q.open, q.best, q.value = true, false, 0, 0, 0, 1000
	q.turned, q.again = false, t.repeats(s)
	q.aim, q.drawn, q.bars = exact.Wrap(float64(s.Pose.Heading)+s.Aim), s.AimWeight >= draws, t.bars
	if t.leans {
		q.aim, q.drawn = t.side, true
	} else if t.again > 0 && !q.drawn && q.carried == nil {
		q.aim, q.drawn, q.turned = exact.Wrap(t.from+math.Pi), true, true // what is ahead is shut: back to where it came from
	}
	q.carried = s.Carried
	q.floorEdges.take(s.FloorEdges)
	q.close, q.goal = s.close(), s.goal(q.aim)
	q.away = !s.Sides && s.Carried == nil && s.AimWeight < insists
	if q.blind, q.behind = 1, blindBack; s.Sides {
		q.blind, q.behind = sideShare, sidesBack
	}
	at := s.Pose
	if !s.Sides && s.Carried == nil { // it still stops
		at = s.rest(exact.Tan(s.Wheels) / q.wheelbase)
	}
	q.nodes[0] = node{x: at.X, y: at.Y, turn: at.Heading, parent: -1, move: t.move}
	q.made = 1
	q.mark(&q.nodes[0])
	q.push(0)
	if !t.bars.has(retrace) || q.carried == nil { // reflexes refuse it where the car has left its trail
		q.back(from)
	}
}

// rest is where the car will have stopped.
func (s *Situation) rest(curvature float64) ground.Pose {
	d := float64(brakeWay * s.Speed)
	turn := float64(d * curvature)
	way := float64(s.Pose.Heading) + float64(0.5*turn)
	return ground.Pose{
		X: s.Pose.X + float32(d*exact.Cos(way)), Y: s.Pose.Y + float32(d*exact.Sin(way)),
		Heading: float32(exact.Wrap(float64(s.Pose.Heading) + turn)),
	}
}

// back adds the way the car came.
func (q *search) back(t *trail) {
	const every = 3
	from := int16(0)
	for i := t.n - 1 - every; i >= 0; i -= every {
		p := t.place[i]
		f := &q.nodes[from]
		to := node{x: p.X, y: p.Y, turn: p.Heading, parent: from, move: retrace}
		to.by = int8(math.Floor(exact.Wrap(float64(p.Heading-q.nodes[0].turn))/turnStep + 0.5))
		to.cost = f.cost + every*trailStep/backPace
		if from == 0 && f.move.gear() > 0 {
			to.cost += float32(q.numbers.Gear)
		}
		q.mark(&to)
		to.rank = to.cost + q.off(&to)
		at := int16(q.made)
		q.nodes[at] = to
		q.made++
		q.push(at)
		from = at
	}
}

// off is the least time to turn to the aim.
func (q *search) off(n *node) float32 {
	if !q.drawn {
		return 0
	}
	by := offTurn
	if q.carried != nil {
		by = backTurn
	}
	return float32(by * max(0, math.Abs(exact.Wrap(float64(n.turn)-q.goal.from(n, q.aim)))-near-15*deg))
}

// advance expands some nodes and reports whether the search is over: nothing that is
// left can be better than the best exit.
func (q *search) advance(g *ground.Grid) bool {
	for range perTick {
		if q.open == 0 || q.made+moves > maxNodes || q.nodes[q.heap[0]].rank >= q.value {
			q.busy = false
			return true
		}
		i := q.pop()
		q.judge(g, i)
		q.expand(g, i)
	}
	return false
}

const (
	exitWay   = 0.50 // m of free way ahead with which nothing is wrong: less is too short where one beam looks ahead
	exitLeast = 0.20 // the same where beams look to the sides, and for a search after one in vain
	exitAgain = 0.35 // the same after an exit that led nowhere
	offAgain  = 3.0  // s per rad off the aim by more than near, after an exit that led nowhere
	offTable  = 8.0  // the same where the floor ends somewhere
	offClose  = 4.0  // the same to a goal that is near, off by more than nearClose
	offTurn   = 0.7  // s per rad: as fast as the car can turn
	backTurn  = 2.5  // the same in strokes to and fro
	near      = 25 * deg
	nearTable = 15 * deg
	nearClose = 12 * deg
	bendExit  = 0.1 // s, for one that is not straight
)

// exitFrom is the least free way in m with which a car drives off. A car with one beam
// sees no way round what ends a short one: it would drive up to it and turn there anew.
func (q *search) exitFrom() float64 {
	switch {
	case q.daring > 0:
		return exitLeast
	case q.away:
		return exitWay
	case q.turned, q.again:
		return exitAgain
	}
	return exitLeast
}

// judge weighs driving off forwards at a node.
func (q *search) judge(g *ground.Grid, i int16) {
	if i == 0 && q.held {
		return
	}
	n := &q.nodes[i]
	straight := 0.0
	for _, k := range [3]int{0, -1, 1} {
		bend := float64(k) * 0.4 * q.bend
		w := g.Sweep(ground.Pose{X: n.x, Y: n.y, Heading: n.turn}, float32(bend), exitWay, false)
		w.Free = min(w.Free, q.toFloorEdge(n, bend, exitWay, false))
		nose := float64(w.Free)
		if k != 0 {
			nose = straight
		} else {
			straight = nose
		}
		free := seen(w, nose)
		if free < q.exitFrom() {
			continue
		}
		c := float64(n.cost) + float64(q.numbers.ExitShort*(1-free/exitWay)) + float64(q.blind*q.numbers.ExitBlind*float64(w.Blind))
		if k != 0 {
			c += bendExit
		}
		switch {
		case q.carried != nil && q.drawn: // turned round on the spot
			c += float64(offTable * max(0, math.Abs(exact.Wrap(float64(n.turn)-q.aim))-nearTable))
		case q.drawn:
			c += q.offCost(math.Abs(exact.Wrap(float64(n.turn) + float64(0.5*bend*exitWay) - q.goal.from(n, q.aim))))
		}
		if i > 0 && n.move.gear() < 0 {
			c += q.numbers.Gear
		}
		if float32(c) < q.value {
			q.value, q.best, q.exit = float32(c), i, true
			q.out = exact.Atan2(float64(bend*q.wheelbase), 1)
		}
	}
}

func (q *search) expand(g *ground.Grid, i int16) {
	n := q.nodes[i]
	c, s := float32(exact.Cos(float64(n.turn))), float32(exact.Sin(float64(n.turn)))
	for m := range move(moves) {
		if i == 0 && q.barred(m, n.move) {
			continue
		}
		d := &q.shift[m]
		to := node{
			x: n.x + float32(d.x*c) - float32(d.y*s), y: n.y + float32(d.x*s) + float32(d.y*c),
			turn: float32(exact.Wrap(float64(n.turn + d.turn))), parent: i, move: m, by: n.by,
		}
		if d.turn > 0 {
			to.by++
		} else if d.turn < 0 {
			to.by--
		}
		w := g.Sweep(ground.Pose{X: n.x, Y: n.y, Heading: n.turn}, q.curve[m], float32(q.step)+0.04, m.gear() < 0)
		w.Free = min(w.Free, q.toFloorEdge(&n, float64(q.curve[m]), q.step+0.04, m.gear() < 0))
		cost, ok := q.stroke(i, m, &to, &w)
		if !ok {
			continue
		}
		if n.move != m && n.move != none {
			cost += wheelCost
			if n.move.gear() != m.gear() {
				cost += q.numbers.Gear
			}
		}
		if !q.mark(&to) {
			continue
		}
		to.cost = n.cost + float32(cost)
		to.rank = to.cost
		to.rank += q.off(&to)
		at := int16(q.made)
		q.nodes[at] = to
		q.made++
		q.push(at)
	}
}

// stroke is what an elementary stroke costs in s over the ground it sweeps, where that
// lets it go.
func (q *search) stroke(i int16, m move, to *node, w *ground.Sweep) (cost float64, ok bool) {
	need := float32(q.step)
	if q.daring > 1 {
		need = 0.02
	}
	if m.gear() > 0 {
		cost = q.step/forePace + float64(q.blind*blindStroke*float64(w.Blind))
		if q.carried != nil && !q.rests(to, false) {
			cost += strayStroke
		}
		return cost, w.Free >= need+0.03 || q.daring >= 2
	}
	cost = q.step / backPace
	switch {
	case q.carried != nil:
		return cost, w.Free >= need && q.rests(to, true)
	case q.daring > 0:
		return cost, w.Free >= need && i == 0
	}
	return cost, min(w.Lane, w.Free) >= need && w.Blind <= q.behind
}

// barred reports whether the first stroke may not be this one: it got nowhere, a reflex
// refuses it, or, where the floor ends somewhere, it goes on in the gear of the last
// instead of turning on the spot.
func (q *search) barred(m, last move) bool {
	again := q.carried != nil && q.daring == 0 && last != none && last.gear() > 0 && m.gear() > 0
	return q.bars.has(m) || q.held && m.gear() > 0 || again
}

// A result is the first stroke of the way found.
type result struct {
	here   bool // the car can drive off where it stands
	out    float64
	move   move
	length float64 // m
}

// found reads the first stroke off the best node.
func (q *search) found() result {
	if q.best == 0 {
		return result{here: q.exit, out: q.out, move: none}
	}
	var r result
	for i := q.best; i > 0; i = q.nodes[i].parent {
		m := q.nodes[i].move
		if i == q.best || m != r.move {
			r = result{move: m}
		}
		if m == retrace {
			r.length += 3 * trailStep
		} else {
			r.length += q.step
		}
	}
	return r
}
