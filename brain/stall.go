package brain

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// stall notices that the wheels turn and the car does not: the front range should
// shrink by the way that the car drives (B.5.4). The base kit has no encoders.
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

	touchTime = 0.05 // s for which a contact is entered: brings the map's cells to 0.6
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

// A ride tells the stall how one tick stands.
type ride struct {
	front   robot.Reading // m, front range
	ranging bool          // it counts
	speed   float64       // m/s, dead reckoning
	dt      float64       // s
	excused bool          // nobody expects the range to shrink: no comparison
}

// update compares the range change with the efference copy.
func (s *stall) update(r ride) {
	if s.touch > 0 {
		s.touch -= r.dt
	}
	s.mute = max(0, s.mute-r.dt)
	if s.wiggle > 0 {
		s.probing(r)
		return
	}
	if !r.ranging || r.excused || s.mute > 0 {
		s.since, s.driven, s.held, s.at = 0, 0, 0, 0
		return
	}
	if s.at == 0 {
		s.was, s.at = r.front.Value, r.front.At
		return
	}
	s.since += r.dt
	s.driven += float64(r.speed * r.dt)
	if s.since < stallStep {
		return
	}
	s.judge(r.front.Value, s.driven, float64(s.was-r.front.Value))
	s.since, s.driven, s.was, s.at = 0, 0, r.front.Value, r.front.At
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
func (s *stall) probing(r ride) {
	if r.ranging {
		change := float64(r.front.Value-s.first) / float64(s.first)
		s.most = max(s.most, max(change, -change))
	}
	if s.wiggle -= r.dt; s.wiggle > 0 {
		return
	}
	s.at = 0
	if s.most > 0.06 {
		s.mute = 6
		return
	}
	s.found()
}
