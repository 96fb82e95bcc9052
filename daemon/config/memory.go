package config

import "time"

// Memory is section [memory].
type Memory struct {
	Path    string   `toml:"path" comment:"folder in which each body's brain gets a folder of its own; \"off\" keeps nothing. Empty: picarx: the service's, STATE_DIRECTORY or /var/lib/fieldbrain; sim: nothing is kept"`
	Period  Duration `toml:"period" comment:"from save to save, 1s .. 24h; 0s saves at an orderly stop only"`
	Keep    int      `toml:"keep" comment:"newest files that stay, 1 .. 100"`
	Restore bool     `toml:"restore" comment:"go on with the newest sound file at the start; false begins fresh, and its saves replace the old ones in time"`
}

// DefaultMemory returns the defaults of B.9: every 300 s and at the stop, five
// files.
func DefaultMemory() Memory {
	return Memory{Period: Duration(300 * time.Second), Keep: 5, Restore: true}
}

// Limits of the time between two saves: below, the disk does nothing else.
const (
	minMemoryPeriod = time.Second
	maxMemoryPeriod = 24 * time.Hour
)

// check checks section [memory].
func (c Memory) check(k *checker) {
	k.text("memory.path", c.Path)
	k.span("memory.period", c.Period, minMemoryPeriod, maxMemoryPeriod, "the stop only")
	k.whole("memory.keep", int64(c.Keep), 1, 100)
}
