package picarx

import "time"

// Starved replaces the question whether the bus owner's thread is ready without
// running; call it before Run.
func Starved(c *Car, ask func() bool) { c.starved = ask }

// Unheard says why a stop was not acknowledged that began now, after so many late
// silences, where Run's threads step the car.
func Unheard(c *Car, lates uint64) Reason {
	c.running.Store(true)
	defer c.running.Store(false)
	return c.unheard(c.clock.Now(), lates)
}

// The vendor's formulas, for their golden tables.
var (
	ServoCount   = servoCount
	DutyCount    = dutyCount
	DecodeADC    = decodeADC
	BatteryVolts = batteryVolts
)

// A Supply makes up for the pack's voltage.
type Supply = supply

// Read takes a plausible voltage.
func (s *supply) Read(v, nominal float64, at time.Duration, driven bool) {
	s.read(v, nominal, at, driven)
}

// Factor returns what the wheels' speeds are multiplied by.
func (s *supply) Factor(now, period time.Duration, still bool) float64 {
	return s.factor(now, supplyFresh*period, still)
}
