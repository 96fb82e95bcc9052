package brain

import (
	"math"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// stall notices that the wheels turn and the car does not: the front range should
// shrink by the way that the car drives, and grow by what it backs (B.5.4). The base
// kit has no encoders.
type stall struct {
	driven       float64                   // m the dead reckoning went since the last comparison, negative backwards
	was          float32                   // m, front range then
	beside       [robot.NumSectors]float32 // m, the other beams' then; 0 for none
	at           time.Duration
	vain         int         // ways in a row on which the range stayed as it was
	begun        ground.Pose // where the way began
	from         ground.Pose // and the first one in vain: there the car stands
	lost         float64     // m that the dead reckoning went in vain
	turned       float64     // rad on them
	wiggle       float64     // s of steering probe to go
	first        float32     // m, range when the probe began
	most         float64     // largest relative change seen during the probe
	mute         float64     // s without checks
	held         float64     // m in vain on a line, less what was not
	stuck        bool        // stalled: the manoeuvre takes it
	touch        float64     // s for which the contact is still entered
	count        uint64
	deaf         float64 // s without a range
	silence      silenceCheck
	frontSilence frontSilenceCheck
	rest         rest
}

// Along a wall in a curve the range ahead stays what it was though the car drives. Of a
// car that is held no range changes by more than noise, ahead or beside it. Hence what
// changes less than stallMoved of the way counts as unchanged only within stallStill of it
// and noise, and where beams look to the sides only if they agree.
//
// A comparison comes after stallWay or, since a range's noise grows with it,
// stallShare of the range; twice in vain is a contact, where something is near or the
// nose turned meanwhile, and no other beam says that the car moves. Elsewhere it may be a
// corridor, whose sides stay as far away as they were: a swing of the wheels tells, since
// a corridor's range changes with the nose. The swing throws the car off its line: where
// beams look to the sides it ends as soon as it has told.
const (
	stallWay   = 0.08 // m
	stallShare = 0.06
	stallMoved = 0.35 // share of the way by which the range changes when the car moves
	stallStill = 0.15 // share of the way by which it may change when the car is held
	stallNoise = 0.02 // and share of the range: more is no noise
	stallOther = 2    // other beams whose ranges tell as much as the one ahead
	stallVain  = 2    // ways
	stallNear  = 0.7  // m
	stallTurn  = 10 * deg
	probeTime  = 1.0 // s
	probeSwing = 25 * deg
	probeMoved = 0.06          // of the range
	probeMute  = 6.0           // s
	probeFreed = 0.05          // m by which the range falls over a swing that freed a car with one beam: in a corridor it comes back
	stallFreed = stallVain + 1 // ways, that stand for such a swing: as many more in vain as made it swing are a contact
	probeAlone = 3.0           // s, of a car with one beam, which hears far ahead past the wall that it scrapes along
	deafTime   = 0.5           // s without a range before a comparison is no use: cloth returns one ping in two

	touchTime = 0.05 // s for which a contact is entered: brings the map's cells to 0.6
)

// suspected reports whether the wheels seem to turn in vain.
func (s *stall) suspected() bool { return s.vain > 0 || s.wiggle > 0 || s.stuck }

// update compares the range's change with the efference copy.
func (s *stall) update(r stallInput) {
	s.touch = max(0, s.touch-r.dt)
	s.mute = max(0, s.mute-r.dt)
	suspect, unasked := s.wonders(&r), r.excused || r.line
	s.rest.watch(&r, unasked || s.deaf > deafTime || s.mute > 0)
	if s.wiggle > 0 && !unasked {
		s.probing(r)
		return
	}
	if s.deaf += r.dt; r.ranging {
		s.deaf = 0
	}
	if suspect && r.free {
		s.wiggle, s.first, s.most, s.frontSilence.asks = swingTime, 0, 0, s.frontSilence.due()
	}
	if unasked {
		s.wiggle, s.frontSilence.asks = 0, false
	}
	if !r.line {
		s.held = 0
	}
	if r.excused || s.mute > 0 || s.deaf > deafTime {
		s.vain, s.turned, s.at = 0, 0, 0
		return
	}
	s.compare(r)
}

// compare goes on with a way and judges it at its end. A way begins and ends with a
// range; a new direction begins another.
func (s *stall) compare(r stallInput) {
	if float64(s.driven*r.speed) < 0 {
		s.driven, s.at = 0, 0
	}
	if s.at == 0 {
		s.vain, s.turned = 0, 0
		if !r.ranging {
			return
		}
		s.begin(r)
	}
	s.driven += float64(r.speed * r.dt)
	s.turned += math.Abs(float64(r.yaw * r.dt))
	if !r.ranging {
		return
	}
	way := math.Abs(s.driven)
	far := float64(stallShare * float64(r.front.Value))
	if way < max(stallWay, far) || r.line && way < max(stallLong, float64(2*far)) {
		return
	}
	if r.line {
		s.press(&r, way)
	} else {
		s.judge(r, way)
	}
	if s.stuck { // and the car is taken back
		s.driven, s.at = 0, 0
		return
	}
	s.begin(r)
}

// begin starts the next way, where the rest began that the car is in.
func (s *stall) begin(r stallInput) {
	s.driven, s.was, s.at, s.begun = 0, r.front.Value, r.front.At, r.at
	s.beside = r.beside
	if s.rest.Known {
		s.begun = s.rest.At
	}
}

// moved returns how many beams a way shows in: as many as it takes where it is the one
// ahead.
func (s *stall) moved(r *stallInput, way float64) (n int) {
	held := float64(stallStill*way) + float64(stallNoise*float64(s.was))
	if math.Abs(float64(s.was-r.front.Value)) >= math.Min(held, float64(stallMoved*way)) {
		return stallOther
	}
	for i, was := range &s.beside {
		if is := r.beside[i]; was > 0 && is > 0 && math.Abs(float64(was-is)) >= float64(stallMoved*way) {
			n++
		}
	}
	return n
}

// judge weighs one way and the range's change on it.
func (s *stall) judge(r stallInput, way float64) {
	moved := s.moved(&r, way)
	if moved >= stallOther {
		s.vain, s.turned, s.rest.Known = 0, 0, false
		return
	}
	if s.vain == 0 || s.vain == stallFreed {
		s.from, s.lost = s.begun, 0
	}
	s.lost += s.driven
	s.vain++
	alone := moved == 0 || !r.free // nothing says that it moves, or no swing may ask
	switch {
	case s.vain < stallVain:
	case s.vain >= stallFreed && s.vain < stallFreed+stallVain:
	case s.vain > stallFreed, r.front.Value < stallNear && alone, s.turned > stallTurn && alone:
		s.found()
	case r.free:
		s.wiggle, s.first, s.most = probeTime, r.front.Value, 0
	default:
		s.vain, s.turned, s.rest.Known = 0, 0, false
	}
}

func (s *stall) found() {
	s.stuck, s.vain, s.turned, s.held, s.touch = true, 0, 0, 0, touchTime
	s.count++
}

// probe is the steering added while the car tests whether it moves at all.
func (s *stall) probe() float64 {
	if s.wiggle <= 0 {
		return 0
	}
	long := probeTime
	if s.first == 0 {
		long = swingTime
	}
	return float64(probeSwing * exact.Sin(2*math.Pi*(long-s.wiggle)/long))
}

// probing ends the probe: a corridor's range changes with the nose, a wall one leans
// on does not.
func (s *stall) probing(r stallInput) {
	if s.frontSilence.asks {
		s.asked(&r)
		return
	}
	if s.first == 0 {
		s.swingInSilence(r)
		return
	}
	s.lost += float64(r.speed * r.dt)
	if r.ranging {
		s.most = max(s.most, math.Abs(float64(r.front.Value-s.first))/float64(s.first))
	}
	if s.wiggle -= r.dt; s.wiggle > 0 && !(r.sides && s.most > probeMoved) {
		return
	}
	s.wiggle, s.at = 0, 0
	if s.most > probeMoved {
		if freed := float64(s.first - r.front.Value); !r.sides && r.ranging &&
			freed > probeFreed && freed > float64(2*stallNoise*float64(s.first)) {
			s.begin(r)
			s.vain, s.turned = stallFreed, 0
			return
		}
		s.vain, s.turned, s.mute = 0, 0, probeAlone
		if r.sides {
			s.mute = probeMute
		}
		return
	}
	s.found()
}

// swingInSilence goes on with a swing in silence. Without any echo the car is taken to be held
// where it is: on free floor that costs it a few centimetres back.
func (s *stall) swingInSilence(r stallInput) {
	if s.wiggle -= r.dt; s.wiggle > 0 && !s.silence.echo {
		return
	}
	s.wiggle, s.at = 0, 0
	if s.silence.echo {
		s.vain, s.turned = 0, 0
		return
	}
	s.silence.way, s.silence.doubts = 0, min(s.silence.doubts+1, silenceVain)
	s.from, s.lost = r.at, 0
	s.found()
}
