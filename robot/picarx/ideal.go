package picarx

import (
	"time"

	"fieldbrain/robot"
)

// Pins are what holds the motors and the steering servo of a car on a V4 HAT.
type Pins struct {
	Left, Right float64 // duty of the motors, -1 .. 1, negative backwards
	Pulse       float64 // s, high time of the steering servo's pulse
}

// An Ideal turns commands into pins as a Car does whose bus costs no time: the same
// lease, ramps and rest between the two directions, the same counts where the pack
// gives the nominal voltage: it does not measure it. It is for simulators that have no
// bus.
type Ideal struct {
	p     Params
	drive drive
	order order
	zero  bool          // both duties are
	since time.Duration // of that
}

// NewIdeal checks the settings and returns an Ideal at rest.
func NewIdeal(p Params) (*Ideal, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	i := &Ideal{p: p}
	i.Reset(0)
	return i, nil
}

// Reset forgets every command: the car stands, its wheels straight.
func (i *Ideal) Reset(now time.Duration) {
	i.drive.p = &i.p
	i.drive.reset(now)
	i.order, i.zero, i.since = order{}, true, now
}

// Step takes the command that is in force at now and returns the pins from then on.
// It keeps the last one where the command is not finite, as Car.Act does.
func (i *Ideal) Step(now time.Duration, c robot.Command) Pins {
	if c.Finite() {
		c = i.p.Limits.Clamp(c)
		c.At = min(c.At, now)
		i.order = order{Command: c, seq: i.order.seq + 1}
	}
	still := time.Duration(0)
	if i.zero {
		still = now - i.since
	}
	i.drive.step(now, &i.order, -1, still)
	left, right := i.drive.wheels(1)
	if zero := left.count == 0 && right.count == 0; zero != i.zero {
		i.zero, i.since = zero, now
	}
	pulse := uint64(i.drive.steeringCount()) * servoPrescaler * 1_000_000 / 72_000 // ns, of a clock of 72 MHz
	return Pins{
		Left: left.duty(left.high), Right: right.duty(!right.high),
		Pulse: time.Duration(pulse).Seconds(),
	}
}

// duty is the share of the time that a wheel's pin is high, negative backwards.
func (w wheel) duty(backward bool) float64 {
	d := float64(w.count) / (pwmPeriod + 1)
	if backward {
		return -d
	}
	return d
}

// Told returns what Sense would say of the wheels in m/s and of the steering in rad.
func (i *Ideal) Told() (wheel, steering float32) {
	if i.drive.moving() {
		wheel = float32(i.drive.speed)
	}
	return wheel, float32(i.drive.steering)
}
