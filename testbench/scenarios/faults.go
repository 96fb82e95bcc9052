package scenarios

import (
	"fmt"
	"math"

	"fieldbrain/testbench/hat"
)

// checkFaults looks at the disturbances of the HAT.
func (s *Scenario) checkFaults(c *checker) {
	c.few("fault", len(s.Faults), 1000)
	for i, f := range s.Faults {
		key := fmt.Sprintf("fault.%d", i)
		c.within(key+".from_s", f.From, 0, 3600)
		c.within(key+".until_s", f.Until, 0, 3600)
		if f.Until != 0 && f.Until <= f.From {
			c.complain(key+".until_s", "choose more than from_s, or 0 for no end", "%v is not after from_s = %v", f.Until, f.From)
		}
		c.within(key+".probability", f.Probability, 0, 1)
		c.within(key+".count", float64(f.Count), 0, 1e6)
		checkLasting(c, key, &f)
		checkValue(c, key+".value", &f)
		s.checkWhich(c, key+".which", f)
	}
}

// checkLasting refuses a chance or a number of times where the fault holds all the time.
func checkLasting(c *checker, key string, f *Fault) {
	if !f.Kind.Lasts() {
		return
	}
	for _, k := range []struct {
		name  string
		value float64
	}{{"probability", f.Probability}, {"count", float64(f.Count)}} {
		if k.value != 0 {
			c.complain(key+"."+k.name, "leave it out; until_s says when it ends", "%v: %s holds from from_s on, and is no event that may happen or not", k.value, f.Kind)
		}
	}
}

// checkValue refuses a value that the kind of fault cannot have.
func checkValue(c *checker, key string, f *Fault) {
	switch f.Kind {
	case hat.Battery: // V
		c.within(key, f.Value, 1, 9)
	case hat.BitShift: // bits
		c.within(key, f.Value, 0, 15)
		if f.Value != math.Trunc(f.Value) {
			c.complain(key, "choose a whole number of bits, 1 .. 15; 0, or none, means 1", "%v is no whole number", f.Value)
		}
	case hat.EchoGhost: // s
		c.within(key, f.Value, 0, 1)
	case hat.Zero:
		if f.Value != 0 && f.Value != 1 {
			c.complain(key, "choose 0 (every output at 1500 us) or 1 (every output at 0)", "%v is neither", f.Value)
		}
	default:
		if f.Value != 0 {
			c.complain(key, "leave it out", "%v: %s takes no value", f.Value, f.Kind)
		}
	}
}

// checkWhich refuses a fault of something that the board does not have or the car does
// not read: it would never strike.
func (s *Scenario) checkWhich(c *checker, key string, f Fault) {
	if f.Which < 0 || f.Which > 8 {
		c.within(key, float64(f.Which), 0, 8)
		return
	}
	if f.Which == 0 {
		return
	}
	switch f.Kind.Strikes() {
	case hat.Whole:
		c.complain(key, "choose 0, or leave it out", "%d: %s strikes the whole HAT, no channel or sonar of it", f.Which, f.Kind)
	case hat.Channels:
		if f.Which == 4 || f.Which > 5 {
			c.complain(key, "choose 1, 2 or 3 (the floor sensors A0 to A2) or 5 (the battery, A4)", "%d: nobody reads ADC channel A%d", f.Which, f.Which-1)
		}
	case hat.Sonars:
		s.checkSonar(c, key, f)
	}
}

// checkSonar refuses a fault of a sonar that is not on the HAT.
func (s *Scenario) checkSonar(c *checker, key string, f Fault) {
	beams, sonars := len(s.Profile.Sectors()), 1
	if s.Hat.Beams {
		sonars = beams
	}
	if beams == 0 || f.Which <= sonars { // without a profile nobody knows how many
		return
	}
	remedy := "choose 1, or 0 for all"
	switch {
	case f.Which <= beams:
		remedy += ", or write beams = true in [hat] to have all of them on it"
	case sonars > 1:
		remedy = fmt.Sprintf("choose 1 .. %d, or 0 for all", sonars)
	}
	c.complain(key, remedy, "%d: the HAT has %d of profile %s's %d range sensors", f.Which, sonars, s.Profile, beams)
}
