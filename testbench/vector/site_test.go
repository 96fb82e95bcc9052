package vector_test

import (
	"testing"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
)

// TestOneSite holds every engine to pure Go where all cars are at one site, as those of a
// learner are: there engines answer pings together and take looks later. Calls of 1 to 60
// steps have up to twelve looks, of which they take the last.
func TestOneSite(t *testing.T) {
	names := family.Names()
	for _, name := range names[:tier.Count(t, "families", 2, len(names), len(names))] {
		var want []uint64 // after each call: a later one overwrites what a ping measured
		for i, isa := range append([]string{vector.Go}, vector.ISAs()...) {
			f, err := vector.New(vector.Options{
				Cars: 44, Sites: []vector.Site{place(t, member(t, name, 1), 1)}, Profile: plant.P1, Seed: 9, ISA: isa,
			})
			if err != nil {
				t.Fatal(err)
			}
			dice := noise.New(7, "one site")
			for turn := range 40 {
				for car := range f.Cars() {
					f.Act(car, vector.Action{
						Left: dice.Between(-0.5, 1), Right: dice.Between(-0.5, 1), Pulse: dice.Between(1100e-6, 1900e-6),
					})
				}
				f.Step(1 + turn*7%90)
				if have := f.Hash(); i == 0 {
					want = append(want, have)
				} else if have != want[turn] {
					t.Fatalf("%s, %s: after call %d hash %#x, pure Go has %#x", name, isa, turn, have, want[turn])
				}
				f.Reset(turn, 0, plant.Pose{Heading: dice.Between(-3, 3)}, uint64(turn)) // its sonars ping at other steps then
			}
		}
	}
}
