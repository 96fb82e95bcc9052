package config

import (
	"time"

	"fieldbrain/brain"
)

// Manual is section [manual].
type Manual struct {
	Speed   float64  `toml:"speed" comment:"fastest that a person may drive, 0.05 .. 0.35 m/s; backwards half of it"`
	Deadman Duration `toml:"deadman" comment:"without a word from the source for so long the car stops, 50ms .. 500ms"`
}

// minDeadman is the shortest deadman: two ticks of the longest period, and less than which
// no source sends reliably.
const minDeadman = 50 * time.Millisecond

// DefaultManual returns the bounds without a file.
func DefaultManual() Manual {
	p := brain.DefaultManual()
	return Manual{Speed: float64(p.Speed), Deadman: Duration(p.Deadman)}
}

// Params returns the section as the brain takes it.
func (c Manual) Params() brain.ManualParams {
	return brain.ManualParams{Speed: float32(c.Speed), Deadman: time.Duration(c.Deadman)}
}

// check checks section [manual].
func (c Manual) check(k *checker) {
	k.parameter(brain.ParameterManualSpeed, c.Speed)
	k.span("manual.deadman", c.Deadman, minDeadman, brain.MaxDeadman, "")
}
