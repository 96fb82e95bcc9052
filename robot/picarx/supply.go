package picarx

import (
	"math"
	"time"
)

// A supply says by how much the motors' share of duty above the dead band has to
// grow or shrink, because the pack gives less or more than the voltage that the
// motors were measured at. It knows the voltage under load: the motors pull the
// pack down as soon as they turn, and that is the voltage they turn with.
//
// The measurement is slow and coarse (once a second, a divider of 1 %), so the
// factor goes in steps, slowly, and is 1 where nothing is known. More duty pulls
// the pack down and asks for more duty again, but by a 60th of itself: see
// TestSupplyConverges.
type supply struct {
	window [3]float64    // V under load, newest readings
	filled int           // readings in it
	at     time.Duration // of the newest reading
	volts  float64       // V, low-passed
	steps  int           // towards which the factor goes
	excess float64       // of the factor above 1
	now    time.Duration // of the newest call of factor
}

const (
	supplyStep  = 1.0 / 32 // of the factor: 3 %, above the noise of its measurement
	supplyHold  = 0.75     // steps that the voltage has to ask for before the factor moves
	supplyLeast = -6       // steps: 0.81, for a full pack
	supplyMost  = 10       // steps: 1.31, for a pack that is all but empty
	supplyRate  = 1.0 / 32 // of the factor in a second, while a motor turns
	supplySag   = 0.25     // V that a pack at rest falls by when the car drives: 0.15 ohm, 1.7 A
	supplyBlur  = 3.0      // s, time constant of the voltage
	supplyEmpty = 6.0      // V: no pack at rest gives less, but a computer's USB plug may
	supplyFresh = 5        // periods of the battery's readings after which none is fresh
)

// read takes a plausible voltage; driven says that a motor turned meanwhile.
func (s *supply) read(v, nominal float64, at time.Duration, driven bool) {
	switch {
	case driven && s.volts == 0, !driven && v < supplyEmpty:
		return // a pack shows at rest that it is one
	case !driven:
		v -= supplySag
	}
	s.window[s.filled%len(s.window)] = v
	if s.filled++; s.filled == 2*len(s.window) { // keep the phase, avoid growth
		s.filled = len(s.window)
	}
	if s.filled < len(s.window) {
		return
	}
	middle := median3(s.window)
	if s.volts == 0 {
		s.volts = middle
	}
	dt := max((at - s.at).Seconds(), 0)
	s.volts += float64(dt / (supplyBlur + dt) * (middle - s.volts))
	s.at = at
	if wish := float64((nominal/s.volts - 1) / supplyStep); abs(wish-float64(s.steps)) > supplyHold {
		s.steps = int(math.Round(min(max(wish, supplyLeast), supplyMost)))
	}
}

// factor returns what the wheels' speeds are to be multiplied by before the duty is
// taken from them. fresh is how old the newest reading may be that still counts, 0 when
// none does; still says that no motor turns, so that nothing can jump.
func (s *supply) factor(now, fresh time.Duration, still bool) float64 {
	dt := max((now - s.now).Seconds(), 0)
	s.now = now
	want := float64(s.steps) * supplyStep
	if s.volts == 0 || fresh == 0 || now-s.at > fresh {
		want = 0
	}
	step := float64(supplyRate * dt)
	if still {
		step = 1
	}
	s.excess = approach(s.excess, want, step)
	return 1 + s.excess
}
