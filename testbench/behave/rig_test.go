package behave_test

import (
	"context"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench"
	"fieldbrain/testbench/behave"
)

// spoil says what is wrong with a brain on purpose. The zero value is a good one.
type spoil struct {
	body   func(b robot.Body) robot.Body            // put between brain and driver
	params func(p *brain.Params)                    // changed before the brain is built
	engine func(e field.Engine) field.Engine        // put around the engine
	field  func(p *field.Params)                    // of bare engines
	bare   func(n int, e field.Engine) field.Engine // around the n-th bare engine
}

// options are those of a quick run with a spoiled brain.
func (s spoil) options(only ...string) behave.Options {
	bare := 0
	return behave.Options{
		Make: s.make, Only: only, Seeds: 1, Workers: 2, Period: testbench.DefaultPeriod,
		Engine: "test", Soak: 20 * time.Second,
		Field: func(p field.Params, isa string) (field.Engine, error) {
			if s.field != nil {
				s.field(&p)
			}
			o := cpu.DefaultOptions()
			if isa != "" {
				o.ISA = isa
			}
			e, err := cpu.New(p, o)
			if err != nil || s.bare == nil {
				return e, err
			}
			bare++
			return s.bare(bare, e), nil
		},
	}
}

// make builds a brain as the command does, and spoils it.
func (s spoil) make(seat testbench.Vehicle, v behave.Variant) (*behave.Mind, error) {
	f := field.Default()
	f.Period, f.Key = seat.Period, uint32(seat.Seed)
	o := cpu.DefaultOptions()
	if v.Engine != "" {
		o.ISA = v.Engine
	}
	e, err := cpu.New(f, o)
	if err != nil {
		return nil, err
	}
	p := brain.Default()
	p.SetPeriod(seat.Period)
	p.Key = uint32(seat.Seed)
	p.Wheelbase = float32(seat.Params.Cal.Body.Wheelbase)
	p.SonarLead = float32(seat.Params.Cal.Sonar.Ahead - 0.05)
	task := seat.Scenario.Brain
	p.Cruise, p.FollowLine, p.SeekGoal, p.Safety.Cliff.Enabled = float32(task.Cruise), task.FollowLine, task.Goal, bool(task.Cliff)
	p.Safety.Limits = seat.Params.Limits
	for i, counts := range seat.Params.Cal.Floor.Line {
		p.LineLight[i] = float32(1.2*float64(counts)) / picarx.FloorScale
		p.LineDark[i] = float32(0.4*float64(counts)) / picarx.FloorScale
	}
	if s.params != nil {
		s.params(&p)
	}
	body, engine := seat.Body, field.Engine(e)
	if s.body != nil {
		body = s.body(body)
	}
	if s.engine != nil {
		engine = s.engine(engine)
	}
	b, err := brain.New(body, engine, seat.Clock, p)
	if err != nil {
		return nil, err
	}
	return &behave.Mind{Brain: b, Engine: engine, Close: e.Close}, nil
}

// result runs one behaviour and returns it.
func result(t *testing.T, o behave.Options) *behave.Behaviour {
	t.Helper()
	r, err := behave.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Behaviours) != 1 || r.Passed != r.Behaviours[0].Passed {
		t.Fatalf("%d behaviours, passed %v", len(r.Behaviours), r.Passed)
	}
	return &r.Behaviours[0]
}

// A mirrored body steers to the other side.
type mirrored struct{ robot.Body }

func (m mirrored) Act(c robot.Command) error {
	c.Steering = -c.Steering
	return m.Body.Act(c)
}

// A lame body turns its wheels and drives none.
type lame struct{ robot.Body }

func (l lame) Act(c robot.Command) error {
	c.Speed = 0
	return l.Body.Act(c)
}

// A farsighted body shows everything half a metre farther than it is.
type farsighted struct{ robot.Body }

func (f farsighted) Sense(s *robot.State) {
	f.Body.Sense(s)
	for i := range s.Range {
		s.Range[i].Value += 0.5
	}
}

// A shaky body swings its wheels, twice a second.
type shaky struct {
	robot.Body
	n int
}

func (s *shaky) Act(c robot.Command) error {
	if s.n++; s.n/50%2 == 0 {
		c.Steering += 0.3
	} else {
		c.Steering -= 0.3
	}
	return s.Body.Act(c)
}

// A gullible body makes a wall of every reading that is not a number.
type gullible struct{ robot.Body }

func (g gullible) Sense(s *robot.State) {
	g.Body.Sense(s)
	for i := range s.Range {
		if r := &s.Range[i]; r.Value != r.Value {
			r.Value = 0.05
		}
	}
}

// A wasteful body allocates now and then.
type wasteful struct {
	robot.Body
	n    int
	junk []byte
}

func (w *wasteful) Sense(s *robot.State) {
	if w.n++; w.n%100 == 0 {
		w.junk = make([]byte, 100)
	}
	w.Body.Sense(s)
}

// A dead engine computes nothing and says so by an empty output.
type dead struct {
	field.Engine
	out field.Output
}

func (d *dead) Step(*field.Input) (*field.Output, error) {
	d.out.Obstacle = new([field.Plane]float32)
	return &d.out, nil
}

func kill(e field.Engine) field.Engine { return &dead{Engine: e} }
