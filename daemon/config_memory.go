package daemon

import (
	"fmt"
	"time"
)

// MemoryConfig is section [memory].
type MemoryConfig struct {
	Path    string   `toml:"path" comment:"folder in which each body's mind gets a folder of its own; \"off\" keeps nothing. Empty: picarx: the service's, STATE_DIRECTORY or /var/lib/fieldbrain; sim: nothing is kept"`
	Period  Duration `toml:"period" comment:"from save to save, 1s .. 24h; 0s saves at an orderly stop only"`
	Keep    int      `toml:"keep" comment:"newest files that stay, 1 .. 100"`
	Restore bool     `toml:"restore" comment:"go on with the newest sound file at the start; false begins fresh, and its saves replace the old ones in time"`
}

// DefaultMemory returns the defaults of B.9: every 300 s and at the stop, five
// files.
func DefaultMemory() MemoryConfig {
	return MemoryConfig{Period: Duration(300 * time.Second), Keep: 5, Restore: true}
}

// Limits of the time between two saves: below, the disk does nothing else.
const (
	minMemoryPeriod = time.Second
	maxMemoryPeriod = 24 * time.Hour
)

// validate checks section [memory].
func (c MemoryConfig) validate() (cs Complaints) {
	if p := time.Duration(c.Period); p != 0 && (p < minMemoryPeriod || p > maxMemoryPeriod) {
		cs = append(cs, Complaint{
			Key: "memory.period", Reason: fmt.Sprintf("%v is out of range", p),
			Remedy: fmt.Sprintf("choose %v .. %v, or 0s for the stop only", minMemoryPeriod, maxMemoryPeriod),
		})
	}
	if c.Keep < 1 || c.Keep > 100 {
		cs = append(cs, Complaint{Key: "memory.keep", Reason: fmt.Sprintf("%d is out of range", c.Keep), Remedy: "choose 1 .. 100"})
	}
	return cs
}
