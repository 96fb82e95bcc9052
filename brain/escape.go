package brain

import (
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot/safety"
)

// escape backs the car out when no heading is left or the way is blocked
// (B.5.4). The remembered side keeps it from dithering in a dead end.
type escape struct {
	key    uint32
	timer  float64 // s, n: how long the way has been blocked
	left   float64 // s of reverse to go
	side   float64 // +1 nose swings left, -1 right, 0 never chosen
	memory float64 // e_mem, 1 at the trigger, decays with 6 s
	count  uint64  // escapes since start
}

const (
	escapeAfter = 0.4 // s blocked before backing out
	escapeTime  = 1.2 // s of reverse
	escapeSpeed = 0.6 // share of the top speed
	leanLeast   = 0.5 // of the heading's input: less is no hint
)

// active reports whether the car is backing out.
func (e *escape) active() bool { return e.left > 0 }

// update runs the timer, triggers and forgets.
func (e *escape) update(b *Brain) {
	e.memory -= float64(e.memory * field.Alpha(b.params.Period, 6*time.Second))
	if !b.driving() {
		e.timer, e.left = 0, 0
		if b.causes.Has(safety.Disarmed) { // people may carry it elsewhere meanwhile
			e.side, e.memory = 0, 0
		}
		return
	}
	if e.active() {
		e.left -= b.dt
		e.timer = 0
		return
	}
	if b.points.confidence < 0.3 || b.ahead.front > 0.8 {
		e.timer += b.dt
	} else {
		e.timer = max(0, e.timer-2*b.dt)
	}
	if e.timer > escapeAfter || b.stall.stuck {
		e.trigger(b)
	}
}

// trigger chooses the side and starts the manoeuvre.
func (e *escape) trigger(b *Brain) {
	e.timer = 0
	b.stall.stuck = false
	if e.memory <= 0.25 || e.side == 0 {
		e.side = e.choose(b)
	}
	e.memory, e.left = 1, escapeTime
	e.count++
}

// choose returns the freer side; on a tie the one that the rest of the heading's
// input draws to (goal, plan, what was recalled, the last side as far as it is
// remembered), or a random one.
func (e *escape) choose(b *Brain) float64 {
	switch {
	case b.ahead.sides > 0.5: // more in the way on the left
		return -1
	case b.ahead.sides < -0.5:
		return 1
	case b.ahead.lean > leanLeast:
		return 1
	case b.ahead.lean < -leanLeast:
		return -1
	case field.Mix(uint32(b.tick)^e.key)&1 == 0:
		return -1
	}
	return 1
}

// command is reverse with the wheels turned away from the side: backwards, the
// nose swings to it.
func (e *escape) command(b *Brain) (speed, steering float64) {
	speed = -escapeSpeed * float64(b.params.Top) * max(0, 1-b.ahead.rear/0.7)
	return speed, -e.side * 30 * deg
}

// stall notices that the wheels turn and the car does not: the front range
// should shrink by what was driven (B.5.4). The base kit has no encoders.
type stall struct {
	since  float64 // s since the last comparison
	driven float64 // m the dead reckoning went meanwhile
	was    float32 // m, front range at the last comparison
	at     time.Duration
	held   float64 // s of disagreement
	wiggle float64 // s of steering probe to go
	first  float32 // m, range when the probe began
	most   float64 // largest relative change seen during the probe
	mute   float64 // s without checks
	stuck  bool    // stalled: the escape takes it
	touch  float64 // s for which the contact is still entered
	count  uint64
}

const (
	stallStep  = 0.3 // s between comparisons
	stallNear  = 0.7 // m: below, a disagreement means contact
	stallFar   = 2.5 // m: above, ranges say too little
	probeTime  = 1.0 // s
	probeSwing = 25 * deg

	touchTime  = 0.05 // s: brings the map's cells to 0.6
	touchInput = 9    // of CONTACT: above 0 within those 50 ms
	touchRange = 0.1  // m from the reference point
	touchSide  = 52.5 * deg
	touchWidth = 19 * deg // half: marks 25..80 deg
)

// probe is the steering added while the car tests whether it moves at all.
func (s *stall) probe() float64 {
	if s.wiggle <= 0 {
		return 0
	}
	return float64(probeSwing * exact.Sin(2*math.Pi*(probeTime-s.wiggle)/probeTime))
}

// suspected reports whether the wheels seem to turn in vain.
func (s *stall) suspected() bool { return s.held > 0 || s.wiggle > 0 || s.stuck }

// update compares the range change with the efference copy.
func (s *stall) update(b *Brain) {
	r := &b.state.Range[0]
	s.mute = max(0, s.mute-b.dt)
	if s.wiggle > 0 {
		s.probing(b, r.Value)
		return
	}
	if !b.senses.valid(0) || b.escape.active() || s.mute > 0 || !b.driving() || b.line.following {
		s.since, s.driven, s.held, s.at = 0, 0, 0, 0
		return
	}
	if s.at == 0 {
		s.was, s.at = r.Value, r.At
		return
	}
	s.since += b.dt
	s.driven += float64(b.senses.speed * b.dt)
	if s.since < stallStep {
		return
	}
	predicted, observed := s.driven, float64(s.was-r.Value)
	s.judge(r.Value, predicted, observed)
	s.since, s.driven, s.was, s.at = 0, 0, r.Value, r.At
}

// judge accumulates disagreement and acts on it.
func (s *stall) judge(r float32, predicted, observed float64) {
	if predicted <= 0.02 || r >= stallFar || math.Abs(observed) >= 0.35*predicted {
		s.held = 0
		return
	}
	s.held += stallStep
	switch {
	case r < stallNear && s.held >= 0.85:
		s.found()
	case r >= stallNear && s.held >= 1.4:
		s.wiggle, s.first, s.most, s.held = probeTime, r, 0, 0
	}
}

func (s *stall) found() {
	s.stuck, s.held, s.touch = true, 0, touchTime
	s.count++
}

// probing ends the steering probe: a corridor's range changes with the nose, a
// wall one leans on does not.
func (s *stall) probing(b *Brain, r float32) {
	if b.senses.valid(0) {
		change := float64(r-s.first) / float64(s.first)
		s.most = max(s.most, max(change, -change))
	}
	if s.wiggle -= b.dt; s.wiggle > 0 {
		return
	}
	s.at = 0
	if s.most > 0.06 {
		s.mute = 6
		return
	}
	s.found()
}
