package testbench

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// A Vehicle gives a pilot the car and the clock to drive with.
type Vehicle struct {
	Body     robot.Body
	Clock    robot.Clock
	Period   time.Duration // between two ticks
	Scenario *scenarios.Scenario
	Seed     uint64
	Params   picarx.Params // the driver's, calibration included
	Note     func(Peak)    // takes the pilot's heading peak for the track; a pilot may leave it alone
	Rest     func(bool)    // takes whether the pilot stands because people told it to, or has done what they told it; likewise
}

// Reflexes returns the reflexes of this car: its limits, its floor sensors'
// references, and edges looked for where the scenario says so.
func (s Vehicle) Reflexes() (*safety.Reflexes, error) {
	p := safety.Default()
	p.Period, p.Limits = s.Period, s.Params.Limits
	p.Cliff.Enabled = bool(s.Scenario.Brain.Cliff)
	for i, counts := range s.Params.Cal.Floor.Cliff {
		p.Cliff.Reference[i] = float32(counts) / picarx.FloorScale
	}
	return safety.New(p)
}

// A Pilot makes the function that drives: it is called once per period with
// the clock's now. The brain is one, the baselines of this package are others.
type Pilot func(s Vehicle) (tick func(now time.Duration), err error)

// Options vary a run.
type Options struct {
	Period   time.Duration                   // between two ticks; 0 means 5 ms
	Length   time.Duration                   // of virtual time; 0 means the scenario's
	Rows     bool                            // keep the rows of the track, for Track.CSV
	Progress func(done, total time.Duration) // called ten times a virtual second, may be nil
	Stop     func() bool                     // asked as often; true ends the run before its time, may be nil
	Tick     time.Duration                   // how long a tick takes in virtual time, where it costs none
	Unpaced  bool                            // the driver is not told when ticks are released, and reads at its own pace
	Held     bool                            // somebody orders the car to stand from its start, as Rig.Hold says
	Respond  func(picarx.Response)           // takes every response of the driver, may be nil
	After    func(rig *Rig, result *Result)  // called before the verdicts, may be nil
	Map      *oracle.Map                     // of the same scenario and seed, to hold the run against; nil leaves the shares out
}

// DefaultPeriod is the brain's period (docs/decisions/0003).
const DefaultPeriod = 5 * time.Millisecond

// Run drives one scenario with one seed in virtual time.
func Run(sc *scenarios.Scenario, seed uint64, pilot Pilot, o Options) (*Result, error) {
	rig, err := NewRig(sc, seed, nil)
	if err != nil {
		return nil, fmt.Errorf("testbench: build %s: %w", sc.Name, err)
	}
	if o.Period == 0 {
		o.Period = DefaultPeriod
	}
	length := o.Length
	if length == 0 {
		length = sc.Length()
	}
	if o.Rows {
		rig.KeepRows(length)
	}
	rig.unpaced, rig.tick, rig.ordered = o.Unpaced, o.Tick, o.Held
	rig.Compare(o.Map)
	tick, err := pilot(rig.Vehicle(o.Period))
	if err != nil {
		return nil, fmt.Errorf("testbench: pilot for %s: %w", sc.Name, err)
	}
	rig.Drive(o.Period, tick)
	const slice = 100 * time.Millisecond
	for t := slice; !rig.Over(); t += slice {
		rig.AdvanceTo(rig.start + min(t, length))
		rig.respond(o.Respond)
		if o.Progress != nil {
			o.Progress(min(t, length), length)
		}
		if t >= length || o.stopped() {
			break
		}
	}
	r := rig.ResultOf(length)
	if o.After != nil {
		o.After(rig, r)
	}
	rig.actors[tickActor].run = nil // nobody overrules the last stop
	if err := rig.Driver.Halt(); err != nil && !picarx.LateStop(err) && !rig.disturbed() {
		return nil, fmt.Errorf("testbench: end of %s: %w", sc.Name, err)
	}
	return r, nil
}

// stopped reports whether the caller wants no more.
func (o *Options) stopped() bool { return o.Stop != nil && o.Stop() }

// disturbed reports whether a fault keeps the HAT from acknowledging a stop, or has done
// so less than aftermath ago.
func (r *Rig) disturbed() bool {
	const aftermath = time.Second // a back-off
	now := r.Elapsed()
	for _, f := range r.Scenario.HatFaults() {
		if now >= f.From && (f.Until == 0 || now < f.Until+aftermath) {
			return true
		}
	}
	return false
}

// respond hands on the responses that have come.
func (r *Rig) respond(take func(picarx.Response)) {
	if take == nil {
		return
	}
	for n := len(r.responses); n == len(r.responses); {
		n = r.Driver.Responses(r.responses[:])
		for _, x := range r.responses[:n] {
			take(x)
		}
	}
}

// Vehicle returns this rig's vehicle for a pilot.
func (r *Rig) Vehicle(period time.Duration) Vehicle {
	return Vehicle{
		Body: r.body, Clock: r.clock, Period: period,
		Scenario: r.Scenario, Seed: r.seed, Params: r.Params,
		Note: r.recorder.account.note, Rest: r.recorder.resting.Store,
	}
}

// Over reports whether the run's own end has come: goal, exit or a fall.
func (r *Rig) Over() (over bool) {
	r.Board.CatchUp(func(time.Duration, *hat.Outputs) {
		if over = r.recorder.fellAt != never; over {
			return
		}
		switch r.Scenario.Stop {
		case "goal":
			over = r.recorder.goalAt != never
		case "exit":
			over = r.recorder.exitAt != never
		}
	})
	return over
}

// ResultOf is Result for a run of another length than the scenario's: it scales
// limits on metrics that grow with time in proportion.
func (r *Rig) ResultOf(length time.Duration) *Result {
	r.share = min(1, length.Seconds()/r.Scenario.Duration)
	return r.Result()
}

// Result measures the run up to now and judges it as a single run. It may be
// called again later.
func (r *Rig) Result() *Result {
	res := &Result{Scenario: r.Scenario.Name, Spec: r.Scenario.Spec, Seed: r.seed}
	stats := r.Driver.Stats()
	res.Resets, res.BusErrors = stats.Resets, stats.Errors
	res.Faults = r.Board.Stats().Faults
	struck := r.Board.Struck()
	m := &r.recorder
	r.Board.CatchUp(func(now time.Duration, _ *hat.Outputs) {
		// A transaction may have carried the clock past the end by microseconds.
		res.Seconds = (now - r.start).Round(time.Millisecond).Seconds()
		res.Ticks = m.ticks
		m.fill(res)
		m.halt.fill(res, now)
		r.allow(res)
		r.note(res, struck)
		res.Track = &Track{World: r.world, Body: r.car.Params(), Trail: m.trail, Rows: m.account.rows, Events: m.events}
	})
	m.way.fill(res)
	res.share, res.ordered = r.share, r.ordered
	res.Verdicts, res.Pass = Judge(r.Scenario, []*Result{res})
	return res
}

// fill copies the command statistics.
func (w *commands) fill(res *Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if seconds := (w.last - w.first).Seconds(); seconds > 0 {
		res.Steering = w.total / seconds * 180 / math.Pi
		res.Reversals = float64(w.reverse) / seconds
	}
	res.Throttle = w.steps
	if res.Ticks == 0 {
		res.Ticks = w.n
	}
}

// fill copies the measurements of the plant's steps.
func (m *recorder) fill(res *Result) {
	r := m.rig
	res.Collisions, res.Distance = r.car.Contacts, r.car.Odometer
	res.MinGap, res.Stuck, res.Stops, res.IdleStops = m.minGap, m.stuck, m.stops, m.idleStops
	if math.IsInf(res.MinGap, 1) {
		res.MinGap = world.Reach // JSON knows no infinity: nothing is as near
	}
	res.MinVolts = m.lowestVolt
	res.Trajectory = fmt.Sprintf("%016x", m.hash)
	res.Coverage = float64(m.entered) / float64(len(m.cells))
	m.waste.fill(res)
	m.impacts.fill(res)
	res.Energy = m.joules
	if m.fellAt != never {
		res.Falls, res.Unwarned, res.Fall = 1, m.unwarned, m.fall
	}

	value := func(x float64) *float64 { return &x }
	since := func(t time.Duration) *float64 { return value((t - r.start).Seconds()) }
	if m.goalAt != never {
		res.Goal = since(m.goalAt)
		res.PathRatio = value(m.goalWay / max(m.goalLine-r.Scenario.World.Goal.Radius, 0.01))
	}
	if m.exitAt != never {
		res.Exit = since(m.exitAt)
	}
	if m.lateral.n > 0 {
		res.LateralRMS, res.LateralMax = value(m.lateral.rms()), value(m.lateral.max)
	}
	if m.line.n > 0 {
		res.LineRMS, res.LineMax = value(m.line.rms()), value(m.line.max)
		res.LineLost = value(m.longLost.Seconds())
	}
	if e := &m.edge; len(r.world.Floor.Table) > 0 {
		res.Crossings = value(float64(e.crossings))
		res.Wheels, res.Corners = value(float64(e.wheels)), value(float64(e.corners))
		if e.crossings > 0 {
			res.Latency, res.Leave = value(e.latency.Seconds()), value(e.leave.Seconds())
			res.StopWay = value(e.way)
		}
	}
}
