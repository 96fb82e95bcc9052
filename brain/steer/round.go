package steer

import (
	"math"

	"fieldbrain/field/exact"
)

// On a table the car turns round in strokes to and fro at either lock. Forwards it comes
// no farther than it went back from the edge; backwards its rear wheels stay on floor
// that has carried the car, and the law ends a stroke before the reflexes must.
const (
	roundFrom  = 100 * deg // of the aim: less is an arc ahead
	roundUntil = 60 * deg  // the same after a stroke backwards
	roundBlind = 30 * deg  // the same where no beam sees what an arc leads over: to nearTable
	roundWay   = 0.16      // m of a stroke: 56 deg
	roundLeast = 0.015     // m: a stroke shorter got nowhere
	roundVain  = 6         // strokes in a row that got nowhere end it
	roundSpeed = 0.14      // m/s
	roundBrake = 0.16      // s, m: what the reflexes keep for stopping backwards
	roundSpare = 0.016
	roundBack  = 0.06 // m to go back from an edge that is still under the bar
	roundStep  = 0.01 // m between two places that are looked at
)

// tabled reports whether the task draws over a floor that ends somewhere, and insists.
func (l *Law) tabled(s *Situation) bool { return s.Carried != nil && s.AimWeight > insists }

// turnsRound reports whether the aim lies behind, or beside a car that has to go back first.
func (l *Law) turnsRound(s *Situation) bool {
	off := math.Abs(s.Aim)
	return l.tabled(s) && (off > roundFrom || !s.Sides && off > roundBlind || off > roundUntil && s.Back > roundLeast)
}

// roundTo begins to turn round to the side of the aim.
func (t *turn) roundTo(s *Situation) {
	*t = turn{stage: pause, move: 0, count: t.count + 1, left: roundWay}
	switch {
	case s.Back > roundLeast:
		t.stage, t.left = withdraw, s.Back
	case s.Held: // the edge is still under the bar: how far to go back is known when it is not
		t.stage, t.left = withdraw, roundBack
	}
	t.toward(s.Aim)
}

// toward turns ahead to the side of an aim.
func (t *turn) toward(aim float64) {
	if t.move = 0; aim < 0 {
		t.move = moves/2 - 1
	}
}

// spin is the side to which it turns: +1 left, -1 right.
func (t *turn) spin() float64 {
	return t.move.gear() * float64(1-int(t.move)%(moves/2))
}

// reverse changes the gear and the lock.
func (t *turn) reverse() {
	t.stage, t.slow, t.left = pause, 0, roundWay
	t.move = moves - 1 - t.move
}

// round does one tick of turning round.
func (l *Law) round(s *Situation) Order {
	t := &l.turn
	to := t.move.steering(l.body.Lock)
	left := exact.Wrap(float64(s.Aim * t.spin())) // rad to go; negative past it
	ahead := t.move.gear() > 0
	if !l.tabled(s) || t.stage != withdraw && l.isRound(left, ahead, s.Sides) {
		t.end()
		return Order{Steering: s.Wheels}
	}
	if t.stage == withdraw {
		return l.withdraw(s)
	}
	if t.stage == pause {
		t.slow += s.Dt
		if math.Abs(s.Wheels-to) < straight && math.Abs(s.Speed) < standing || t.slow > patience {
			t.stage, t.slow = round, 0
		}
		return Order{Steering: to}
	}
	along := max(0, float64(s.Speed*t.move.gear()))
	t.left -= float64(along * s.Dt)
	if t.slow += s.Dt; along >= standing {
		t.slow = 0
	}
	rest := min(t.left-float64(brakeWay*along), l.roundRoom(s, ahead, along))
	if rest > 0.005 && t.slow <= patience {
		v := exact.Clip(float64(rest*4), slowest, l.most(roundSpeed))
		return Order{Speed: float64(v * t.move.gear()), Steering: to}
	}
	l.nextStroke(s, ahead)
	return Order{Steering: to}
}

// nextStroke ends a stroke of turning round and chooses what follows.
func (l *Law) nextStroke(s *Situation, ahead bool) {
	t := &l.turn
	if t.vain++; roundWay-t.left >= roundLeast {
		t.vain = 0
	}
	turned, elsewhere := t.move, float64(s.Aim*t.spin()) < 0 && t.bars == 0
	if t.reverse(); t.vain%2 == 0 && t.vain > 0 { // neither gear goes: back to where it came from
		t.otherSide(ahead)
		t.bars = moveSet(0).with(turned)
	} else if elsewhere { // the aim is another, to the other side: back on the arc that it came
		t.move = (turned + moves/2) % moves
	}
	if t.vain >= roundVain {
		t.begin(s)
	}
}

// otherSide turns round to the other side, the gear last taken first.
func (t *turn) otherSide(ahead bool) {
	spin := -t.spin()
	t.move = moves - 1 // backwards, to the left
	if ahead {
		t.move = 0
	}
	if spin < 0 {
		t.move += moves/2 - 1
		if !ahead {
			t.move = moves / 2
		}
	}
}

// isRound reports whether it has turned far enough: the rest, in rad, is an arc ahead.
// To the other side it is as far as it takes: an aim that is passed by more is not reached.
func (l *Law) isRound(left float64, ahead, sides bool) bool {
	passed := roundUntil
	if !sides {
		passed = roundBlind
	}
	return left > -passed && left < nearTable || sides && l.turn.stage == pause && ahead && left > 0 && left < roundUntil
}

// withdraw goes back on the way it came.
func (l *Law) withdraw(s *Situation) Order {
	t := &l.turn
	along := max(0, -s.Speed)
	t.left -= float64(along * s.Dt)
	if t.slow += s.Dt; along >= standing {
		t.slow = 0
	}
	free := float64(s.Ground.Sweep(s.Pose, l.curvature(s.Wheels), float32(t.left)+0.05, true).Free)
	rest := min(t.left, free) - float64(brakeWay*along)
	if rest <= 0.005 && free > t.left && s.Back > roundBack { // now it is known how far
		t.left, rest = s.Back, s.Back
	}
	if rest <= 0.005 || t.slow > patience || l.trail.n == 0 {
		t.stage, t.slow, t.left = pause, 0, roundWay
		t.toward(s.Aim) // which may have become another
		return Order{Steering: t.move.steering(l.body.Lock)}
	}
	steering := float64(l.trail.steering[l.trail.n-1])
	return Order{Speed: -exact.Clip(float64(rest*4), slowest, l.most(roundSpeed)), Steering: steering}
}

// roundRoom is how far the stroke may still go before the car must brake, in m.
func (l *Law) roundRoom(s *Situation, ahead bool, along float64) float64 {
	k := float64(l.curvature(s.Wheels))
	free := float64(s.Ground.Sweep(s.Pose, float32(k), roundWay+0.05, !ahead).Free)
	if ahead {
		free = min(free, l.floorEdges.free(spot{}, k, roundWay+0.05, false))
		return free - float64(brakeWay*along) - 0.02
	}
	return min(free-float64(brakeWay*along), l.carriedWay(s, k)-float64(roundBrake*along)-roundSpare)
}

// carriedWay is how far back on an arc of a curvature in 1/m both rear wheels stay on
// floor that has carried the car, in m.
func (l *Law) carriedWay(s *Situation, k float64) float64 {
	half := 0.5 * l.body.Track
	for d := roundStep; d < roundWay+0.05; d += roundStep {
		a := -float64(d * k) // rad turned
		x, y := -d, float64(0.5*float64(d*float64(d*k)))
		wx, wy := -float64(half*exact.Sin(a)), float64(half*exact.Cos(a))
		if !s.Carried(float32(x+wx), float32(y+wy)) || !s.Carried(float32(x-wx), float32(y-wy)) {
			return d - roundStep
		}
	}
	return roundWay + 0.05
}
