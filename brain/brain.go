package brain

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

const deg = math.Pi / 180

// A Brain drives a body with a field. See the package comment.
type Brain struct {
	body     robot.Body
	engine   field.Engine
	reflexes *safety.Reflexes
	clock    robot.Clock
	params   Params

	tick   uint64
	strain safety.Causes // what the loop reports of itself
	dt     float64       // s
	raw    robot.State   // as sensed; what the reflexes judge
	state  robot.State   // the same without what no sensor can give
	in     field.Input
	out    *field.Output

	senses  senses  // what of the state is new, odometry, sensory vector
	line    line    // line under the floor bar
	goal    goal    // target, seen or remembered
	points  points  // operating points of heading, speed and gaze
	ahead   ahead   // what stands in the way
	escape  escape  // backing out of dead ends
	stall   stall   // wheels turn, the car does not
	limiter limiter // smooth speed outside reflexes
	wheels  wheels  // steering within its rate

	explorer *explorer // belief and planner, nil when switched off

	ladder   [NumRungs]Rung
	governor Governor // chooses the rung

	trace  Trace
	remote Remote
}

// New builds a brain that is disarmed and at rest. The clock is read once per
// stage boundary and must be the body's.
func New(body robot.Body, engine field.Engine, clock robot.Clock, p Params) (*Brain, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	reflexes, err := safety.New(p.Safety)
	if err != nil {
		return nil, fmt.Errorf("brain: %w", err)
	}
	b := &Brain{
		body: body, engine: engine, reflexes: reflexes, clock: clock, params: p,
		dt: p.Period.Seconds(), out: restingOutput(),
	}
	b.ladder = Ladder()
	if b.governor, err = NewGovernor(p.Period, p.Budget, p.Quality); err != nil {
		return nil, err
	}
	b.take(b.governor.Choice().Rung)
	if b.explorer, err = newExplorer(&p); err != nil {
		return nil, fmt.Errorf("brain: %w", err)
	}
	b.points = newPoints()
	b.ahead = newAhead()
	b.escape.key = p.Key
	b.remote.brain = b
	return b, nil
}

// Tick runs one cycle released at now: sense, encode, step, decode, reflex,
// act, observe. The returned trace belongs to the brain and is valid until the next.
func (b *Brain) Tick(now time.Duration) *Trace {
	t := b.begin(now)

	b.body.Sense(&b.raw) // newest readings in SI, each with its age
	t.lap(Sense, b.clock)

	b.encode(now) // state → sensory vector, stimuli, beams, drive
	t.lap(Encode, b.clock)

	// The step predicts and learns; match and plan will join it (field.Prep.Tick).
	out, err := b.engine.Step(&b.in) // τ du/dt = −u + h + S + w∗f(u), and its marginals
	t.lap(Step, b.clock)

	want := b.decode(now, out, err) // peaks and gradients → steering, speed, gaze
	t.lap(Decode, b.clock)

	t.Command, t.Causes = b.reflexes.Apply(&b.raw, want) // cliffs and walls overrule
	t.lap(Reflex, b.clock)

	t.note(err, b.body.Act(t.Command)) // newest command to the bus owner
	t.lap(Act, b.clock)

	b.observe(t)        // a long tick makes the next ones do less
	b.remote.publish(t) // whoever watches gets a copy, if nobody holds it
	return t
}

// begin starts a trace and carries out what people asked for since.
func (b *Brain) begin(now time.Duration) *Trace {
	b.remote.obey()
	held := b.reflexes.Status().Level
	b.trace = Trace{Tick: b.tick, Now: now, Rung: b.governor.Choice().Rung, held: held, mark: b.clock.Now()}
	b.tick++
	return &b.trace
}

// decode turns the field's output into the wanted command. An engine that
// failed leaves the last output behind and the car standing.
func (b *Brain) decode(now time.Duration, out *field.Output, err error) robot.Command {
	fault := b.strain
	if err != nil {
		fault |= safety.EngineFault
	} else {
		b.out = out
	}
	b.reflexes.Report(fault)
	b.points.update(b.out, b.params.Period)
	b.ahead.look(b.out, b.points.heading)
	b.stall.update(b)
	b.escape.update(b)
	want := b.wanted()
	want.At, want.Data = now, b.senses.oldest
	if err != nil {
		want.Speed, want.Brake = 0, true
	}
	return want
}

// driving reports whether the car may move at all: a car held still by its
// reflexes neither escapes nor stalls.
func (b *Brain) driving() bool { return b.trace.held < safety.Stopped }

// Remote returns the handle that other goroutines use.
func (b *Brain) Remote() *Remote { return &b.remote }

// Arm lets the motors run, or says what stands against it. Owner only.
func (b *Brain) Arm() error { return b.reflexes.Arm() }

// Disarm makes the motors inert with the next tick. Owner only.
func (b *Brain) Disarm() { b.reflexes.Disarm() }

// Trip disarms for a reason only the caller can see, which Status then shows as
// what disarmed the car. Owner only.
func (b *Brain) Trip(why safety.Causes) { b.reflexes.Trip(why) }

// Strained tells the brain whether its loop misses too many periods: while it
// does, the reflexes cap the speed and refuse to arm. Owner only.
func (b *Brain) Strained(on bool) {
	b.strain = 0
	if on {
		b.strain = safety.Overrun
	}
}

// Engine returns the engine that steps the field.
func (b *Brain) Engine() field.Engine { return b.engine }

// restingOutput is what decode reads before the first step.
func restingOutput() *field.Output { return &field.Output{Obstacle: new([field.Plane]float32)} }
