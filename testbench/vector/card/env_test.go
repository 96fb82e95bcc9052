//go:build cuda

package card_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/card"
	"fieldbrain/testbench/vector/env"
)

// learners are an environment on the card and its twin in pure Go.
type learners struct {
	card *card.Env
	twin *env.Env
	have env.Memory // what was last read from the card
}

// openBoth begins both with a seed.
func openBoth(t *testing.T, o env.Options, seed uint64) *learners {
	t.Helper()
	c, err := card.OpenEnv(must2(env.New(o)), seed, kernels.Fatbin())
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	o.ISA = vector.Go
	twin, err := env.New(o)
	must(t, err)
	t.Cleanup(twin.Close)
	must(t, twin.ResetAll(seed))
	return &learners{c, twin, env.NewMemory(o.Cars, len(twin.Observations()))}
}

// read brings what the card says.
func (l *learners) read(t *testing.T) {
	t.Helper()
	c, h := l.card, &l.have
	must(t, card.Get(c.Card, h.Observations, c.Observations), card.Get(c.Card, h.Rewards, c.Rewards),
		card.Get(c.Card, h.Terminated, c.Terminated), card.Get(c.Card, h.Truncated, c.Truncated),
		card.Get(c.Card, h.Returns, c.Returns), card.Get(c.Card, h.Lengths, c.Lengths), card.Get(c.Card, h.Causes, c.Causes))
}

// compare fails where the card says anything else than the twin, in any bit.
func (l *learners) compare(t *testing.T, when string) {
	t.Helper()
	l.read(t)
	h, w := &l.have, l.twin.Memory()
	for i := range w.Observations {
		if math.Float32bits(h.Observations[i]) != math.Float32bits(w.Observations[i]) {
			t.Fatalf("%s: car %d observes %v as number %d, in pure Go %v", when, i/l.card.Observations.Columns, h.Observations[i], i%l.card.Observations.Columns, w.Observations[i])
		}
	}
	for i := range w.Rewards {
		have := fmt.Sprint(math.Float32bits(h.Rewards[i]), math.Float32bits(h.Returns[i]), h.Terminated[i], h.Truncated[i], h.Lengths[i], h.Causes[i])
		want := fmt.Sprint(math.Float32bits(w.Rewards[i]), math.Float32bits(w.Returns[i]), w.Terminated[i], w.Truncated[i], w.Lengths[i], w.Causes[i])
		if have != want {
			t.Fatalf("%s: car %d earns, returns and ends %s, in pure Go %s", when, i, have, want)
		}
	}
}

// drive acts: a car of three roams, with what is out of bounds or no number among it,
// the others follow a beacon or the floor.
func (l *learners) drive(turn int, speed float64) {
	m, n := l.twin.Memory(), len(l.twin.Observations())
	for car := range len(m.Rewards) {
		see, dice := m.Observations[car*n:(car+1)*n], noise.New(uint64(turn), fmt.Sprint("roam ", car))
		a := m.Actions[2*car : 2*car+2]
		switch {
		case car%3 == 0:
			a[0], a[1] = float32(dice.Between(-0.2, 0.5)), float32(dice.Between(-0.7, 0.7))
			if turn%5 == 4 {
				a[0], a[1] = float32(nan()), float32(math.Inf(car%2*2-1))
			}
		case l.twin.Options().Task == env.Goal:
			a[0], a[1] = float32(speed), see[n-2]
		default:
			a[0], a[1] = float32(speed), float32(dice.Between(-0.2, 0.3))
		}
	}
}

// TestEnvironments: every task on the card says in every step what it says in pure Go,
// through the ends of episodes and resets, and then has the same cars.
func TestEnvironments(t *testing.T) {
	ends := map[env.Cause]int{}
	for _, o := range []env.Options{
		{Task: env.Goal, Cars: 70, Worlds: 8, Limit: 85, Hold: 250},
		{Task: env.Avoid, Cars: 33, Worlds: 5, Limit: 60, Hold: 250, Families: []string{"table", "movers", "soft"}},
		{Task: env.Line, Cars: 17, Worlds: 4, Limit: 50, Hold: 200},
		{Task: env.Explore, Cars: 40, Worlds: 6, Limit: 25, Hold: 120, Families: []string{"room", "comb", "table"}, Profile: "P0"},
	} {
		l, turns := openBoth(t, o, 5), tier.Fewer(t, "turns", 90, 24)
		l.compare(t, fmt.Sprint(o.Task, " at its start"))
		for turn := range turns {
			l.drive(turn, 0.34)
			must(t, card.Put(l.card.Card, l.card.Orders, l.twin.Memory().Actions), l.card.Step(1), l.twin.Step())
			l.compare(t, fmt.Sprint(o.Task, " in step ", turn))
			for _, cause := range l.twin.Memory().Causes {
				ends[env.Cause(cause)]++
			}
			if turn%20 == 19 {
				l.reset(t, turn)
				l.compare(t, fmt.Sprint(o.Task, " reset after step ", turn))
			}
		}
		must(t, l.card.Fetch())
		if have, want := l.card.Fleet().Hash(), l.twin.Fleet().Hash(); have != want {
			t.Errorf("%s: hash %#x, pure Go has %#x", o.Task, have, want)
		}
	}
	for cause := env.Contact; cause <= env.Time && tier.Fewer(t, "causes", 1, 0) == 1; cause++ {
		if ends[cause] == 0 {
			t.Errorf("no episode ended by %v: this shows too little, %v", cause, ends)
		}
	}
}

// reset resets some cars or all, with seeds or without.
func (l *learners) reset(t *testing.T, turn int) {
	t.Helper()
	cars := len(l.have.Rewards)
	seeds, mask := make([]uint64, cars), make([]uint8, cars)
	for i := range cars {
		seeds[i], mask[i] = uint64(turn*100+i)<<40, uint8(i%4/3*7)
	}
	must(t, card.Put(l.card.Card, l.card.Seeds(), seeds), card.Put(l.card.Card, l.card.Mask(), mask))
	seeded, masked := turn%40 == 19, turn%80 != 79
	must(t, l.card.Reset(seeded, masked))
	if !seeded {
		seeds = nil
	}
	if !masked {
		mask = nil
	}
	must(t, l.twin.Reset(seeds, mask))
}

// TestStepsAtOnce: several steps under the same orders are so many single ones.
func TestStepsAtOnce(t *testing.T) {
	l := openBoth(t, env.Options{Task: env.Avoid, Cars: 5, Worlds: 2, Limit: 7}, 1)
	l.drive(1, 0.3)
	must(t, card.Put(l.card.Card, l.card.Orders, l.twin.Memory().Actions), l.card.Step(10))
	for range 10 {
		must(t, l.twin.Step())
	}
	l.compare(t, "ten steps")
	states := make([]float64, 5*l.card.States().Columns)
	must(t, card.Get(l.card.Card, states, l.card.States()))
	for car := range 5 {
		if p := l.twin.Fleet().Truth(car); states[8*car] != p.At.X || states[8*car+2] != p.Heading {
			t.Errorf("car %d is at %v, in pure Go at %+v", car, states[8*car:8*car+8], p.Pose)
		}
	}
	if n := testing.AllocsPerRun(5, func() { must(t, l.card.Step(1)) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestRestart: cars that the card itself puts back are those of Reset.
func TestRestart(t *testing.T) {
	const cars = 50
	ours, theirs := mixed(t, cars, "P1"), mixed(t, cars, "P1")
	c, sites := open(t, ours, card.Options{Readings: true, States: true}), must2(places())
	seeds, mask := make([]uint64, cars), make([]uint8, cars)
	for i := range cars {
		theirs.Act(i, vector.Action{Left: 1, Right: 0.9, Pulse: 1500e-6})
		ours.Act(i, vector.Action{Left: 1, Right: 0.9, Pulse: 1500e-6})
		seeds[i], mask[i] = uint64(3+i), uint8(i%2*255)
	}
	must(t, c.Send(), c.Step(50), card.Put(c, c.Seeds(), seeds), card.Put(c, c.Mask(), mask), c.Restart())
	theirs.Step(50)
	for i := range cars {
		if mask[i] != 0 {
			theirs.Reset(i, theirs.Site(i), sites[theirs.Site(i)].Start, seeds[i])
		}
	}
	readings := make([]float64, 8*cars)
	must(t, card.Get(c, readings, c.Readings()))
	if readings[8*1] != -1 {
		t.Errorf("a car that was put back says %v", readings[8:16])
	}
	must(t, c.Step(130), c.Fetch())
	theirs.Step(130)
	if have, want := ours.Hash(), theirs.Hash(); have != want {
		t.Errorf("hash %#x, with Reset %#x", have, want)
	}
	before := ours.Hash() // and the host may go on
	ours.Reset(1, 0, sites[0].Start, 4)
	theirs.Reset(1, 0, sites[0].Start, 4)
	ours.Step(60)
	theirs.Step(60)
	if ours.Hash() != theirs.Hash() || ours.Hash() == before {
		t.Error("the host does not go on with the cars of the card")
	}
}

// TestWrongEnv: mistakes are told.
func TestWrongEnv(t *testing.T) {
	o := env.Options{Task: env.Avoid, Cars: 2, Worlds: 1}
	if _, err := card.OpenEnv(must2(env.New(o)), 1, []byte("no kernels")); err == nil {
		t.Error("an image that is none was taken")
	}
	c, err := card.OpenEnv(must2(env.New(o)), 1, kernels.Fatbin())
	must(t, err)
	for i, err := range []error{
		c.Step(-1), c.Step(card.MaxSteps + 1), c.Send(), c.Restart(), card.Put(c.Card, c.Orders, make([]float64, 4)), card.Get(c.Card, make([]float32, 3), c.Orders), card.Put(c.Card, c.Mask(), make([]uint64, 2)),
	} {
		if err == nil {
			t.Errorf("mistake %d was taken", i)
		}
	}
	must(t, c.Close(), c.Close())
	if c.Step(1) == nil || c.Reset(false, false) == nil || c.Restart() == nil {
		t.Error("a closed environment steps")
	}
	if !slices.Equal(c.Channels(), must2(env.New(o)).Observations()) {
		t.Error("its channels are not those of its options")
	}
}

// must2 is for values that are there.
func must2[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
