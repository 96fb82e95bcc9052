package config

import (
	"fmt"
	"time"

	"fieldbrain/brain"
)

// Manual is section [manual].
type Manual struct {
	Speed   float64  `toml:"speed" comment:"fastest that a person may drive, 0.05 .. 0.35 m/s; backwards half of it"`
	Deadman Duration `toml:"deadman" comment:"without a word from the source for so long the car stops, 50ms .. 500ms"`
}

// The slowest and fastest that a person may drive, m/s, and the shortest deadman: two
// ticks of the longest period, and less than which no source sends reliably.
const (
	minManual  = 0.05
	maxManual  = 0.35
	minDeadman = 50 * time.Millisecond
)

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
	if v := c.Speed; !(v >= minManual && v <= maxManual) { // written so that NaN fails
		k.wrong("manual.speed", fmt.Sprintf("choose %v .. %v m/s", minManual, maxManual), "%v is out of range", v)
	}
	k.span("manual.deadman", c.Deadman, minDeadman, brain.MaxDeadman, "")
}
