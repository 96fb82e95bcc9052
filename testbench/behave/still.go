package behave

import (
	"errors"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// A still is a body that stands where its ranges say, for ever: O4 to O6.
type still struct {
	now   time.Duration
	state robot.State
	last  robot.Command
}

// Sense implements robot.Body.
func (b *still) Sense(s *robot.State) {
	*s = b.state
	s.Now = b.now
	for i := range s.Range {
		s.Range[i].At = b.now
	}
	for i := range s.Floor {
		s.Floor[i].At = b.now
	}
	s.Battery.At = b.now
}

// Act implements robot.Body.
func (b *still) Act(c robot.Command) error { b.last = c; return nil }

// Halt implements robot.Body.
func (b *still) Halt() error { return nil }

// Now implements robot.Clock.
func (b *still) Now() time.Duration { return b.now }

// SleepUntil implements robot.Clock.
func (b *still) SleepUntil(t time.Duration) { b.now = t }

// A sight is a sector and the range it shows, in m.
type sight struct {
	sector int
	metres float32
}

// A regard is what came of looking at a scene: the last command, the field's heading
// in rad (0 where nothing is decided), and the field's hash.
type regard struct {
	robot.Command
	heading float64
	hash    uint64
}

// look lets a brain without noise look at a scene for n ticks.
func (run *runner) look(isa string, n int, scene ...sight) (v regard, err error) {
	b := &still{now: time.Second}
	for i := range b.state.Floor {
		b.state.Floor[i] = robot.Reading{Value: 0.3, OK: true}
	}
	b.state.Battery = robot.Reading{Value: 7.6, OK: true}
	for _, s := range scene {
		b.state.Range[s.sector] = robot.Reading{Value: s.metres, OK: true}
	}
	p := field.Default()
	p.Table[field.Heading].Noise = 0
	e, err := run.Field(p, isa)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	settings := brain.Default()
	mind, err := brain.New(b, e, b, settings)
	if err != nil {
		return v, err
	}
	for i := range n {
		b.now += settings.Period
		for s := range b.state.Range { // a new reading differs from the last one, as a sensor's does
			b.state.Range[s].Value += float32(i%3-1) * 0.001
		}
		mind.Tick(b.now)
		_ = mind.Arm() // refused until the readings are in; then it does nothing
	}
	v.Command, v.hash = b.last, field.Hash(e)
	if heading, mass := mind.Heading(); mass > 0 {
		v.heading = heading
	}
	return v, nil
}
