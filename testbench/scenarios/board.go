package scenarios

import (
	"time"

	"fieldbrain/testbench/hat"
)

// A Hat is what differs from the board's defaults.
type Hat struct {
	Clock    int     `toml:"clock_hz" comment:"of the I2C bus, 10000 .. 1000000"`
	Overhead float64 `toml:"overhead_us" comment:"kernel time of a transaction, 0 .. 10000"`
	Boot     float64 `toml:"boot_ms" comment:"from a reset to the first acknowledge, 0 .. 10000"`
	Sticky   bool    `toml:"sticky_desync" comment:"a lost byte shifts all later ones, until a reset"`
	Beams    bool    `toml:"beams" comment:"every range sensor is a sonar on the HAT, one after the other"`
}

// A Fault is one disturbance of the HAT.
type Fault struct {
	Kind        hat.Kind `toml:"kind" comment:"what happens; a wrong word lists the right ones"`
	From        float64  `toml:"from_s" comment:"s since the start, 0 .. 3600"`
	Until       float64  `toml:"until_s" comment:"s; 0 never ends"`
	Probability float64  `toml:"probability" comment:"of each opportunity in that time; 0 means all of them; frozen, echo-hold, off, brownout, zero, battery and reset-deaf have none"`
	Count       int      `toml:"count" comment:"at most so often; 0 means no bound; not with these either"`
	Which       int      `toml:"which" comment:"what strikes a channel or a sonar: ADC channel or sonar number plus one; 0 means all"`
	Value       float64  `toml:"value" comment:"what some kinds need: volts (battery), seconds (echo-ghost, 0 means 80 us), bits (bit-shift, 0 means 1), 1 for zero that sets all to 0"`
}

// HatFaults returns the faults as the board takes them.
func (s *Scenario) HatFaults() []hat.Fault {
	faults := make([]hat.Fault, len(s.Faults))
	for i, f := range s.Faults {
		faults[i] = hat.Fault{
			Kind: f.Kind, From: seconds(f.From), Until: seconds(f.Until),
			Probability: f.Probability, Count: f.Count, Which: f.Which, Value: f.Value,
		}
	}
	return faults
}

// HatParams returns the board's parameters for one run.
func (s *Scenario) HatParams(seed uint64) hat.Params {
	p := hat.Default()
	p.Clock, p.StickyDesync, p.Seed = s.Hat.Clock, s.Hat.Sticky, seed
	p.Overhead = time.Duration(s.Hat.Overhead * float64(time.Microsecond))
	p.Boot = time.Duration(s.Hat.Boot * float64(time.Millisecond))
	return p
}
