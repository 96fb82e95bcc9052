package train

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/suite"
)

// ErrOther says that a checkpoint is of another training than the options'.
var ErrOther = errors.New("the checkpoint is of a training with other settings")

// A trainer is a Run under way.
type trainer struct {
	*Checkpoint
	arenas map[uint64]*arena // by their seed
	held   []*arena
}

// Run trains from a checkpoint on, from the beginning where there is none, until the
// options' generations are over or nothing better comes. It returns the last checkpoint,
// also beside an error of the context or of Keep.
func Run(ctx context.Context, p Options, from *Checkpoint) (*Checkpoint, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if from == nil {
		from = begin(p)
	}
	if !p.same(&from.Options) {
		return nil, ErrOther
	}
	from.Options, from.Ended = p, ""
	t := &trainer{Checkpoint: from, arenas: map[uint64]*arena{}}
	var err error
	if t.held, err = t.open(ctx, firstHeld, heldWorlds); err != nil {
		return t.Checkpoint, err
	}
	for t.over(); t.Ended == ""; {
		if err := t.generation(ctx); err != nil {
			return t.Checkpoint, err
		}
		if p.Progress != nil {
			p.Progress(t.Search.Generation, p.Generations, t.Curve[len(t.Curve)-1])
		}
		t.over()
		if p.Keep != nil {
			if err := p.Keep(t.Checkpoint); err != nil {
				return t.Checkpoint, err
			}
		}
	}
	return t.Checkpoint, nil
}

// over says whether the training is, and why.
func (t *trainer) over() {
	switch {
	case t.Stale >= t.Options.Patience:
		t.Ended = fmt.Sprintf("no better policy in %d generations", t.Stale*heldEvery)
	case t.Search.Generation >= t.Options.Generations:
		t.Ended = "its generations are over"
	}
}

// open returns so many worlds from a seed on; those of training begin again after the
// last one.
func (t *trainer) open(ctx context.Context, from uint64, n int) (list []*arena, err error) {
	list, name := make([]*arena, n), profileOf(t.Options.Family, t.Options.Profile)
	seed := func(i int) uint64 {
		if from >= firstHeld {
			return from + uint64(i)
		}
		return 1 + (from-1+uint64(i))%trainWorlds
	}
	err = suite.Each(ctx, t.Options.workers(), n, nil, func(i int) (err error) {
		if list[i] = t.arenas[seed(i)]; list[i] == nil {
			list[i], err = open(name, seed(i), Period, t.Options.Seconds, t.Options.length(0))
		}
		return err
	})
	for i, a := range list {
		if err == nil {
			t.arenas[seed(i)] = a
		}
	}
	return list, err
}

// generation lets one generation drive, and every now and then the distribution's
// mean in the held-out worlds. After an error nothing has changed.
func (t *trainer) generation(ctx context.Context) error {
	next := *t.Search // Tell writes into its slices
	next.Mean, next.Variance = slices.Clone(next.Mean), slices.Clone(next.Variance)
	next.PathS, next.PathC = slices.Clone(next.PathS), slices.Clone(next.PathC)
	arenas, err := t.open(ctx, 1+uint64(next.Generation*t.Options.Worlds), t.Options.Worlds)
	if err != nil {
		return err
	}
	samples := next.Ask(t.Options.Seed, t.Options.Population)
	dice := noise.New(t.Options.Seed, fmt.Sprint("noise ", next.Generation))
	heat := race{arenas: arenas, seconds: t.Options.length(next.Generation), noise: dice.Uint64(), scatter: true}
	costs, err := t.drive(ctx, samples, heat)
	if err != nil {
		return err
	}
	steps := heat.steps(len(samples))
	next.Tell(samples, costs)
	point := Point{Best: slices.Min(costs), Sigma: next.Sigma}
	for _, c := range costs {
		point.Mean += c / float64(len(costs))
	}
	if next.Generation%heldEvery == 0 {
		final := race{arenas: t.held, seconds: t.Options.Seconds, noise: 1}
		held, err := t.drive(ctx, [][]float64{next.Mean}, final)
		if err != nil {
			return err
		}
		steps += final.steps(1)
		point.Held = &held[0]
		t.judge(&next, held[0])
	}
	*t.Search = next
	t.Steps += steps
	t.Curve = append(t.Curve, point)
	return nil
}

// judge keeps the distribution's mean where it is better than what was kept.
func (t *trainer) judge(s *Search, cost float64) {
	if cost >= t.Cost {
		t.Stale++
		return
	}
	t.Best, t.Cost, t.At, t.Stale = slices.Clone(s.Mean), cost, s.Generation, 0
}

// drive returns the mean cost of every list of weights.
func (t *trainer) drive(ctx context.Context, weights [][]float64, r race) ([]float64, error) {
	var policies []*policy.Policy
	for _, w := range weights {
		p, err := policy.New(t.Options.Profile, t.Options.Hidden, w)
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	if err := r.line(policies); err != nil {
		return nil, err
	}
	if err := r.run(ctx, t.Options.workers()); err != nil {
		return nil, err
	}
	return r.costs(len(policies)), nil
}
