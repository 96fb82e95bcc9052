package fieldbrain_test

import (
	"fmt"
	"math"
	"time"

	"fieldbrain"
	"fieldbrain/field"
	"fieldbrain/testbench"
)

// A cart is a body of our own: wheels and one range sensor, in front of a wall that
// stands at x = 3 m. It is where its rear axle is, and its nose is lead ahead of that.
type cart struct {
	clock   fieldbrain.Clock
	last    time.Duration
	x, y    float64 // m
	heading float64 // rad
	command fieldbrain.Command
}

// lead is how far ahead of its rear axle a PiCar-X has its sonar, in m.
const lead = 0.11

// Sense copies what the sensors say: the distance to the wall straight ahead, and
// the battery, without which no brain arms.
func (c *cart) Sense(s *fieldbrain.State) {
	now := c.clock.Now()
	c.roll(now)
	*s = fieldbrain.State{Now: now, CommandedSpeed: c.command.Speed, CommandedSteering: c.command.Steering}
	s.Battery = fieldbrain.Reading{Value: 7.6, At: now, OK: true}
	if ahead := (3-c.x)/math.Cos(c.heading) - lead; ahead > 0 && ahead < 4 {
		fieldbrain.Echo(s, 0, ahead, now)
	}
}

// Act takes a command.
func (c *cart) Act(command fieldbrain.Command) error {
	c.command = command
	return nil
}

// Halt stops.
func (c *cart) Halt() error {
	c.command = fieldbrain.Command{}
	return nil
}

// roll moves the cart on under the last command: a bicycle without inertia.
func (c *cart) roll(now time.Duration) {
	dt := (now - c.last).Seconds()
	c.last = now
	if !c.command.Enable {
		return
	}
	speed := float64(c.command.Speed)
	c.heading += speed * math.Tan(float64(c.command.Steering)) / 0.1 * dt
	c.x += speed * math.Cos(c.heading) * dt
	c.y += speed * math.Sin(c.heading) * dt
}

// A body of your own needs three methods. Here it drives for twelve seconds of
// virtual time, and turns before the wall.
func ExampleNew() {
	clock := &testbench.Virtual{}
	body := &cart{clock: clock}
	o := fieldbrain.Default()
	o.Clock, o.Arm = clock, true
	b, err := fieldbrain.New(body, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	if err := b.Advance(12 * time.Second); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("clear of the wall:", body.x < 2.86, "moved:", math.Hypot(body.x, body.y) > 1, "turned:", math.Abs(body.heading) > math.Pi/6)
	_, mass := b.Heading()
	fmt.Println("the field has decided:", mass > 1)
	// Output:
	// clear of the wall: true moved: true turned: true
	// the field has decided: true
}

// A field without a car: two stimuli compete on one channel, and a single peak forms
// at the stronger one.
func ExampleStimulus() {
	o := fieldbrain.Default()
	engine, err := o.Processor()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()
	var in field.Input
	in.Add(fieldbrain.Stimulus(field.Line, 6, 0.6, 0.4))
	in.Add(fieldbrain.Stimulus(field.Line, 4, -1.2, 0.4))
	in.Quality = field.Full()
	var out *field.Output
	for range 200 { // one second
		if out, err = engine.Step(&in); err != nil {
			fmt.Println(err)
			return
		}
		in.Tick++
	}
	bearing, mass := fieldbrain.Peak(out, field.Line)
	fmt.Printf("peak at %.1f rad: %v\n", bearing, mass > 1)
	// Output: peak at 0.6 rad: true
}
