//go:build cuda

package card

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/cu"

	"fieldbrain/testbench/vector/env"
)

// An Env is an environment of testbench/vector/env whose cars are on a card: the same
// semantics, the same bits. Actions, observations and results are matrices there.
type Env struct {
	*Card
	env *env.Env // whose worlds they are; its own cars stand still

	Orders       Matrix // cars x env.ActionSize: what Step takes, float32
	Observations Matrix // float32
	Rewards      Matrix // float32
	Terminated   Matrix // uint8: 1 where the task ended the episode
	Truncated    Matrix // uint8: 1 where time did
	Returns      Matrix // float32: as env.Memory has it
	Lengths      Matrix // int32
	Causes       Matrix // uint8: env.Cause
}

// OpenEnv puts an environment on the card with the most multiprocessors. Car i has begun
// the first episode of the seed seed + i. The environment is the card's from then on: Close
// closes it, as does an error here.
func OpenEnv(host *env.Env, seed uint64, image []byte) (e *Env, err error) {
	e = &Env{env: host}
	if e.Card, err = Open(host.Fleet(), Options{Image: image, States: true}); err != nil {
		host.Close()
		return nil, err
	}
	seeds := make([]uint64, host.Fleet().Cars())
	for i := range seeds {
		seeds[i] = seed + uint64(i)
	}
	err = e.within(e.learn)
	if err == nil {
		err = Put(e.Card, e.Seeds(), seeds)
	}
	if err == nil {
		err = errors.Join(e.Reset(true, false), e.Wait())
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Options returns what the environment was made of, every default filled in.
func (e *Env) Options() env.Options { return e.env.Options() }

// Channels returns what a car observes.
func (e *Env) Channels() []env.Channel { return e.env.Observations() }

// errHost refuses what would undo that cars change their worlds on the card.
var errHost = errors.New("card: cars of an environment begin anew on the card alone: Reset, and not Send or Restart")

// Send is refused: nothing that the host does to the cars fits their episodes.
func (e *Env) Send() error { return errHost }

// Restart is refused, too: Reset begins episodes.
func (e *Env) Restart() error { return errHost }

// Close gives everything back. It is safe to repeat.
func (e *Env) Close() error {
	e.env.Close()
	return e.Card.Close()
}

// MaxSteps is how many steps of an environment one call may start: each is three launches,
// and a driver holds about a thousand.
const MaxSteps = 300

// Step starts n steps of the environment under the same orders and returns, where not
// more are under way than the driver holds. It allocates nothing.
func (e *Env) Step(n int) error {
	switch {
	case n < 0 || n > MaxSteps:
		return fmt.Errorf("card: %d steps of an environment at once; choose 0 to %d", n, MaxSteps)
	case e.home == nil:
		return errClosed
	}
	hold := int(e.host.hold)
	for range n {
		if err := errors.Join(e.launch(&e.order, 0), e.launch(&e.kernel, hold), e.launch(&e.book, C.LEARN_BOOK)); err != nil {
			return err
		}
	}
	return nil
}

// Reset begins new episodes and returns: with seeded, cars begin the sequence of their
// number in Seeds anew; with masked, only cars of Mask are reset. As both lie on the card
// now.
func (e *Env) Reset(seeded, masked bool) error {
	if e.home == nil {
		return errClosed
	}
	what := C.LEARN_RESET
	if seeded {
		what |= C.LEARN_SEEDED
	}
	if masked {
		what |= C.LEARN_MASKED
	}
	return e.launch(&e.book, what)
}

// tasks are the kernel's numbers of the tasks.
var tasks = map[env.Task]C.int32_t{env.Avoid: C.LEARN_AVOID, env.Goal: C.LEARN_GOAL, env.Line: C.LEARN_LINE, env.Explore: C.LEARN_EXPLORE}

// The causes are the same in both languages: these would not compile.
var (
	_ [C.LEARN_TIME]struct{}    = [env.Time]struct{}{}
	_ [C.LEARN_CONTACT]struct{} = [env.Contact]struct{}{}
	_ [C.LEARN_FALL]struct{}    = [env.Fall]struct{}{}
	_ [C.LEARN_LOST]struct{}    = [env.Lost]struct{}{}
	_ [C.LEARN_ARRIVED]struct{} = [env.Arrived]struct{}{}
	_ [C.LEARN_ACTION]struct{}  = [env.ActionSize]struct{}{}
)

// learn puts the task beside the cars.
func (e *Env) learn() error {
	p, o, r, job := &putter{card: e.Card}, e.env.Options(), e.env.Rules(), &e.host
	e.Orders, e.Observations = matrix[float32](p, env.ActionSize), matrix[float32](p, len(e.Channels()))
	e.Rewards, e.Returns, e.Lengths = matrix[float32](p, 1), matrix[float32](p, 1), matrix[int32](p, 1)
	e.Terminated, e.Truncated, e.Causes = matrix[uint8](p, 1), matrix[uint8](p, 1), matrix[uint8](p, 1)
	job.actions, job.observations = there[C.float](e.Orders), there[C.float](e.Observations)
	job.rewards, job.returns, job.lengths = there[C.float](e.Rewards), there[C.float](e.Returns), there[C.int32_t](e.Lengths)
	job.terminated, job.truncated, job.causes = there[C.uint8_t](e.Terminated), there[C.uint8_t](e.Truncated), there[C.uint8_t](e.Causes)
	job.states, job.fleet.states = job.fleet.states, nil // written when cars have begun anew
	job.task, job.hold, job.limit = tasks[o.Task], C.int32_t(o.Hold), C.int32_t(o.Limit)
	job.observed, job.words = C.int32_t(e.Observations.Columns), C.int32_t(r.Words)
	job.rules = rules(&r)
	e.places(p)
	cars := e.fleet.Cars()
	job.cars = pointer[C.LearnCar](beside(p, "tasks", make([]C.LearnCar, cars)))
	job.seen = pointer[C.uint64_t](beside(p, "cells", make([]uint64, cars*r.Words)))
	if p.err != nil {
		return p.err
	}
	blocks := slices.Repeat([]int32{-1}, len(e.fleet.Memory().Common)) // cars change their sites, and blocks do not know
	if err := errors.Join(put(e.common, blocks), put(e.job, []C.LearnJob{*job})); err != nil {
		return fmt.Errorf("card: copy the job to the device: %w", err)
	}
	return e.settle()
}

// there is where a matrix is, as C has it.
func there[T any](m Matrix) *T { return pointer[T](cu.DevicePtr(m.At)) }
