//go:build cuda

package card

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/env"
)

// How many cars show that a card is right, in how many steps.
const provedCars, provedSteps = 48, 20

// Prove holds the environments on the card to pure Go's, every task, in every bit of what
// learners are told, through the ends of episodes.
func Prove(image []byte) error {
	for _, task := range env.Tasks() {
		if err := prove(task, image); err != nil {
			return fmt.Errorf("card: environments of the task %s: %w", task, err)
		}
	}
	return nil
}

// prove is Prove for one task.
func prove(task env.Task, image []byte) (err error) {
	o := env.Options{Task: task, Cars: provedCars, Worlds: 4, Limit: provedSteps - 3, Hold: 100, ISA: vector.Go}
	twin, err := env.New(o)
	if err != nil {
		return err
	}
	defer twin.Close()
	host, err := env.New(o)
	if err != nil {
		return err
	}
	e, err := OpenEnv(host, 1, image)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if err := twin.ResetAll(1); err != nil {
		return err
	}
	have, want := env.NewMemory(provedCars, len(twin.Observations())), twin.Memory()
	if err := e.read(&have); err != nil {
		return err
	}
	for step := range provedSteps {
		if !told(&have, want) {
			return fmt.Errorf("after %d steps the card tells learners other things than pure Go: do not use this card", step)
		}
		dice := noise.New(uint64(step), "prove")
		for i := range want.Actions {
			want.Actions[i] = float32(dice.Between(-0.2, 0.4))
		}
		if err := errors.Join(Put(e.Card, e.Orders, want.Actions), e.Step(1), twin.Step(), e.read(&have)); err != nil {
			return err
		}
	}
	if !told(&have, want) || !slices.Contains(want.Lengths, 2) { // the second steps of second episodes
		return errors.New("after the last step the card tells learners other things than pure Go: do not use this card")
	}
	return nil
}

// read brings what learners are told into a memory.
func (e *Env) read(m *env.Memory) error {
	return errors.Join(Get(e.Card, m.Observations, e.Observations), Get(e.Card, m.Rewards, e.Rewards),
		Get(e.Card, m.Terminated, e.Terminated), Get(e.Card, m.Truncated, e.Truncated),
		Get(e.Card, m.Returns, e.Returns), Get(e.Card, m.Lengths, e.Lengths), Get(e.Card, m.Causes, e.Causes))
}

// told says whether two memories tell the same.
func told(a, b *env.Memory) bool {
	same := func(a, b []float32) bool {
		return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
	}
	return same(a.Observations, b.Observations) && same(a.Rewards, b.Rewards) && same(a.Returns, b.Returns) &&
		slices.Equal(a.Terminated, b.Terminated) && slices.Equal(a.Truncated, b.Truncated) &&
		slices.Equal(a.Lengths, b.Lengths) && slices.Equal(a.Causes, b.Causes)
}
