package stall

import (
	"math"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

const deg = math.Pi / 180

// A Look is what a tick tells of how the car moves.
type Look struct {
	Front   robot.Reading             // m, range ahead
	Ranging bool                      // it counts
	Beside  [robot.NumSectors]float32 // m, the other beams' newest ranges; 0 for none
	Silent  bool                      // no beam hears anything
	Sides   bool                      // beams look to the sides, too
	Speed   float64                   // m/s of the rear axle, dead reckoning
	Yaw     float64                   // rad/s
	At      ground.Pose               // of the rear axle, dead reckoning
	Free    bool                      // the wheels may be swung
	Dt      float64                   // s
	Excused bool                      // nobody expects the range to change: no comparison
	Line    bool                      // it follows one
}

// A Watch notices that the wheels turn and the car does not: the front range should
// shrink by the way that the car drives, and grow by what it backs (B.5.4). The base
// kit has no encoders. The zero Watch suspects nothing.
type Watch struct {
	driven       float64                   // m the dead reckoning went since the last comparison, negative backwards
	was          float32                   // m, front range then
	beside       [robot.NumSectors]float32 // m, the other beams' then; 0 for none
	at           time.Duration
	vain         int         // ways in a row on which the range stayed as it was
	steady       steady      // what it heard since the first of them began
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
	hit          ground.Pose // where the newest contact held the car
	behind       bool        // on its way back
	touch        float64     // s for which the contact is still entered
	count        uint64
	deaf         float64 // s without a range
	silence      silenceCheck
	frontSilence frontSilenceCheck
	rest         Rest
}

// Along a wall in a curve the range ahead stays what it was though the car drives. Of a
// car that is held no range changes by more than noise, ahead or beside it. Hence what
// changes less than movedShare of the way counts as unchanged only within stillShare of it
// and noise, and where beams look to the sides only if they agree.
//
// A comparison comes after wayLeast or, since a range's noise grows with it,
// wayShare of the range; twice in vain is a contact, where something is near or the
// nose turned meanwhile, and no other beam says that the car moves. Elsewhere it may be a
// corridor, whose sides stay as far away as they were: a swing of the wheels tells, since
// a corridor's range changes with the nose. The swing throws the car off its line: where
// beams look to the sides it ends as soon as it has told.
const (
	wayLeast   = 0.08 // m
	wayShare   = 0.06
	movedShare = 0.35 // share of the way by which the range changes when the car moves
	stillShare = 0.15 // share of the way by which it may change when the car is held
	noise      = 0.02 // and share of the range: more is no noise
	others     = 2    // other beams whose ranges tell as much as the one ahead
	vainWays   = 2    // ways
	near       = 0.7  // m
	turnLeast  = 10 * deg
	probeTime  = 1.0 // s
	probeSwing = 25 * deg
	probeMoved = 0.06         // of the range
	probeMute  = 6.0          // s
	probeFreed = 0.05         // m by which the range falls over a swing that freed a car with one beam: in a corridor it comes back
	freedWays  = vainWays + 1 // ways, that stand for such a swing: as many more in vain as made it swing are a contact
	probeAlone = 3.0          // s, of a car with one beam, which hears far ahead past the wall that it scrapes along
	deafTime   = 0.5          // s without a range before a comparison is no use: cloth returns one ping in two

	touchTime = 0.05 // s for which a contact is entered: brings the map's cells to 0.6
)

// Suspected reports whether the wheels seem to turn in vain.
func (s *Watch) Suspected() bool { return s.vain > 0 || s.wiggle > 0 || s.stuck }

// Held reports whether something holds the car, until TakenBack.
func (s *Watch) Held() bool { return s.stuck }

// TakenBack says that what the wheels turned in vain has been taken back.
func (s *Watch) TakenBack() { s.stuck = false }

// From returns the pose of the rear axle when the way in vain began, where a car that is held
// stands, and what the wheels turned since, in m, negative backwards.
func (s *Watch) From() (at ground.Pose, lost float64) { return s.from, s.lost }

// Touches reports whether a contact is to be entered: for 50 ms after one was found.
func (s *Watch) Touches() bool { return s.touch > 0 }

// Contact returns where the newest contact held the car, and whether on its way back. From goes
// on with the next way in vain, which may be one of the recoil; this does not.
func (s *Watch) Contact() (at ground.Pose, behind bool) { return s.hit, s.behind }

// Rests reports whether the wheels turn and no range shows it: what the beams hear then says
// nothing of where the car has got to.
func (s *Watch) Rests() bool { return s.rest.held() }

// Count is how often the car was held, since the start or what a Record had.
func (s *Watch) Count() uint64 { return s.count }

// Update takes one tick: it compares the range's change with the efference copy.
func (s *Watch) Update(r *Look) {
	s.touch = max(0, s.touch-r.Dt)
	s.mute = max(0, s.mute-r.Dt)
	suspect, unasked := s.wonders(r), r.Excused || r.Line
	s.rest.watch(r, unasked || s.deaf > deafTime || s.mute > 0)
	if s.wiggle > 0 && !unasked {
		s.probing(r)
		return
	}
	if s.deaf += r.Dt; r.Ranging {
		s.deaf = 0
	}
	if suspect && r.Free {
		s.wiggle, s.first, s.most, s.frontSilence.asks = swingTime, 0, 0, s.frontSilence.due()
	}
	if unasked {
		s.wiggle, s.frontSilence.asks = 0, false
	}
	if !r.Line {
		s.held = 0
	}
	if r.Excused || s.mute > 0 || s.deaf > deafTime {
		s.vain, s.turned, s.at = 0, 0, 0
		return
	}
	s.compare(r)
}

// compare goes on with a way and judges it at its end. A way begins and ends with a
// range; a new direction begins another.
func (s *Watch) compare(r *Look) {
	if float64(s.driven*r.Speed) < 0 {
		s.driven, s.at = 0, 0
	}
	if s.at == 0 {
		s.vain, s.turned = 0, 0
		if !r.Ranging {
			return
		}
		s.begin(r)
	}
	s.driven += float64(r.Speed * r.Dt)
	s.turned += math.Abs(float64(r.Yaw * r.Dt))
	if !r.Ranging {
		return
	}
	s.steady.hear(r.Front)
	way := math.Abs(s.driven)
	far := float64(wayShare * float64(r.Front.Value))
	if way < max(wayLeast, far) || r.Line && way < max(longWay, float64(2*far)) {
		return
	}
	if r.Line {
		s.press(r, way)
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
func (s *Watch) begin(r *Look) {
	s.driven, s.was, s.at, s.begun = 0, r.Front.Value, r.Front.At, r.At
	s.beside = r.Beside
	if s.vain == 0 {
		s.steady = steady{}
	}
	if s.rest.Known {
		s.begun = s.rest.At
	}
}

// moved returns how many beams a way shows in: as many as it takes where it is the one
// ahead.
func (s *Watch) moved(r *Look, way float64) (n int) {
	held := float64(stillShare*way) + float64(noise*float64(s.was))
	if math.Abs(float64(s.was-r.Front.Value)) >= math.Min(held, float64(movedShare*way)) {
		return others
	}
	for i, was := range &s.beside {
		if is := r.Beside[i]; was > 0 && is > 0 && math.Abs(float64(was-is)) >= float64(movedShare*way) {
			n++
		}
	}
	return n
}

// judge weighs one way and the range's change on it.
func (s *Watch) judge(r *Look, way float64) {
	moved := s.moved(r, way)
	if moved >= others {
		s.vain, s.turned, s.rest.Known = 0, 0, false
		return
	}
	if s.vain == 0 || s.vain == freedWays {
		s.from, s.lost = s.begun, 0
	}
	s.lost += s.driven
	s.vain++
	alone := moved == 0 || !r.Free // nothing says that it moves, or no swing may ask
	switch {
	case s.vain < vainWays:
	case !r.Sides && !s.steady.stays():
		s.vain, s.turned, s.rest.Known = 0, 0, false
	case s.vain >= freedWays && s.vain < freedWays+vainWays:
	case s.vain > freedWays, r.Front.Value < near && alone, s.turned > turnLeast && alone:
		s.found()
	case r.Free:
		s.wiggle, s.first, s.most = probeTime, r.Front.Value, 0
	default:
		s.vain, s.turned, s.rest.Known = 0, 0, false
	}
}

func (s *Watch) found() {
	s.stuck, s.vain, s.turned, s.held, s.touch = true, 0, 0, 0, touchTime
	s.hit, s.behind = s.from, s.lost < 0
	s.count++
}

// Probe is the steering in rad to be added while the car tests whether it moves at all.
func (s *Watch) Probe() float64 {
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
func (s *Watch) probing(r *Look) {
	if s.frontSilence.asks {
		s.asked(r)
		return
	}
	if s.first == 0 {
		s.swingInSilence(r)
		return
	}
	s.lost += float64(r.Speed * r.Dt)
	if r.Ranging {
		s.most = max(s.most, math.Abs(float64(r.Front.Value-s.first))/float64(s.first))
	}
	if s.wiggle -= r.Dt; s.wiggle > 0 && !(r.Sides && s.most > probeMoved) {
		return
	}
	s.wiggle, s.at = 0, 0
	if s.most > probeMoved {
		if freed := float64(s.first - r.Front.Value); !r.Sides && r.Ranging &&
			freed > probeFreed && freed > float64(2*noise*float64(s.first)) {
			s.vain = 0
			s.begin(r)
			s.vain, s.turned = freedWays, 0
			return
		}
		s.vain, s.turned, s.mute = 0, 0, probeAlone
		if r.Sides {
			s.mute = probeMute
		}
		return
	}
	s.found()
}

// swingInSilence goes on with a swing in silence. Without any echo the car is taken to be held
// where it is: on free floor that costs it a few centimetres back.
func (s *Watch) swingInSilence(r *Look) {
	if s.wiggle -= r.Dt; s.wiggle > 0 && !s.silence.echo {
		return
	}
	s.wiggle, s.at = 0, 0
	if s.silence.echo {
		s.vain, s.turned = 0, 0
		return
	}
	s.silence.way, s.silence.doubts = 0, min(s.silence.doubts+1, silenceVain)
	s.from, s.lost = r.At, 0
	s.found()
}
