package brain

import "math"

// A Mode names the car's activity, for mirrors in the field, telemetry and
// people. It is derived, never decided on.
type Mode uint8

// The modes; the first six in the order of the channels 53..58.
const (
	Cruising Mode = iota
	Avoiding
	Following
	Seeking
	Escaping
	Resting
	Driven // a person drives; no channel mirrors it
)

var modeNames = [...]string{"cruise", "avoid", "line", "seek", "escape", "rest", "manual"}

// String returns the mode's name.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "unknown"
}

// modeOf derives the mode from the last decision, from whether the car follows a
// line, and from the goal's weight.
func modeOf(d *decision, following bool, goal float32) Mode {
	switch {
	case d.escaping:
		return Escaping
	case d.confidence == 0 || d.holding:
		return Resting
	case following:
		return Following
	case d.front > 0.1 || math.Abs(d.heading) > 10*deg:
		return Avoiding
	case goal > 0:
		return Seeking
	}
	return Cruising
}
