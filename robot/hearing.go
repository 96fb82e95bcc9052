package robot

import "time"

// A Hearing turns what one range sensor hears, ping after ping, into Readings.
// It tells three things apart that all lack an echo:
//
//   - a drop-out: one or two silent pings; no reading, as if the ping had not been
//   - silence: QuietPings and more in a row that the sensor itself ended for want
//     of an echo; a Reading with AtLeast
//   - a sensor that does not answer, or whose answer got lost; no reading
//
// Silence proves little. A smooth wall reflects a slanting sound away from the
// sensor, cloth swallows it, and a thin leg returns too little of it: an HC-SR04
// hears a 20 mm leg to about 1.5 m only. So silence counts up to Trust and no
// farther, and a thing heard at r metres t seconds ago is not gone because it has
// fallen silent: it may have receded at Recede m/s, or the beam passed by it,
//
//	Value = min(Trust, r + Recede t)
//
// The zero Hearing with a Trust is ready for use.
type Hearing struct {
	Trust float32 // m, silence counts no farther; 0: it is never a reading

	last  Reading       // as returned last
	echo  float32       // m, newest echo
	at    time.Duration // its instant
	heard bool          // whether echo holds one
	quiet int           // silent pings in a row
}

// Constants of a Hearing. The simulated HC-SR04 loses one echo in fifty by
// itself: three in a row are chance once in four hours of 25 pings a second
// while something stands there, and cost 120 ms where nothing does.
const (
	QuietPings = 3   // silent pings in a row that make a reading
	Recede     = 0.5 // m/s, at which a thing that fell silent may have gone
)

// Echo takes a range in m, heard at an instant, and returns it as a Reading.
func (h *Hearing) Echo(metres float32, at time.Duration) Reading {
	h.echo, h.at, h.heard, h.quiet = metres, at, true, 0
	h.last = Reading{Value: metres, At: at, OK: true}
	return h.last
}

// Silence takes a ping that the sensor ended without an echo. at is the instant
// by which an echo from Trust would have come.
func (h *Hearing) Silence(at time.Duration) Reading {
	h.quiet = min(h.quiet+1, QuietPings)
	if h.quiet < QuietPings || h.Trust <= 0 {
		return h.drop()
	}
	free := h.Trust
	if h.heard {
		gone := max(0, (at - h.at).Seconds())
		free = min(free, h.echo+float32(Recede*gone))
	}
	h.last = Reading{Value: free, At: at, OK: true, AtLeast: true}
	return h.last
}

// Miss takes a ping that says nothing: the sensor did not answer, or an edge of
// its answer got lost.
func (h *Hearing) Miss() Reading {
	h.quiet = 0
	return h.drop()
}

// Last returns the Reading returned last.
func (h *Hearing) Last() Reading { return h.last }

// drop returns a Reading that is not OK and keeps the last one's instant.
func (h *Hearing) drop() Reading {
	h.last.OK, h.last.AtLeast = false, false
	return h.last
}
