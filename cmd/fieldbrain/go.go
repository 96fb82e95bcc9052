package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

// goCmd gathers the orders that say where the car shall go.
type goCmd struct {
	Explore goExploreCmd `cmd:"" help:"Look for what was not seen yet."`
	Line    goLineCmd    `cmd:"" help:"Follow a dark line on the floor."`
	Goal    goGoalCmd    `cmd:"" help:"Drive to a place and stand there: X metres ahead and Y metres to the left of where the car stood at the start."`
	Home    goHomeCmd    `cmd:"" help:"Drive back to where the car stood at the start."`
	Hold    goHoldCmd    `cmd:"" help:"Stand, armed, until another order comes."`
	Manual  goManualCmd  `cmd:"" help:"Stand, armed, until a person drives."`
}

// Help says what belongs to all of them.
func (goCmd) Help() string {
	return "An order replaces the one before; what the configuration says is only the start. " +
		"fieldbrain status shows how far it has come, where the car believes to be and how sure it is of that. " +
		"A disarmed car keeps the order and begins when it is armed. " +
		"An order that is reached or given up leaves the car standing."
}

type goExploreCmd struct{ socketFlag }

// Run orders it.
func (c goExploreCmd) Run(e *env) error { return c.send(e, brain.Order{Do: brain.DoExplore}) }

type goLineCmd struct{ socketFlag }

// Run orders it.
func (c goLineCmd) Run(e *env) error { return c.send(e, brain.Order{Do: brain.DoLine}) }

type goHoldCmd struct{ socketFlag }

// Run orders it.
func (c goHoldCmd) Run(e *env) error { return c.send(e, brain.Order{Do: brain.DoHold}) }

type goManualCmd struct{ socketFlag }

// Run orders it.
func (c goManualCmd) Run(e *env) error { return c.send(e, brain.Order{Do: brain.DoManual}) }

// waitFlag makes a command last as long as its order.
type waitFlag struct {
	Wait bool `help:"Wait for the order's end: exit code 0 when it is reached, else 1."`
}

type goHomeCmd struct {
	socketFlag
	waitFlag
}

// Run orders it and waits for its end if asked to.
func (c goHomeCmd) Run(e *env) error { return c.drive(e, brain.Order{Do: brain.DoHome}, c.Wait) }

type goGoalCmd struct {
	socketFlag
	waitFlag
	X string `arg:"" help:"Metres ahead, as the car stood at the start; negative behind it." placeholder:"X" example:"1.2"`
	Y string `arg:"" help:"Metres to the left; negative to the right." placeholder:"Y" example:"-0.4"`
}

// Run orders it and waits for its end if asked to.
func (c goGoalCmd) Run(e *env) error {
	const metres = "metres, a number without its unit, such as goal 1.2 -0.4"
	if err := cmp.Or(single("go goal: X", c.X, metres), single("go goal: Y", c.Y, metres)); err != nil {
		return err
	}
	o, err := brain.ParseOrder("goal " + c.X + " " + c.Y)
	if err != nil {
		return config.UsageError{Err: fmt.Errorf("go %w", err)}
	}
	return c.drive(e, o, c.Wait)
}

// single refuses a word that is none, or several: an order's parts stand between spaces.
// What is its place in the order, want what is to be said there.
func single(what, word, want string) error {
	if len(strings.Fields(word)) == 1 {
		return nil
	}
	return config.UsageError{Err: fmt.Errorf("%s is %q, which is not one word: say %s", what, word, want)}
}

// send gives the order and says what became of it.
func (s socketFlag) send(e *env, o brain.Order) error {
	answer, err := daemon.Call(context.Background(), s.path(e), daemon.Request{Command: "go", Order: o.String()})
	if err := refused(answer, err); err != nil {
		return fmt.Errorf("go %v: %w", o, err)
	}
	fmt.Fprintf(e.out, "order taken: %v\n", o)
	if answer.Note != "" {
		fmt.Fprintln(e.out, daemon.Printable(answer.Note))
	}
	return nil
}

// A waiting command asks for the status every lookEvery; after so many looks that do
// not know its order another one must have taken its place.
const (
	lookEvery = 250 * time.Millisecond
	patience  = 20
)

// drive gives the order and waits, if asked to, until it has ended.
func (s socketFlag) drive(e *env, o brain.Order, wait bool) error {
	if err := s.send(e, o); err != nil || !wait {
		return err
	}
	var mine uint64
	for looks := 0; ; looks++ {
		status, err := s.during(e, o)
		if err != nil {
			return err
		}
		now := status.Order
		if mine == 0 && now.Order == o.String() {
			mine = now.Number
		}
		switch {
		case mine == 0 && looks < patience: // the status still tells of the order before
		case now.Number != mine:
			return fmt.Errorf("go %v: cancelled: the car was told to %s", o, now.Order)
		case now.Over && now.Standing == brain.Reached.String():
			fmt.Fprintln(e.out, daemon.Printable(now.Line()))
			fmt.Fprintln(e.out, status.Place.Line())
			return nil
		case now.Over:
			return fmt.Errorf("go %v: %s: %s", o, now.Standing, now.Why)
		}
		time.Sleep(lookEvery)
	}
}

// during returns the status of the daemon that carries out an order.
func (s socketFlag) during(e *env, o brain.Order) (*daemon.Status, error) {
	answer, err := s.call(e, "status")
	switch {
	case errors.Is(err, daemon.ErrNoDaemon):
		return nil, fmt.Errorf("go %v: the daemon has ended, and its orders with it: fieldbrain status says how it ended; the next one does what its configuration says", o)
	case err != nil:
		return nil, fmt.Errorf("go %v: %w", o, err)
	case answer.Status == nil:
		return nil, errors.New("status: the daemon answered without one; are client and daemon of the same version?")
	}
	return answer.Status, nil
}
