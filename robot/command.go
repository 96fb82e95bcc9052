package robot

import (
	"math"
	"time"
)

// A Command is what the body shall do until the next one arrives or its lease
// runs out. A tag pb is the name that recordings have for a field.
//
// Brake with a Speed of the motion's sign, or 0, means zero duty at once. Brake
// with a Speed against the motion that the body last told its motors means that
// duty in the other direction at once, without ramp and without a rest between
// the directions, for as long as such commands come and the lease lasts: the
// reverse pulse of the cliff reflex (docs/specification.md B.7 R1, 80 ms). On a
// body at rest it is zero duty.
type Command struct {
	At            time.Duration // instant it was decided; the body's lease counts from here
	SensedAt      time.Duration `pb:"data"` // instant the oldest reading first used by it was ready; 0 when none was new
	Speed         float32       // m/s along x at the rear axle, negative is reverse
	Steering      float32       // rad, wheel angle of the bicycle model, positive left
	Pan           float32       // rad, positive left
	Tilt          float32       // rad, positive up
	Brake         bool          // stop now: skip every ramp; a Speed against the motion is reverse power
	Enable        bool          // false keeps the motors inert whatever Speed says
	IgnoreBattery bool          `pb:"nominal"` // the battery's readings tell nothing: duty as at the nominal voltage
}

// Limits bound a Command. They are the body's, not the brain's: no caller can
// exceed them.
type Limits struct {
	Speed        float32 // m/s, largest magnitude
	Steering     float32 // rad, largest magnitude
	Pan          float32 // rad, largest magnitude
	TiltDown     float32 // rad, lowest tilt (negative)
	TiltUp       float32 // rad, highest tilt
	SteeringRate float32 // rad/s (B.7 R7: 400 deg/s)
	SpeedRate    float32 // m/s per second (B.7 R7: 4 full scales per second)
}

// DefaultLimits returns the PiCar-X's limits: steering 30 deg, pan 90 deg,
// tilt -35..65 deg (SunFounder picar-x v2.0, picarx.py).
func DefaultLimits() Limits {
	const deg = math.Pi / 180
	return Limits{
		Speed: 0.35, Steering: 30 * deg, Pan: 90 * deg,
		TiltDown: -35 * deg, TiltUp: 65 * deg,
		SteeringRate: 400 * deg, SpeedRate: 4 * 0.35,
	}
}

// Finite reports whether every number of the command is a number.
func (c Command) Finite() bool {
	return finite(c.Speed) && finite(c.Steering) && finite(c.Pan) && finite(c.Tilt)
}

// Clamp returns c with every quantity inside the limits. It must be given a
// finite command.
func (l Limits) Clamp(c Command) Command {
	c.Speed = between(-l.Speed, c.Speed, l.Speed)
	c.Steering = between(-l.Steering, c.Steering, l.Steering)
	c.Pan = between(-l.Pan, c.Pan, l.Pan)
	c.Tilt = between(l.TiltDown, c.Tilt, l.TiltUp)
	return c
}

func finite(x float32) bool {
	return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0)
}

func between(low, x, high float32) float32 { return min(max(x, low), high) }
