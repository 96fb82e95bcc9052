package fieldbrain

import (
	"time"

	"fieldbrain/testbench"
)

// A Pilot puts a brain into a seat of the bench:
//
//	p := fieldbrain.NewPilot(fieldbrain.Default())
//	defer p.Close()
//	result, err := testbench.Run(room, 7, p.Seat, testbench.Options{})
//
// Its runs follow one another; each has a brain of its own.
type Pilot struct {
	options Options
	brain   *Brain
}

// NewPilot returns a pilot that arms as soon as it may. Shape, period, seed and
// clock come from the seat, and the scenario may ask for more than the task.
func NewPilot(o Options) *Pilot {
	o.Arm = true
	return &Pilot{options: o}
}

// Seat is a testbench.Pilot.
func (p *Pilot) Seat(s testbench.Vehicle) (tick func(now time.Duration), err error) {
	if err := p.Close(); err != nil {
		return nil, err
	}
	o := p.options
	o.Task = o.Task.With(s.Scenario.Brain)
	o.Shape, o.Period, o.Seed, o.Clock = PiCarX(s.Params), s.Period, s.Seed, s.Clock
	if p.brain, err = New(s.Body, o); err != nil {
		return nil, err
	}
	return func(now time.Duration) {
		p.brain.Tick(now)
		bearing, mass := p.brain.Heading()
		s.Note(testbench.Peak{Bearing: bearing, Mass: mass})
	}, nil
}

// Brain returns the brain of the newest run, nil before the first.
func (p *Pilot) Brain() *Brain { return p.brain }

// Close ends the newest brain's engine.
func (p *Pilot) Close() error {
	if p.brain == nil {
		return nil
	}
	err := p.brain.Close()
	p.brain = nil
	return err
}
