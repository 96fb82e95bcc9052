package plant

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/world"
)

// Tick is the plant's step.
const Tick = time.Millisecond

// PWM channels a PiCar-X uses (docs/hardware.md 2.1).
const (
	steeringChannel = 2
	rightChannel    = 12
	leftChannel     = 13
)

// standing is the speed below which the car counts as standing, in m/s.
const standing = 1e-4

// moverMargin is the gap at which a moving obstacle waits for the car, in m.
const moverMargin = 0.02

// A Pose is where the car is: the middle of its rear axle and its heading.
type Pose struct {
	At      world.Vec
	Heading float64 // rad, in [-pi, pi)
}

// A Car is the simulated PiCar-X. Read its fields only while its board is
// at rest; nothing outside the package sets them.
type Car struct {
	Pose
	Speed    float64       // m/s along the heading
	Steering float64       // rad, wheel angle
	Volts    float64       // V at the pack's terminals
	Amps     float64       // A out of the pack
	Yaw      float64       // rad/s
	Gap      float64       // m from the body to the nearest surface
	Contact  bool          // whether it touches something
	Contacts int           // how often it began to
	Odometer float64       // m driven, both ways
	Heard    [8]float64    // m, what each sonar's newest ping met, before noise; +Inf for nothing
	Now      time.Duration // instant of the last step

	params  Params
	world   *world.World
	sectors []int
	start   time.Duration
	step    time.Duration // instant of the next step
	grip    float64       // Tick's share of the motor lag
	face    world.Vec     // unit vector of Heading

	sonar  [8]noise.Stream // one per sonar
	soft   [8]noise.Stream // likewise: which surfaces lose this ping
	floor  [3]noise.Stream
	spread [3]float64
	adc    noise.Stream
	beacon noise.Stream

	// The car calls OnStep, when not nil, after every step with the outputs
	// that held during it.
	OnStep func(c *Car, out *hat.Outputs)
}

// New returns a car standing at a pose in the world at the instant 0. It panics when
// a profile has more sonars than it can hold.
func New(p Params, w *world.World, at Pose, profile Profile, seed uint64) (*Car, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	c := &Car{
		Pose: at, Volts: p.OpenVolts, params: p, world: w,
		sectors: profile.Sectors(), step: Tick,
		grip: 1 - exact.Exp(-Tick.Seconds()/p.Lag), face: world.Unit(at.Heading),
		adc: noise.New(seed, "adc"), beacon: noise.New(seed, "beacon"),
	}
	if len(c.sectors) == 0 {
		return nil, fmt.Errorf("plant: unknown profile %q; known are P0 and P1", string(profile))
	}
	for i := range c.sectors {
		c.sonar[i] = noise.New(seed, fmt.Sprint("sonar ", c.sectors[i]))
		c.soft[i] = noise.New(seed, fmt.Sprint("soft ", c.sectors[i]))
	}
	unit := noise.New(seed, "floor sensors")
	for i := range c.floor {
		c.floor[i] = noise.New(seed, fmt.Sprint("floor ", i))
		c.spread[i] = 1 + float64(p.FloorSpread*unit.Normal())
	}
	c.Gap = w.Distance(c.Body().Centre) - p.BodyRadius
	return c, nil
}

// Begin lets the car's time begin at another instant. Call it before Advance.
func (c *Car) Begin(now time.Duration) { c.Now, c.start, c.step = now, now, now+Tick }

// Params returns the car's properties.
func (c *Car) Params() Params { return c.params }

// Sectors returns the range sectors fitted, in the order of their sonars. The
// slice is the car's own.
func (c *Car) Sectors() []int { return c.sectors }

// Body returns the disc that touches things.
func (c *Car) Body() world.Disc {
	return world.Disc{Centre: c.Place(c.params.BodyAhead, 0), Radius: c.params.BodyRadius}
}

// Place returns the world point ahead metres in front of the rear axle's
// middle and left metres beside it.
func (c *Car) Place(ahead, left float64) world.Vec {
	return c.At.Add(world.Vec{X: ahead, Y: left}.Turn(c.face))
}

// Put makes the car stand at a pose from the next step on.
func (c *Car) Put(at Pose) {
	c.Pose, c.face = at, world.Unit(at.Heading)
	c.Speed, c.Yaw, c.Contact = 0, 0, false
	c.Gap = c.world.Distance(c.Body().Centre) - c.params.BodyRadius
}

// Advance runs all steps due by now under constant outputs and returns the
// battery's voltage. Pack replaces the resting voltage unless it is 0.
func (c *Car) Advance(now time.Duration, out *hat.Outputs, pack float64) float64 {
	for c.step <= now {
		c.Now = c.step
		c.move(out, pack)
		c.step += Tick
		if c.OnStep != nil {
			c.OnStep(c, out)
		}
	}
	return c.Volts
}

// move is one step of the equations in the package comment.
func (c *Car) move(out *hat.Outputs, pack float64) {
	p, dt := &c.params, Tick.Seconds()
	c.Volts = c.sag(out, pack)
	left := p.LeftGain * c.wheel(out.Duty[leftChannel], out.Left)
	right := p.RightGain * c.wheel(out.Duty[rightChannel], !out.Right)
	wheels := float64((float64(left)+float64(right))/2) * (1 - p.Slip)
	c.Speed += float64((float64(wheels) - c.Speed) * c.grip)
	c.steer(out.Pulse[steeringChannel], float64(p.ServoRate*dt))
	c.world.Step(Tick, c.Body(), moverMargin)

	before, old := c.Pose, c.face
	gap := c.world.Distance(c.Body().Centre) - p.BodyRadius // a mover may have come closer
	c.Yaw = 0
	if math.Abs(c.Speed) > standing {
		c.Yaw = float64(c.Speed*exact.Tan(c.Steering)) / p.Wheelbase * (1 - p.Skid)
		c.roll(dt)
		next := c.world.Distance(c.Body().Centre) - p.BodyRadius
		if next <= 0 && next < gap { // a contact blocks motion that would deepen it
			c.Pose, c.face, c.Speed, c.Yaw = before, old, 0, 0
			gap = min(gap, 0) // the last step was less than a step short of touching
		} else {
			gap = next
			c.Odometer += math.Abs(float64(c.Speed * dt))
		}
	}
	c.Gap = gap
	c.touch(gap <= 0)
}

// roll moves the pose along the arc of one step (midpoint rule).
func (c *Car) roll(dt float64) {
	half := float64(c.Yaw * dt / 2)
	mid := world.Unit(c.Heading + half)
	c.At = c.At.Add(mid.Scale(float64(c.Speed * dt)))
	c.Heading = exact.Wrap(c.Heading + float64(2*half))
	c.face = world.Unit(c.Heading)
}

// touch keeps the contact flag. A contact ends only a centimetre away, so that
// scraping along a wall is one contact and not a hundred.
func (c *Car) touch(now bool) {
	switch {
	case now && !c.Contact:
		c.Contact = true
		c.Contacts++
	case !now && c.Gap > 0.01:
		c.Contact = false
	}
}

// wheel returns a wheel's speed over ground for its motor's duty.
func (c *Car) wheel(duty float64, backward bool) float64 {
	p := &c.params
	v := p.TopSpeed * max(0, (duty-p.DeadBand)/(1-p.DeadBand)) * (c.Volts / p.Nominal)
	if backward {
		return -v
	}
	return v
}

// sag notes the current of the present load and returns the pack's voltage under
// it.
func (c *Car) sag(out *hat.Outputs, pack float64) float64 {
	p := &c.params
	if pack == 0 {
		pack = p.OpenVolts
	}
	c.Amps = p.IdleAmps + float64(p.MotorAmps*(out.Duty[leftChannel]+out.Duty[rightChannel]))
	return pack - float64(p.Resistance*c.Amps)
}

// steer slews the wheels toward the servo's pulse; without a pulse they stay.
func (c *Car) steer(pulse time.Duration, step float64) {
	if pulse == 0 {
		return
	}
	// 500..2500 us are -90..90 deg on the servo, whose positive is right.
	servo := float64((pulse.Seconds() - 1500e-6) * (math.Pi / 2000e-6))
	want := -float64(c.params.Linkage * (servo + c.params.Trim))
	c.Steering = min(max(want, c.Steering-step), c.Steering+step)
}
