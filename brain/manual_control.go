package brain

import (
	"math"
	"time"

	"fieldbrain/field"
)

// manualControl keeps who drives. Only the tick touches it.
//
// A person's wish replaces the brain's before the limits of slew, jerk and rate, so
// that neither command jumps when the wheel changes hands, and before the reflexes,
// which overrule people as they overrule the brain.
type manualControl struct{ DriverState }

// Limits of a manual drive.
const (
	astern       = 0.5      // share of the speed that a person may drive backwards: nothing looks there
	handoverTime = 500 * ms // after the wheel changed hands ...
	handoverRate = 90 * deg // ... the steering turns this much per second at most
	manualReach  = 8.0 / 3  // bearing of the heading that the field is shown, per angle of the wheels: full lock is 80 deg

	ms = time.Millisecond
)

// away reports whether the brain does not drive.
func (h *manualControl) away() bool { return h.Driver != DriverBrain }

// take lets a tick hear a source's news, and notices its silence.
func (h *manualControl) take(w *ManualInput, now time.Duration, p *ManualParams) {
	switch w.Driver {
	case DriverBrain:
		h.turn(DriverBrain, now)
	case DriverPerson:
		if h.turn(DriverPerson, now); h.Source != w.Source {
			h.Source, h.Since = w.Source, now
		}
		h.Heard, h.Throttle, h.Steering = now, w.Throttle, w.Steering
	case DriverLost: // of the brain, too: a source can be gone before a tick has heard it
		if h.turn(DriverLost, now); w.Source != (Source{}) {
			h.Source = w.Source
		}
	}
	if h.Driver == DriverPerson && now-h.Heard > p.Deadman {
		h.turn(DriverLost, now)
	}
}

// turn gives the wheel into a hand.
func (h *manualControl) turn(to Driver, now time.Duration) {
	if h.Driver == to {
		return
	}
	h.Driver, h.Since = to, now
	h.Throttle, h.Steering = 0, 0
	if to == DriverBrain {
		h.Source = Source{}
	}
}

// ordered gives the wheel back to the brain where nobody holds it any more: people have
// told the car what to do instead.
func (h *manualControl) ordered(now time.Duration) {
	if h.Driver == DriverLost {
		h.turn(DriverBrain, now)
	}
}

// wish returns what the person wants: m/s and rad. driving says that the reflexes let
// the car move, held that one refuses to drive forwards. Where words are late the car
// begins to slow down before it is sure that none comes any more.
func (h *manualControl) wish(now time.Duration, driving, held bool, p *Params) (speed, steering float64) {
	speed = float64(p.Manual.Speed) * float64(h.Throttle)
	if speed < 0 {
		speed *= astern
	}
	if !driving || held && speed > 0 || now-h.Heard > p.Manual.Deadman/2 {
		speed = 0
	}
	return speed, float64(p.Safety.Limits.Steering) * float64(h.Steering)
}

// rate bounds how fast the steering turns, in rad/s: slower where the wheel has just
// changed hands.
func (h *manualControl) rate(now time.Duration, p *Params) float64 {
	rate := float64(p.Safety.Limits.SteeringRate)
	if h.Since != 0 && now-h.Since < handoverTime {
		return math.Min(rate, handoverRate)
	}
	return rate
}

// drive shows the field where a person drives, as it is shown a line: then its heading
// is the person's, the traces of what the car did hold it, and an outcome that people
// tell makes a pattern of it.
func (h *manualControl) drive(p *Params) field.Drive {
	if h.Driver != DriverPerson || h.Throttle <= 0 {
		return field.Drive{}
	}
	bearing := manualReach * float64(p.Safety.Limits.Steering) * float64(h.Steering)
	return field.Drive{Line: float32(bearing), LineWeight: 1, OnLine: true}
}
