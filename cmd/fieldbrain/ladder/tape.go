package ladder

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
)

// A Tape holds the frames and commands of a brain at full quality, tick by tick.
type Tape struct {
	seat     car.Seat // without body and clock
	states   []robot.State
	nows     []time.Duration
	commands []robot.Command
	armed    int // ticks before the car was armed
}

// A taperecorder is a body that keeps every frame and command that passes it.
type taperecorder struct {
	robot.Body
	tape *Tape
}

func (r taperecorder) Sense(s *robot.State) {
	r.Body.Sense(s)
	r.tape.states = append(r.tape.states, *s)
}

func (r taperecorder) Act(c robot.Command) error {
	r.tape.commands = append(r.tape.commands, c)
	return r.Body.Act(c)
}

// Record drives a scenario in virtual time at full quality.
func Record(settings config.Config, scenario string, seed uint64, length time.Duration) (*Tape, error) {
	sc, err := family.Open(scenario)
	if err != nil {
		return nil, config.UsageError{Err: err}
	}
	settings.Engine.Quality = quality.Ladder()[0].Name
	settings.Engine.Planes, settings.Engine.Halves = field.Side, false
	tape := &Tape{}
	var m *car.Mind
	pilot := func(s testbench.Vehicle) (func(time.Duration), error) {
		at := car.Seat{
			Body: taperecorder{s.Body, tape}, Clock: s.Clock, Seed: s.Seed, Driver: s.Params,
			Task: car.Task(settings, s.Scenario),
		}
		tape.seat = at
		var err error
		m, err = car.NewMind(settings, at)
		return func(now time.Duration) {
			tape.nows = append(tape.nows, now)
			m.Brain.Tick(now)
			if len(tape.nows) == tape.armed+1 && m.Brain.Arm() != nil {
				tape.armed++
			}
		}, err
	}
	_, err = testbench.Run(sc, seed, pilot, testbench.Options{Period: time.Duration(settings.Loop.Period), Length: length})
	if m != nil {
		err = errors.Join(err, m.Close())
	}
	if err == nil && tape.armed >= len(tape.nows) {
		err = fmt.Errorf("%s with seed %d: the car never armed in %v; choose more --seconds", scenario, seed, length)
	}
	return tape, err
}

// A player is a body that senses the recorded frames and ignores its commands.
type player struct {
	tape    *Tape
	at      int // the tick that senses next
	command robot.Command
}

func (p *player) Sense(s *robot.State)      { *s = p.tape.states[p.at] }
func (p *player) Act(c robot.Command) error { p.command = c; return nil }
func (p *player) Halt() error               { return nil }

// A replay is a brain, on one rung or from one start, that sees the drive once more.
type replay struct {
	*car.Mind
	player
}

// again puts a configuration's brain in front of a recording. The machine's clock times
// its ticks; the recording gives them their "now".
func (d *Tape) again(settings config.Config) (*replay, error) {
	r := &replay{player: player{tape: d}}
	at := d.seat
	at.Body, at.Clock = &r.player, robot.NewMonotonic()
	var err error
	r.Mind, err = car.NewMind(settings, at)
	return r, err
}

// tick plays one tick and returns how long it took.
func (r *replay) tick() time.Duration {
	busy := r.Brain.Tick(r.tape.nows[r.at]).Busy()
	if r.at == r.tape.armed {
		_ = r.Brain.Arm() // on a lower rung, too, nothing stands against it: armed by the same readings
	}
	r.at++
	return busy
}
