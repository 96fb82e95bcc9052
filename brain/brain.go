package brain

import (
	"fmt"
	"time"

	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/brain/reckoning"
	"fieldbrain/brain/route"
	"fieldbrain/brain/table"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// A Brain drives a body with a field. See the package comment.
type Brain struct {
	body     robot.Body
	engine   field.Engine
	reflexes *safety.Reflexes
	clock    robot.Clock
	params   Params

	tick   uint64
	strain safety.Causes // the loop's report on itself
	guard  safety.Causes // and on the guard
	idle   time.Duration // for which the car has been disarmed
	aloft  bool          // it has been lifted meanwhile
	dt     float64       // s
	raw    robot.State   // as sensed; the reflexes judge it
	state  robot.State   // the same without impossible readings
	in     field.Input
	out    *field.Output
	causes safety.Causes // of the last tick's reflexes

	encoder                       // readings to stimuli
	decoder                       // peaks to a command
	odometry   odometry           // where the car is
	reckoning  reckoning.Reckoner // the same from this start, and how sure that is
	guide      guide              // the way
	progress   progressWatch      // whether it leads anywhere
	terrain    terrain            // the ground around it
	explorer   *explorer          // belief and planner, idle when nobody asks for them
	outcomes   outcomes           // what turned out well or badly
	missions   missions           // what people ordered
	manual     manualControl      // who drives
	parameters parameters         // what people set
	full       plan.Effort        // of planning, on the best rung

	ladder   [quality.NumRungs]quality.Rung
	governor quality.Governor // chooses the rung

	trace  Trace
	remote Remote

	input  TickInput // by the newest tick, from outside
	coming TickInput // of it, what the owner did since
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
	b.ladder = quality.Ladder()
	b.missions.begin(&p)
	b.manual.Driver = DriverBrain
	if b.full = p.Effort; !b.full.On() {
		b.full = plan.Full() // for an order that wants plans
	}
	if b.governor, err = quality.New(p.Period, p.Budget, p.Quality); err != nil {
		return nil, fmt.Errorf("brain: %w", err)
	}
	if b.terrain, err = newTerrain(); err != nil {
		return nil, fmt.Errorf("brain: %w", err)
	}
	if b.explorer, err = newExplorer(&p); err != nil {
		return nil, fmt.Errorf("brain: %w", err)
	}
	b.guide.finder = route.New()
	b.take(b.governor.Choice().Rung)
	b.decoder = newDecoder(&b.params)
	b.parameters.now = b.params.settings()
	b.remote.reflexes, b.remote.top, b.remote.start, b.remote.spans = reflexes, p.Top, b.parameters.now, spans(p.Top)
	b.remote.lines, b.remote.status.Settings = p.seesLine(), b.parameters.now
	if p.Safety.Cliff.Enabled {
		b.carried = reflexes.Carried
	}
	return b, nil
}

// Tick runs one cycle released at now: sense, encode, step, decode, reflex,
// act, observe. The returned trace belongs to the brain and is valid until the next.
func (b *Brain) Tick(now time.Duration) *Trace {
	t := b.begin(now)

	b.body.Sense(&b.raw) // newest readings in SI, each with its age
	b.input.State = b.raw
	t.lap(Sense, b.clock)

	b.encode(now) // state → sensory vector, stimuli, beams, drive
	t.lap(Encode, b.clock)

	// The step predicts, recalls and learns too (field.Prep).
	out, err := b.engine.Step(&b.in) // τ du/dt = −u + h + S + w∗f(u), and its marginals
	t.lap(Step, b.clock)

	want := b.decode(now, out, err) // peaks and gradients → steering, speed, gaze
	t.lap(Decode, b.clock)

	t.Command, t.Causes = b.reflexes.Apply(&b.raw, want) // cliffs and walls overrule
	b.causes = t.Causes
	t.lap(Reflex, b.clock)

	t.note(err, b.body.Act(t.Command)) // newest command to the bus owner
	t.lap(Act, b.clock)

	b.input.Laps = t.Laps
	b.observe(t) // a long tick makes the next ones do less
	b.publish(t) // whoever watches gets a copy, if nobody holds it
	return t
}

// begin starts a trace and carries out what people asked for since.
func (b *Brain) begin(now time.Duration) *Trace {
	b.listen(now)
	b.input.Manual = b.remote.steered() // before the order, which gives a lost wheel to the brain
	b.manual.take(&b.input.Manual, now, &b.params.Manual)
	if o, given := b.remote.obey(&b.input); given {
		b.order(o, now)
	}
	if b.input.Asked == AskSet {
		b.set(b.input.Setting)
	}
	held := b.reflexes.Status().Level
	b.trace = Trace{Tick: b.tick, Now: now, Rung: b.governor.Choice().Rung, held: held, mark: b.clock.Now()}
	b.tick++
	return &b.trace
}

// encode turns the newest state into the field's input: it perceives, shows the
// field what it perceived, and adds the wishes of explorer and behaviour.
func (b *Brain) encode(now time.Duration) {
	b.reclaim()
	last, driving := b.decided(), b.driving()
	last.holding = b.stands()

	b.state = b.raw
	discard(&b.state, &b.params.Safety, b.reflexes.Frozen())
	b.perceive(&b.state, b.out, &b.params, now, b.reflexes.FrozenFloor())
	b.pass(b.free())
	b.lift()
	b.locate()
	b.pursue(now)
	b.in.Tick, b.in.Edges = b.tick-1, b.reflexes.Edges()
	b.survey(now)
	way := b.guideInput()
	b.guide.update(&way)
	b.watchProgress()

	b.stimulate(&b.in, &b.state, &last, &b.params)
	began := b.trace.planning(b.explorer.on(), b.clock)
	space := b.explorerInput(&last, driving, now)
	b.explorer.explore(&b.in, &space)
	b.trace.planned(began, b.clock)
	b.input.Outcome = b.remote.told()
	m := b.moment(&last, driving)
	b.in.Outcome = b.outcomes.judge(&m)
	if b.in.Drive = b.drive(&last, &b.guide); b.manual.away() {
		b.in.Drive = b.manual.drive(&b.params)
	}
}

// locate moves the car on by what it did in the last period; a car that was stuck went
// nowhere, and everything that believed it moved takes the way back.
func (b *Brain) locate() {
	b.odometry.move(b.senses.speed, b.senses.yaw, b.dt)
	if !b.stall.Held() {
		return
	}
	from, lost := b.stall.From()
	b.terrain.grid.Retract(from, b.odometry.axle())
	b.guide.retract(from, b.odometry.axle())
	b.reckoning.Retract(b.odometry.axle(), from)
	b.odometry.retract(from)
	b.law.Retract(lost)
	b.stall.TakenBack()
}

// survey brings the ground up to date: the sides of a table, free and occupied floor, and
// who came.
func (b *Brain) survey(now time.Duration) {
	five := b.senses.sides()
	b.guide.table.Update(&table.Look{Way: b.odometry.way, Bend: b.odometry.bend, Edges: b.in.Edges, Sides: five})
	b.terrain.grid.Look(five)
	seen := b.groundInput(now)
	b.terrain.learn(&b.odometry, &seen, &b.params)
	b.senses.watch(b.terrain.last, b.terrain.came, float32(b.dt))
	if b.params.Safety.Cliff.Enabled && !b.stall.Rests() {
		b.guide.hear(&b.terrain, &b.odometry, !five)
	}
}

// reclaim ends the newest tick's work on the plan, before anything that the plan reads
// changes.
func (b *Brain) reclaim() {
	if b.explorer.owes() {
		began := b.trace.planning(true, b.clock)
		b.explorer.reclaim()
		b.trace.planned(began, b.clock)
	}
}

// decode turns the field's output into the wanted command. An engine that
// failed leaves the last output behind and the car standing.
func (b *Brain) decode(now time.Duration, out *field.Output, err error) robot.Command {
	fault := b.strain | b.guard
	if b.line.Blind() { // without cliff detection the reflexes do without the floor
		fault |= safety.FrozenSensor
	}
	if err != nil {
		fault |= safety.EngineFault
	} else {
		b.out = out
	}
	b.input.Fault = err != nil
	b.reflexes.Report(fault)
	in := b.decodeInput(now)
	want := b.decoder.decode(b.out, &in, &b.params)
	want.At, want.SensedAt = now, b.senses.oldest
	if err != nil {
		want.Speed, want.Brake = 0, true
	}
	return want
}

// known is how much the field recalls of where to go, in cells of full output; nothing
// where no beam looks to the sides, as in ahead.leans.
func (b *Brain) known() float64 {
	if !b.senses.sides() {
		return 0
	}
	return float64(b.out.Marginals[field.HeadPref].Sum())
}

// carriedAfter is for how long a car must be disarmed for somebody to have carried it
// elsewhere.
const carriedAfter = 2 * time.Second

// lift forgets the ground, the places and the way the car came when it is armed after a
// break: it may stand elsewhere, and floor wrongly known free is worse than floor not
// known.
func (b *Brain) lift() {
	if b.reflexes.Lifted() {
		b.raise()
	}
	if b.causes.Has(safety.Disarmed) {
		b.idle += b.params.Period
		return
	}
	if b.idle >= carriedAfter {
		b.terrain.grid.Clear()
		b.guide.restore(&Guided{}, 0)
		b.law.Forget()
		b.progress.begin()
		b.line.Forget()
	}
	b.idle, b.aloft = 0, false
}

// raise begins a new frame of the start where the car is put down. The goal of before lies
// anywhere in it, so it is given up; one that is ordered in the hand is of the new frame.
func (b *Brain) raise() {
	b.idle = max(b.idle, carriedAfter)
	b.reckoning.Forget()
	if w := &b.missions.now; !b.aloft && w.Aimed() && !w.Standing.Over() {
		b.missions.end(GivenUp, CarriedOff, b.trace.Now)
	}
	b.aloft = true
}

// driving reports whether the car may move at all: a car held still by its
// reflexes neither escapes nor stalls.
func (b *Brain) driving() bool { return b.trace.held < safety.Stopped }

// free reports whether the car may carry out what it was told: nothing makes it stand, and no
// floor sensor is missing, without which it does not drive forward. Patience counts no other
// time.
func (b *Brain) free() bool {
	return b.driving() && !b.causes.Has(safety.FloorStale) && !b.line.Blind()
}

// idles reports whether the brain has nothing to decide on: people want the car to
// stand, or the wheel is not the brain's.
func (b *Brain) idles() bool { return b.missions.holds() || b.manual.away() }

// stands reports whether people want the car to stand.
func (b *Brain) stands() bool {
	return b.manual.Driver == DriverLost || b.missions.holds() && b.manual.Driver == DriverBrain
}

// observe lets the governor judge the tick and takes the rung that it chooses for
// the next one.
func (b *Brain) observe(t *Trace) {
	around := b.remote.surroundings()
	b.input.Heat, b.input.Save, b.input.Slowed, b.input.Tight = around.Heat, around.Saving, around.Slowed, around.Tight
	b.governor.Update(t.Busy(), around)
	if rung := b.governor.Choice().Rung; rung != t.Rung {
		b.take(rung)
	}
}

// take makes the next tick run as a rung says.
func (b *Brain) take(rung int) {
	r := &b.ladder[rung]
	b.in.Quality = r.Field
	b.explorer.take(r.Plan, b.full)
}

// publish copies the tick's outcome for those who watch, unless one of them holds
// the last copy.
func (b *Brain) publish(t *Trace) {
	s := b.remote.offer()
	if s == nil {
		return
	}
	s.Trace, s.State, s.Safety = *t, b.state, b.reflexes.Status()
	s.Mode = b.Mode()
	s.Heading, s.Input = b.out.Marginals[field.Heading].X, b.out.Heading
	s.Quality = b.governor.Choice()
	s.Prediction, s.Recall = b.out.Prediction, b.out.Recall
	s.Escapes, s.Stalls = b.law.Count(), b.stall.Count()
	s.Hemmed = b.progress.hemmed.stands()
	s.Mission, s.Before, s.Fix, s.Driver = b.missions.now, b.missions.last, b.reckoning.Fix(), b.manual.DriverState
	s.Settings, s.Planner = b.parameters.now, b.explorer.name()
	b.remote.show()
}

// Mode names what the car was about in the newest tick. Owner only.
func (b *Brain) Mode() Mode {
	switch b.manual.Driver {
	case DriverPerson:
		return Driven
	case DriverLost:
		return Resting
	}
	last := b.decided()
	last.holding = b.missions.holds()
	return modeOf(&last, b.line.Following(), b.goal.weight)
}

// Heading returns the peak of the heading decision after the newest tick: its
// bearing in rad, positive left, and its mass in cells of full output, 0 when
// nothing is decided. Owner only.
func (b *Brain) Heading() (bearing, mass float64) {
	position, mass := field.Centroid(&b.out.Marginals[field.Heading].X)
	return field.Bearing(position), mass
}

// restingOutput is what decode reads before the first step.
func restingOutput() *field.Output { return &field.Output{Obstacle: new([field.Plane]float32)} }
