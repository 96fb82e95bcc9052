package behave

import (
	"errors"
	"fmt"
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/failover"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/hat"
)

// A ride is a brain on the bench with a hook around every tick.
type ride struct {
	rig    *testbench.Rig
	mind   *Mind
	silent bool // the loop hangs: no ticks
	armed  bool
	after  func(now time.Duration, t *brain.Trace)
}

// ride seats a brain in a scenario; wrap puts a body between it and the driver.
func (run *runner) ride(scenario string, seed uint64, wrap func(robot.Body) robot.Body) (*ride, error) {
	rig, err := testbench.NewRig(run.newCourse(1, scenario).sc[0], seed, nil)
	if err != nil {
		return nil, fmt.Errorf("behave: %s: %w", scenario, err)
	}
	s := rig.Vehicle(run.Period)
	if wrap != nil {
		s.Body = wrap(s.Body)
	}
	r := &ride{rig: rig}
	if r.mind, err = run.Make(s, Variant{}); err != nil {
		return nil, err
	}
	rig.Drive(run.Period, r.tick)
	return r, nil
}

func (r *ride) tick(now time.Duration) {
	if r.silent {
		return
	}
	t := r.mind.Brain.Tick(now)
	if r.after != nil {
		r.after(now, t)
	}
	r.armed = r.armed || r.mind.Brain.Arm() == nil
}

// duty returns the larger of the motors' duties on the board's pins.
func (r *ride) duty() (d float64) {
	r.rig.Board.CatchUp(func(_ time.Duration, out *hat.Outputs) { d = max(out.Duty[12], out.Duty[13]) })
	return d
}

// silence lets the loop hang after seconds of driving and returns when the
// motors begin to slow down and when they are dead, in s after the last command.
func (run *runner) silence(seed uint64) (begins, dead float64, err error) {
	r, err := run.ride("room", seed, nil)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, r.mind.Close()) }()
	var last time.Duration
	r.after = func(now time.Duration, _ *brain.Trace) { last = now }
	r.rig.AdvanceTo(5*time.Second + time.Duration(seed)*137*time.Millisecond)
	for range 400 { // it may stand between two strokes
		if r.duty() > 0 {
			break
		}
		r.rig.AdvanceTo(last + run.Period)
	}
	r.silent = true
	before := r.duty()
	begins, dead = math.NaN(), math.NaN()
	if before == 0 {
		return begins, dead, nil // it did not drive: nothing is shown
	}
	for t := last; t < last+time.Second && math.IsNaN(dead); t += time.Millisecond {
		r.rig.AdvanceTo(t)
		d := r.duty()
		if d < before && math.IsNaN(begins) {
			begins = (t - last).Seconds()
		}
		if d == 0 {
			dead = (t - last).Seconds()
		}
	}
	return begins, dead, nil
}

// losing is S1. There is no network link: the car can lose its commands, when
// the loop hangs or dies, and the bus to the motors.
func losing() entry {
	buses := []string{"storm", "hungbus", "stuckbus", "hat-off", "brownout"}
	return entry{id: "S1", name: "stop after a lost link", scene: "the loop hangs while the car drives; the bus fails in five ways", seeds: 10, prepare: func(run *runner, n int) experiment {
		begins, dead := make(values, n), make(values, n)
		c := run.newCourse(n, buses...)
		c.enter(Brain, Brain, Variant{})
		for i := range n {
			c.jobs = append(c.jobs, func() error {
				b, d, err := run.silence(uint64(i + 1))
				begins[i], dead[i] = of(b)[0], of(d)[0]
				return err
			})
		}
		return experiment{jobs: c.jobs, exact: c.exact, judge: func() []Check {
			all := slowed(begins, dead)
			for i, sc := range c.sc {
				k := check("cut_s", atMost, 0.150, c.runs[i].metric(Brain, "cut_s"))
				k.Scenario = sc.Name
				all = append(all, k)
			}
			return all
		}}
	}}
}

// slowed judges a loop that hangs. The lease ends at 150 ms (R4); the bus owner
// then needs one write.
func slowed(begins, dead values) []Check {
	slow, out := check("slowing_after_s", atMost, 0.155, begins), check("dead_after_s", atMost, 0.255, dead)
	slow.Scenario, out.Scenario = "loop hangs", "loop hangs"
	slow.Note = "the lease of 150 ms and one write on the bus, 5 ms"
	out.Note = "and R4's ramp of 100 ms"
	return []Check{slow, out}
}

// freezing is S2: the reflexes flag a front sonar that repeats itself, R3 holds
// while it does, and it ends with the fault.
func freezing() entry {
	return entry{id: "S2", name: "frozen sensor", scene: "the front sonar repeats one echo for 10 s (scenario frozen)", seeds: 10, prepare: func(run *runner, n int) experiment {
		flagged, cleared, fastest := make(values, n), make(values, n), make(values, n)
		c := run.newCourse(1, "frozen")
		p := experiment{exact: c.exact}
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				f, g, v, err := run.freeze(uint64(i + 1))
				flagged[i], cleared[i], fastest[i] = of(f)[0], of(g)[0], of(v)[0]
				return err
			})
		}
		p.judge = func() []Check {
			return []Check{
				check("flagged_after_s", atMost, 1, flagged), check("cleared_after_s", atMost, 1, cleared),
				check("speed_while_flagged_mps", atMost, float64(safety.Default().Range.Creep), fastest),
			}
		}
		return p
	}}
}

// freeze drives S2: s from the fault's beginning to the flag, from its end to the
// flag's, and the highest speed commanded in between.
func (run *runner) freeze(seed uint64) (flagged, cleared, fastest float64, err error) {
	r, err := run.ride("frozen", seed, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { err = errors.Join(err, r.mind.Close()) }()
	fault := r.rig.Scenario.Faults[0]
	flagged, cleared = math.NaN(), math.NaN()
	r.after = func(now time.Duration, t *brain.Trace) {
		is := t.Causes&safety.FrozenSensor != 0
		switch {
		case is && math.IsNaN(flagged) && now.Seconds() >= fault.From: // not before it
			flagged = now.Seconds() - fault.From
		case !is && !math.IsNaN(flagged) && math.IsNaN(cleared):
			cleared = now.Seconds() - fault.Until
		}
		if is {
			fastest = max(fastest, float64(t.Command.Speed))
		}
	}
	r.rig.AdvanceTo(time.Duration(fault.Until*float64(time.Second)) + 2*time.Second)
	return flagged, cleared, fastest, nil
}

// errLost is the error of S4's engine.
var errLost = errors.New("behave: the engine is lost")

// A mortal engine fails from its n-th step on.
type mortal struct {
	field.Engine
	steps, last int
}

// Step implements field.Engine.
func (m *mortal) Step(in *field.Input) (*field.Output, error) {
	if m.steps++; m.steps >= m.last {
		return nil, errLost
	}
	return m.Engine.Step(in)
}

// fallingOver is S4, with one processor's engine in the card's place.
func fallingOver() entry {
	return entry{id: "S4", name: "engine lost while driving", scene: "the room; the primary engine of a fail-over dies at a tick of the seed's, another steps on", seeds: 10, prepare: func(run *runner, n int) experiment {
		late, jump, way := make(values, n), make(values, n), make(values, n)
		var p experiment
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				const never = 1 << 30
				at := 401 + i*331
				lost, err := run.lose(uint64(i+1), at, at)
				if err != nil {
					return err
				}
				whole, err := run.lose(uint64(i+1), at, never)
				late[i], jump[i], way[i] = of(lost.late)[0], of(lost.jump)[0], of(lost.way / whole.way)[0]
				return err
			})
		}
		p.judge = func() []Check {
			return []Check{check("ticks_without_output", atMost, 2, late), check("motor_jump", atMost, 0.1, jump), check("way_after_over_undisturbed", atLeast, 0.8, way)}
		}
		return p
	}}
}

// A loss is what S4 measures: ticks without an output, the largest change of a
// motor from one command to the next around an instant, as a share of its range,
// and the metres driven in the 2 s after it.
type loss struct{ late, jump, way float64 }

// lose drives the room to 400 ticks after the instant; the primary engine dies at
// the last tick given.
func (run *runner) lose(seed uint64, at, last int) (s loss, err error) {
	rig, err := testbench.NewRig(run.newCourse(1, "room").sc[0], seed, nil)
	if err != nil {
		return s, err
	}
	p := field.Default()
	p.Period, p.Key = brain.Default().Period, uint32(seed)
	var engines [2]field.Engine
	for i := range engines {
		if engines[i], err = run.Field(p, ""); err != nil {
			return s, err
		}
	}
	both := failover.New(&mortal{Engine: engines[0], last: last}, engines[1], p.Period)
	defer func() { err = errors.Join(err, both.Close()) }()
	settings := brain.Default()
	settings.Wheelbase = float32(rig.Params.Cal.Body.Wheelbase)
	b, err := brain.New(rig.Body(), both, rig.Clock(), settings)
	if err != nil {
		return s, err
	}
	n := 0
	var before robot.Command
	rig.Drive(p.Period, func(now time.Duration) {
		t := b.Tick(now)
		both.Mirror()
		if n++; n >= at-3 && n < at+40 {
			s.jump = max(s.jump, leap(before, t.Command))
		}
		if n > at {
			s.way += math.Abs(float64(t.Command.Speed)) * p.Period.Seconds()
		}
		s.late += yes(t.Err != nil)
		before = t.Command
		_ = b.Arm() // refused until the car is ready; then it does nothing
	})
	rig.AdvanceTo(rig.Clock().Now() + time.Duration(at+400)*p.Period)
	if fell := both.State().Standby; fell != (last <= at) {
		s.jump = math.NaN() // it did not fall over, or fell without a reason: nothing is shown
	}
	return s, nil
}

// leap is S4's discontinuity from one command to the next.
func leap(a, b robot.Command) float64 {
	limits := robot.DefaultLimits()
	speed := math.Abs(float64(a.Speed-b.Speed)) / float64(limits.Speed)
	steer := math.Abs(float64(a.Steering-b.Steering)) / float64(limits.Steering)
	return max(speed, steer)
}
