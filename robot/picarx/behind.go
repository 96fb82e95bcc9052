package picarx

import "errors"

// ErrBehind reports a controller whose answers come one conversion late: it has taken a
// command twice, and every value since is that of the channel before.
var ErrBehind = errors.New("picarx: the HAT's ADC answers with the conversion before: what a channel says is another's")

// Such a controller says nothing impossible by itself: the floor sensors are exchanged,
// and the battery is what a floor sensor was. It shows where the battery is converted
// several times in direct succession: the first answer is still the floor's, all others
// are the battery's, and agree. A pack that is empty, a USB plug and a divider that is
// broken say the same each time, or anything; a wire that settles slowly comes to its
// value in more than one step. Answers that come two conversions late look like that too,
// and are not found, nor are those where the floor is as bright as a pack's voltage.
const (
	behindReads  = 3    // implausible readings of the battery in a row, before it is tried
	behindTries  = 4    // conversions in direct succession
	behindProofs = 2    // tries in a row that must show it: a loose wire may once
	behindBlur   = 0.25 // V among those that agree: the motors' load changes meanwhile
	behindApart  = 0.5  // V at least from the first to them, no voltage at a limit; at most from one proof to the next
)

// A doubt is about which channel the answers belong to.
type doubt struct {
	reads  int                  // implausible readings in a row
	tried  int                  // conversions of the try under way, 0 outside one
	volts  [behindTries]float64 // V, they said
	proofs int                  // tries in a row that showed it
	pack   float64              // V, by the newest of them
}

// doubts takes an implausible reading of the battery, and begins a try when it is one of
// many.
func (c *Car) doubts(v float64) {
	d := &c.adc.doubt
	if d.reads++; d.reads < behindReads {
		return
	}
	d.volts[0], d.tried = v, 1
	c.adc.begins(adcBattery)
}

// try takes a conversion of a try, and resets the controller when it shows twice in a row
// that the answers come late. A try that another channel interrupts is given up (accept).
func (c *Car) try(v float64) {
	d := &c.adc.doubt
	d.volts[d.tried] = v
	if d.tried++; d.tried < behindTries {
		c.adc.begins(adcBattery)
		return
	}
	d.tried = 0
	if !d.shows() || d.proofs > 0 && abs(v-d.pack) > behindApart {
		d.reads, d.proofs = 0, 0
		return
	}
	d.pack = v
	if d.proofs++; d.proofs == behindProofs {
		c.desync(ErrBehind)
	}
}

// shows reports whether a whole try tells of answers that come late.
func (d *doubt) shows() bool {
	low, high := batMax, batMin
	for _, v := range d.volts[1:] {
		if !plausible(v) {
			return false
		}
		low, high = min(low, v), max(high, v)
	}
	return high-low <= behindBlur && (d.volts[0] < low-behindApart || d.volts[0] > high+behindApart)
}

// plausible reports whether a pack can have this voltage.
func plausible(v float64) bool { return v >= batMin && v <= batMax }
