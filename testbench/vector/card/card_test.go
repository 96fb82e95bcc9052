//go:build cuda

package card_test

import (
	"sync"
	"testing"

	"gorgonia.org/cu"

	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/card"
)

// places are a world of every family, made once: to make one is to solve it.
var places = sync.OnceValues(func() (sites []vector.Site, err error) {
	for i, name := range family.Names() {
		sc, err := family.Make(name, family.Train, uint64(i+1))
		if err != nil {
			return nil, err
		}
		w, start, err := sc.Build(1)
		if err != nil {
			return nil, err
		}
		sites = append(sites, vector.Site{World: w, Car: sc.Car, Start: start})
	}
	return sites, nil
})

// mixed returns a fleet of pure Go over a world of every family.
func mixed(t *testing.T, cars int, profile plant.Profile) *vector.Fleet {
	t.Helper()
	sites, err := places()
	if err != nil {
		t.Fatal(err)
	}
	f, err := vector.New(vector.Options{Cars: cars, Sites: sites, Profile: profile, Seed: 7, ISA: vector.Go})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// open puts a fleet on the card until the test ends.
func open(t *testing.T, f *vector.Fleet, o card.Options) *card.Card {
	t.Helper()
	o.Image = kernels.Fatbin()
	c, err := card.Open(f, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil && !t.Failed() {
			t.Error(err)
		}
	})
	return c
}

// must fails the test at an error.
func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// some is a random action.
func some(dice *noise.Stream) vector.Action {
	return vector.Action{Left: dice.Between(-0.5, 1), Right: dice.Between(-0.5, 1), Pulse: dice.Between(1100e-6, 1900e-6)}
}

// TestOneHash: cars that roam worlds of every family on the card, touch things and are
// reset, have the hash of those that pure Go has driven, however many there are.
func TestOneHash(t *testing.T) {
	for _, run := range []struct {
		cars    int
		profile plant.Profile
	}{{17, plant.P1}, {1, plant.P0}, {100, plant.P0}, {33, plant.P1}}[:tier.Fewer(t, "sizes", 4, 2)] {
		ours, theirs := mixed(t, run.cars, run.profile), mixed(t, run.cars, run.profile)
		c, dice := open(t, ours, card.Options{}), noise.New(3, "roam")
		touched, turns := 0, tier.Fewer(t, "turns", 60, 20)
		for turn := range turns {
			for car := range run.cars {
				a := some(&dice)
				ours.Act(car, a)
				theirs.Act(car, a)
			}
			n := 1 + turn%60
			must(t, c.Send(), c.Step(n), c.Fetch())
			theirs.Step(n)
			if have, want := ours.Hash(), theirs.Hash(); have != want {
				t.Fatalf("%d cars, turn %d of %d steps: hash %#x, pure Go has %#x", run.cars, turn, n, have, want)
			}
			touched += theirs.Episode(turn % run.cars).Contacts
			if turn%3 == 2 {
				car, at, pose := int(dice.Between(0, float64(run.cars))), int(dice.Between(0, 3)), plant.Pose{Heading: dice.Between(-3, 3)}
				ours.Reset(car, at, pose, uint64(turn))
				theirs.Reset(car, at, pose, uint64(turn))
			}
		}
		if touched == 0 && turns == 60 {
			t.Errorf("%d cars touched nothing: this shows too little", run.cars)
		}
	}
}

// TestMatrices: actions that lie on the card are those of Act, bounds and what is not a
// number included, and what the card shows is what the fleet has.
func TestMatrices(t *testing.T) {
	const cars = 40
	ours, theirs := mixed(t, cars, plant.P1), mixed(t, cars, plant.P1)
	c := open(t, ours, card.Options{Actions: true, Readings: true, States: true})
	dice, actions := noise.New(5, "matrices"), make([]float64, cars*c.Actions().Columns)
	readings, states := make([]float64, cars*c.Readings().Columns), make([]float64, cars*c.States().Columns)
	must(t, card.Get(c, readings, c.Readings()), card.Get(c, states, c.States()))
	for car := range cars { // before the first step, too
		if r, s := theirs.Read(car), theirs.Truth(car); readings[8*car] != r.Range[0] || r.Range[0] != -1 || states[8*car] != s.At.X || states[8*car+2] != s.Heading {
			t.Fatalf("car %d begins with %v and %v, want %+v and %+v", car, readings[8*car:8*car+8], states[8*car:8*car+8], r, s)
		}
	}
	for turn := range 12 {
		for car := range cars {
			a := some(&dice)
			switch car {
			case 3:
				a = vector.Action{Left: 7, Right: -9, Pulse: 1}
			case 4:
				a.Left, a.Pulse = nan(), nan()
			case 5:
				a.Pulse = -1
			}
			theirs.Act(car, a)
			copy(actions[3*car:], []float64{a.Left, a.Right, a.Pulse})
		}
		must(t, card.Put(c, c.Actions(), actions), c.Step(20), c.Step(27), card.Get(c, readings, c.Readings()), card.Get(c, states, c.States()))
		theirs.Step(47)
		for car := range cars {
			r, s, e := theirs.Read(car), theirs.Truth(car), theirs.Episode(car)
			want := append(append([]float64{}, r.Range[:]...), r.Floor[:]...)
			want = append(want, s.At.X, s.At.Y, s.Heading, s.Speed, s.Steering, s.Yaw, float64(e.Contacts), e.Odometer)
			have := append(append([]float64{}, readings[8*car:8*car+8]...), states[8*car:8*car+8]...)
			for i := range want {
				if have[i] != want[i] {
					t.Fatalf("turn %d, car %d, number %d: %v on the card, %v in pure Go", turn, car, i, have[i], want[i])
				}
			}
		}
	}
	must(t, c.Fetch())
	if have, want := ours.Hash(), theirs.Hash(); have != want {
		t.Errorf("hash %#x, pure Go has %#x", have, want)
	}
}

// TestBlind: a fleet without sensors.
func TestBlind(t *testing.T) {
	sites, err := places()
	must(t, err)
	var pair [2]*vector.Fleet
	for i := range pair {
		pair[i], err = vector.New(vector.Options{Cars: 5, Sites: sites, Profile: plant.P0, Blind: true, ISA: vector.Go})
		must(t, err)
		pair[i].Act(2, vector.Action{Left: 1, Right: 0.8, Pulse: 1500e-6})
	}
	c := open(t, pair[0], card.Options{})
	must(t, c.Step(900), c.Fetch())
	pair[1].Step(900)
	if have, want := pair[0].Hash(), pair[1].Hash(); have != want || pair[1].Episode(2).Odometer == 0 {
		t.Errorf("hash %#x, pure Go has %#x, %+v", have, want, pair[1].Episode(2))
	}
}

// TestWrong: mistakes are told with what to do, and break nothing.
func TestWrong(t *testing.T) {
	f := mixed(t, 3, plant.P0)
	c := open(t, f, card.Options{Actions: true})
	for i, err := range []error{
		c.Step(-1), c.Step(1 << 31), card.Put(c, c.Actions(), make([]float64, 8)), card.Put(c, c.Readings(), []float64(nil)), card.Get(c, make([]float64, 24), c.States()),
	} {
		if err == nil {
			t.Errorf("mistake %d was taken", i)
		}
	}
	if _, err := card.Open(f, card.Options{Image: []byte("no kernels")}); err == nil {
		t.Error("an image that is none was taken")
	}
	must(t, cu.SetCurrentContext(cu.CUContext{}), c.Step(3), c.Fetch(), c.Close(), c.Close()) // a thread without a context
	if c.Step(1) == nil || c.Fetch() == nil {
		t.Error("a closed card steps")
	}
	if steps := f.Episode(0).Steps; steps != 3 {
		t.Errorf("%d steps, want 3", steps)
	}
}

// TestStepAllocatesNothing: not in Go.
func TestStepAllocatesNothing(t *testing.T) {
	c := open(t, mixed(t, 64, plant.P0), card.Options{})
	if n := testing.AllocsPerRun(10, func() { must(t, c.Step(5)) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
	must(t, c.Wait())
}

func nan() float64 { var zero float64; return zero / zero }
