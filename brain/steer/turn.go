package steer

import (
	"math"

	"fieldbrain/field/exact"
)

// A stage is where a manoeuvre stands.
type stage uint8

const (
	rest     stage = iota
	plan           // the car stops and looks for the next stroke
	swing          // it stands and turns the wheels
	stroke         // it goes
	leave          // it drives off
	withdraw       // on a table: it goes back on the way it came
	pause          // on a table: it stands and turns the wheels for the next stroke round
	round          // on a table: it goes round
)

// A turn is a manoeuvre of strokes, forwards and backwards.
type turn struct {
	stage   stage
	move    move    // of this stroke
	left    float64 // m of it to go
	slow    float64 // s without getting on
	bars    moveSet // that got nowhere, not to be tried again at once
	out     float64 // rad, steering while it leaves
	recoils bool    // the stroke leads away from a contact
	dared   bool    // the stroke goes over blind ground, too
	vain    int     // searches in a row that found nothing, on a table since a stroke got on
	side    float64 // rad in the world, where the field leant to when it began
	leans   bool    // it did
	from    float64 // rad in the world, where the nose pointed when it began
	forces  bool    // the stroke goes whatever the ground says
	forced  move    // the last that did; 0 for none
	again   int     // exits in a row that led nowhere, kept until the next manoeuvre begins
	stands  float64 // s in which no stroke got on; a record begins anew
	count   uint64
}

// begin begins a manoeuvre. To which side it leads the field says, where it recalls a
// way: what was learned counts more than a task's hint.
func (t *turn) begin(s *Situation) {
	*t = turn{stage: plan, move: none, count: t.count + 1}
	t.from = float64(s.Pose.Heading)
	if t.leans = s.RecallSide != 0 && s.AimWeight < urgent; t.leans {
		t.side = exact.Wrap(float64(s.Pose.Heading) + float64(s.RecallSide*math.Pi/2))
	}
}

func (t *turn) end() { *t = turn{move: none, again: t.again, count: t.count} }

// vainly returns how many exits in a row led nowhere, where a manoeuvre begins: a car
// that has not come away since the last one stands before the same thing once more. One
// beam, or a goal that is near, begins anew.
func (l *Law) vainly(s *Situation) int {
	if !s.Sides || s.close() || l.turn.count == 0 || l.since >= leaveWay {
		return 0
	}
	return l.turn.again + 1
}

// repeats reports whether a search begins, but for one to where the field recalls a way, after
// an exit that led nowhere:
// then a short one does no longer, or the car drives up to a wall and back for ever.
func (t *turn) repeats(s *Situation) bool {
	return t.again > 0 && s.Sides && s.Carried == nil && !t.leans
}

// recoil backs off from a contact the way the car came, or forwards from one behind.
func (t *turn) recoil(speed float64) {
	t.stage, t.left, t.slow, t.recoils, t.forces = stroke, recoilWay, 0, true, false
	t.move = retrace
	if speed < 0 {
		t.move = forwards
	}
}

const (
	strokeSpeed = 0.22 // m/s
	slowest     = 0.08 // m/s: less does not overcome the motors' dead band
	brakeWay    = 0.15 // s of speed that a stop still goes on
	straight    = 8 * deg
	patience    = 0.6 // s
	barredFor   = 0.1 // s, the same of a car with one beam whose stroke ahead a reflex refuses
	standing    = 0.03
	recoilWay   = 0.12 // m
	tableVain   = 3    // searches in vain after which it tries to turn round again
)

// manoeuvre does one tick of it.
func (l *Law) manoeuvre(s *Situation) Order {
	t := &l.turn
	if t.stands += s.Dt; math.Abs(s.Speed) > standing {
		t.stands = 0
	}
	switch t.stage {
	case withdraw, pause, round:
		return l.round(s)
	case plan:
		return l.plan(s)
	case swing:
		t.slow += s.Dt
		if t.move == retrace || math.Abs(s.Wheels-t.move.steering(l.body.Lock)) < straight || t.slow > patience {
			t.stage, t.slow = stroke, 0
		}
		return Order{Steering: t.move.steering(l.body.Lock)}
	}
	if t.stage == leave {
		return l.leave(s)
	}
	return l.stroke(s)
}

const leaveWay = 0.25

// leave drives off until the field knows where to go.
func (l *Law) leave(s *Situation) Order {
	t := &l.turn
	l.chosen = l.choose(s, t.out)
	t.left -= math.Abs(float64(s.Speed * s.Dt))
	if math.Abs(s.Speed) < standing {
		t.slow += s.Dt
	} else {
		t.slow = 0
	}
	switch {
	case t.slow > patience, s.Stuck, l.chosen.tight < least:
		t.stage, t.bars, t.slow = plan, 0, 0
		t.again++
	case t.left <= 0 || t.left < leaveWay-0.05 && s.Confidence > silent:
		t.end()
	}
	return Order{Speed: l.ahead(), Steering: l.chosen.steering}
}

// plan searches from where the car comes to rest: with one beam while it does.
func (l *Law) plan(s *Situation) Order {
	t := &l.turn
	hold := Order{Steering: l.chosen.steering}
	if t.move != none {
		hold.Steering = t.move.steering(l.body.Lock)
	}
	if (s.Sides || s.Carried != nil) && math.Abs(s.Speed) > standing {
		l.search.cancel()
		return hold
	}
	if !l.search.busy {
		l.seek(s)
	}
	if t.slow = min(t.slow+s.Dt, forceAfter); t.vain == 0 {
		t.slow = 0
	}
	if l.search.advance(s.Ground) {
		l.take(s, l.search.found())
	}
	return hold
}

// take begins what a search found, or looks for less where it found nothing.
func (l *Law) take(s *Situation, found result) {
	t := &l.turn
	switch {
	case found.here:
		t.stage, t.left, t.slow, t.out = leave, leaveWay, 0, found.out
	case (found.move == none || t.refused(s)) && l.force(s):
	case found.move == none:
		t.bars = 0                                       // nothing goes: ask again, and ask for less
		if t.vain++; t.vain > tableVain && l.tabled(s) { // back on the way it came, and turn round there
			t.roundTo(s)
			t.stage, t.left = withdraw, roundWay
		}
	default:
		if t.dared = t.vain > 0; s.Carried == nil { // on a table once a stroke got on: what reflexes refuse is found again and again
			t.vain = 0
		}
		t.move, t.left, t.stage, t.slow, t.recoils = found.move, found.length, swing, 0, false
		t.forces = false
		if !s.Sides && s.Carried == nil {
			t.left += max(0, float64(brakeWay*float64(s.Speed*t.move.gear()))) // to where the search began
		}
	}
}

// seek begins a search from where the car is.
func (l *Law) seek(s *Situation) {
	l.search.begin(s, &l.trail, &l.turn)
	l.search.held = s.Held || l.pressed(s)
	l.search.daring = l.turn.vain
}

// stroke goes along the move until it is done, shut or gets nowhere.
func (l *Law) stroke(s *Situation) Order {
	t := &l.turn
	steering := t.move.steering(l.body.Lock)
	back := t.move.gear() < 0
	if t.move == retrace && l.trail.n > 0 {
		steering = float64(l.trail.steering[l.trail.n-1])
	}
	along := max(0, float64(s.Speed*t.move.gear()))
	t.left -= float64(along * s.Dt)
	if along < standing {
		t.slow += s.Dt
	} else {
		t.slow, t.bars = 0, 0
	}
	rest := min(t.left, l.strokeRoom(s, back)) - float64(brakeWay*along)
	switch {
	case rest <= 0.005:
		t.stage, t.bars, t.vain = plan, 0, 0
		if !back && l.spare(s, float64(l.curvature(s.Wheels))) < horizon {
			t.bars = t.bars.with(t.move)
		}
	case t.slow > s.wait(back):
		if s.Carried == nil { // where the floor ends somewhere all that the reflexes refused since it last moved
			t.bars = 0
		}
		t.stage, t.bars, t.slow = plan, t.bars.with(t.move), 0
	}
	if t.stage == plan {
		return Order{Steering: steering}
	}
	late := 4.0 // 1/s
	if !s.Sides {
		late = 6
	}
	v := exact.Clip(float64(rest*late), slowest, l.most(strokeSpeed))
	if t.forces {
		v = slowest
	}
	if back {
		v = -v
	}
	return Order{Speed: v, Steering: steering}
}

// wait is for how long a stroke is tried that does not get on, in s.
func (s *Situation) wait(back bool) float64 {
	if s.Held && !back && !s.Sides && s.Carried == nil {
		return barredFor
	}
	return patience
}

// most is a stroke's speed, no more than the cruise speed as far as the motors go so slowly.
func (l *Law) most(speed float64) float64 { return min(speed, max(l.body.Cruise, slowest)) }

// strokeRoom is how far a stroke can go on, in m.
func (l *Law) strokeRoom(s *Situation, back bool) float64 {
	t := &l.turn
	if t.recoils || t.forces {
		return t.left // what it touches is all around it in the ground
	}
	k := l.curvature(s.Wheels)
	way := s.Ground.Sweep(s.Pose, k, horizon/2, back)
	switch {
	case !back:
		free := min(way.Free, float32(l.floorEdges.free(spot{}, float64(k), horizon/2, false)))
		return min(float64(free), l.spare(s, float64(k)))
	case t.move != retrace && !t.dared && s.Carried == nil:
		return float64(min(way.Lane, way.Free))
	}
	return float64(way.Free)
}
