package brain

import "math"

// A Mode names what the car is doing, for mirrors in the field, telemetry and
// people. It is derived, never decided on.
type Mode uint8

// The modes, in the order of the channels 53..58.
const (
	Cruising Mode = iota
	Avoiding
	Following
	Seeking
	Escaping
	Resting
)

var modeNames = [...]string{"cruise", "avoid", "line", "seek", "escape", "rest"}

// String returns the mode's name.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "unknown"
}

// mode derives the mode of this tick.
func (b *Brain) mode() Mode {
	switch {
	case b.escape.active():
		return Escaping
	case b.points.confidence == 0:
		return Resting
	case b.line.following:
		return Following
	case b.ahead.front > 0.1 || math.Abs(b.points.heading) > 10*deg:
		return Avoiding
	case b.goal.weight > 0:
		return Seeking
	}
	return Cruising
}
