package main

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// A drive is what a brain at full quality saw and did, tick by tick.
type drive struct {
	seat     seat // without body and clock
	states   []robot.State
	nows     []time.Duration
	commands []robot.Command
	armed    int // ticks before the car was armed
}

// A taperecorder is a body that keeps what passes through it.
type taperecorder struct {
	robot.Body
	tape *drive
}

func (r taperecorder) Sense(s *robot.State) {
	r.Body.Sense(s)
	r.tape.states = append(r.tape.states, *s)
}

func (r taperecorder) Act(c robot.Command) error {
	r.tape.commands = append(r.tape.commands, c)
	return r.Body.Act(c)
}

// record drives a scenario in virtual time at full quality.
func record(config daemon.Config, scenario string, seed uint64, length time.Duration) (*drive, error) {
	sc, err := scenarios.Load(scenario)
	if err != nil {
		return nil, usageError{err}
	}
	config.Engine.Quality = brain.Ladder()[0].Name
	tape := &drive{}
	var m *mind
	pilot := func(s testbench.Seat) (func(time.Duration), error) {
		at := seat{body: taperecorder{s.Body, tape}, clock: s.Clock, seed: s.Seed, driver: s.Params, task: taskOf(config, s.Scenario)}
		tape.seat = at
		var err error
		m, err = newMind(config, at)
		return func(now time.Duration) {
			tape.nows = append(tape.nows, now)
			m.brain.Tick(now)
			if len(tape.nows) == tape.armed+1 && m.brain.Arm() != nil {
				tape.armed++
			}
		}, err
	}
	_, err = testbench.Run(sc, seed, pilot, testbench.Options{Period: time.Duration(config.Loop.Period), Length: length})
	if m != nil {
		err = errors.Join(err, m.close())
	}
	if err == nil && tape.armed >= len(tape.nows) {
		err = fmt.Errorf("%s with seed %d: the car never armed in %v; choose more --seconds", scenario, seed, length)
	}
	return tape, err
}

// A player is a body that senses what was recorded, whatever it is told.
type player struct {
	tape    *drive
	at      int // the tick that senses next
	command robot.Command
}

func (p *player) Sense(s *robot.State)      { *s = p.tape.states[p.at] }
func (p *player) Act(c robot.Command) error { p.command = c; return nil }
func (p *player) Halt() error               { return nil }

// A replay is a brain on one rung that sees the drive once more.
type replay struct {
	*mind
	player
}

// again puts a brain on a rung in front of a recording. Its ticks are timed by
// the machine's clock, the recording tells them what time it is.
func (d *drive) again(config daemon.Config, rung string) (*replay, error) {
	config.Engine.Quality = rung
	r := &replay{player: player{tape: d}}
	at := d.seat
	at.body, at.clock = &r.player, robot.NewMonotonic()
	var err error
	r.mind, err = newMind(config, at)
	return r, err
}

// tick plays one tick and returns how long it took.
func (r *replay) tick() time.Duration {
	busy := r.brain.Tick(r.tape.nows[r.at]).Busy()
	if r.at == r.tape.armed {
		_ = r.brain.Arm() // on a lower rung, too, nothing stands against it: armed by the same readings
	}
	r.at++
	return busy
}
