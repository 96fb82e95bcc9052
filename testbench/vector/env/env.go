package env

import (
	"errors"
	"fmt"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// chunk is how many cars step at a time: they stay in the second cache from their
// actions to their observations.
const chunk = 16 * vector.Lanes

// ErrReset is Step's answer before the first Reset of every car.
var ErrReset = errors.New("env: call Reset before Step")

// ErrClosed is the answer of an environment that is closed.
var ErrClosed = errors.New("env: this environment is closed")

// A car is what the environment knows about one besides its fleet.
type car struct {
	episodes noise.Stream // draws each episode's world and seed
	beacon   noise.Stream
	place    int
	steps    int
	over     bool // its episode has ended: the next step begins another
	known    bool // it has been reset
	total    float64

	speed, steering float32 // told last
	angle           float32 // the steering whose tangent is known
	tangent         float64

	tail              world.Vec // avoid: the rope's end
	left              float64   // goal: m to go
	bearing, nearness float32   // goal: what the camera says
	footing           footing   // line
	away              int       // line: steps off it
}

// An Env is N cars that learn.
type Env struct {
	options Options
	places  []place
	fleet   *vector.Fleet
	cars    []car
	memory  Memory
	limits  [ActionSize]float32
	size    int      // of an observation
	sonars  int      // likewise, of its ranges
	seen    []uint64 // explore: a bit for every cell of every car
	words   int      // of one car
	reach   float64  // m along the line within which a car comes in one step
	parts   int
	crew    *crew
	fresh   int // cars that have never been reset
	closed  bool
}

// New makes worlds and cars. Reset comes before the first Step.
func New(o Options) (*Env, error) {
	o = o.filled()
	if err := o.check(); err != nil {
		return nil, err
	}
	e := &Env{options: o, size: len(o.observations()), sonars: len(o.Profile.Sectors()), fresh: o.Cars}
	var err error
	if e.places, err = places(&o); err != nil {
		return nil, err
	}
	e.fleet, err = vector.New(vector.Options{Cars: o.Cars, Sites: sites(e.places), Profile: o.Profile, ISA: o.ISA})
	if err != nil {
		return nil, fmt.Errorf("env: %w", err)
	}
	for i, a := range Actions() {
		e.limits[i] = a.High
	}
	e.cars = make([]car, o.Cars)
	if o.Task == Explore {
		e.words = (cells(e.places) + 63) / 64
		e.seen = make([]uint64, o.Cars*e.words)
	}
	e.reach = 0.1 + float64(1.5*float64(o.Hold))/1000
	e.memory = NewMemory(o.Cars, e.size)
	e.parts = (o.Cars + chunk - 1) / chunk
	e.crew = newCrew(o.Threads, e.parts, e.part)
	return e, nil
}

// Options returns what the environment was made of, every default filled in.
func (e *Env) Options() Options { return e.options }

// Observations returns what a car observes.
func (e *Env) Observations() []Channel { return e.options.observations() }

// ISA returns the name of the engine that steps.
func (e *Env) ISA() string { return e.fleet.ISA() }

// Memory returns the memory in use: the environment's own, until Use.
func (e *Env) Memory() *Memory { return &e.memory }

// Use makes a memory of the caller the one that Reset and Step work on. It is
// written only by them, and by nobody after Close.
func (e *Env) Use(m Memory) error {
	if err := m.fits(len(e.cars), e.size); err != nil {
		return err
	}
	e.memory = m
	return nil
}

// Step lets every car act for Options.Hold ms.
func (e *Env) Step() error {
	switch {
	case e.closed:
		return ErrClosed
	case e.fresh > 0:
		return ErrReset
	}
	e.crew.run()
	return nil
}

// part steps some of the cars: those that StepPart steps.
func (e *Env) part(k int) {
	blocks := (len(e.cars) + vector.Lanes - 1) / vector.Lanes
	first, last := k*blocks/e.parts*vector.Lanes, min((k+1)*blocks/e.parts*vector.Lanes, len(e.cars))
	for i := first; i < last; i++ {
		e.act(i)
	}
	e.fleet.StepPart(k, e.parts, e.options.Hold)
	for i := first; i < last; i++ {
		e.book(i)
	}
}

// act hands a car its action.
func (e *Env) act(i int) {
	c := &e.cars[i]
	c.speed = within(e.memory.Actions[i*ActionSize], e.limits[0])
	c.steering = within(e.memory.Actions[i*ActionSize+1], e.limits[1])
	p := &e.places[c.place]
	if c.steering != c.angle {
		c.angle, c.tangent = c.steering, exact.Tan(float64(c.steering))
	}
	e.fleet.Act(i, p.pins(float64(c.speed), float64(p.skew*c.tangent), float64(c.steering)))
}

// within returns x no farther from 0 than most, and 0 for what is no number.
func within(x, most float32) float32 {
	if x != x {
		return 0
	}
	return min(max(x, -most), most)
}

// book writes what a car's action came to. A car whose episode had ended before
// begins its next one instead.
func (e *Env) book(i int) {
	c := &e.cars[i]
	if c.over {
		e.begin(i)
		return
	}
	t := e.fleet.Truth(i)
	c.steps++
	reward, cause := e.judge(i, c, &e.places[c.place], &t)
	if cause == Running && c.steps >= e.options.Limit {
		cause = Time
	}
	c.total += reward
	c.over = cause != Running
	e.observe(i, c)
	e.note(i, c, reward, cause)
}

// note writes what came of a step besides the observation.
func (e *Env) note(i int, c *car, reward float64, cause Cause) {
	m := &e.memory
	m.Rewards[i], m.Returns[i], m.Lengths[i], m.Causes[i] = float32(reward), float32(c.total), int32(c.steps), uint8(cause)
	m.Terminated[i], m.Truncated[i] = 0, 0
	switch cause {
	case Running:
	case Time:
		m.Truncated[i] = 1
	default:
		m.Terminated[i] = 1
	}
}

// Close ends the environment's threads. It may be called again.
func (e *Env) Close() {
	e.closed = true
	e.crew.close()
}
