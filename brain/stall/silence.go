package stall

import "math"

// silenceCheck counts the way that the car drives in silence. A smooth wall sends nothing back
// beyond some slant, and a car that leans on it hears as little as one on free floor.
// What was heard last is not gone because it fell silent: after as much way as it was
// far, the car either has come past it or stands before it. Then a swing of the wheels
// tells: free, the beam sweeps over what returns it; held, nothing changes. A car with
// one beam asks sooner: a smooth wall a metre ahead falls silent where the nose turns, and
// no other beam hears it.
type silenceCheck struct {
	way    float64 // m driven ahead since the last echo
	heard  float64 // m, the last echo
	doubts int     // swings in a row after which there still was nothing
	echo   bool    // during the swing
}

// Limits of the way in silence before a swing, in m: what was heard last and silenceMore,
// within silenceLeast and silenceMost, twice as much after each swing that showed nothing.
const (
	silenceMore    = 0.3
	silenceLeast   = 0.8
	silenceMost    = 1.5
	silenceAlone   = 0.4 // before the first one of a car with one beam, whatever it heard
	silenceLongest = 3.0 // and before any of its later ones
	silenceVain    = 4   // doublings
	swingTime      = 0.7 // s of the swing
	silenceNear    = 2.0 // m, an echo as near takes the doubts away: it is no hall
)

// listen counts one tick and reports whether the car should swing its wheels.
func (h *silenceCheck) listen(r *Look) bool {
	switch {
	case r.Excused || r.Line:
		h.way = 0
	case r.Ranging || !r.Silent:
		if r.Ranging {
			h.heard = float64(r.Front.Value)
			if h.heard < silenceNear {
				h.doubts = 0
			}
		}
		h.way, h.echo = 0, true
	case r.Speed > 0:
		h.way += float64(r.Speed * r.Dt)
	case r.Speed < 0: // it goes, or it was not held
		h.way = math.Max(0, h.way+float64(r.Speed*r.Dt))
	}
	if h.way < h.limit(r.Sides) {
		return false
	}
	h.way, h.echo = 0, false
	return true
}

// limit is the way in silence before the next swing, in m.
func (h *silenceCheck) limit(sides bool) float64 {
	twice := float64(int(1) << h.doubts)
	if !sides {
		return math.Min(float64(silenceAlone*twice), silenceLongest)
	}
	return math.Min(float64(math.Min(math.Max(h.heard+silenceMore, silenceLeast), silenceMost)*twice), silenceLongest)
}
