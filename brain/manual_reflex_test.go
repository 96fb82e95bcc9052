package brain_test

import (
	"fmt"
	"math"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
)

// discAhead is a hall with one disc before the car.
const discAhead = `
title = "One disc ahead"
duration_s = 60
profile = "P1"
[start]
x = 0.6
y = 2.0
[world]
size = [5.0, 4.0]
walled = true
[[world.disc]]
at = [%.2f, %.3f]
radius = %.2f
`

// TestReflexesStopPeople: at full throttle towards a disc the car comes close, touches
// nothing and stands; backwards it goes away from it.
func TestReflexesStopPeople(t *testing.T) {
	tier.Compiled(t, "drives of some seconds")
	for seed := range uint64(tier.Count(t, "seeds", 3, 6, 12)) {
		far, aside, radius := 1.5+0.15*float64(seed%5), 2+0.02*float64(int(seed%3)-1), 0.08+0.03*float64(seed%4)
		d := newTrip(t, fmt.Sprintf(discAhead, far, aside, radius), seed+1)
		d.arm()
		d.person(1, 0, 7)
		var gap, speed float64
		var contacts int
		look := func(c *plant.Car, _ *world.World) { gap, speed, contacts = c.Gap, c.Speed, c.Contacts }
		d.rig.Truth(look)
		if contacts > 0 || gap > 0.3 || math.Abs(speed) > standing {
			t.Errorf("seed %d: full throttle at a disc %.2f m ahead: %d contacts, %.3f m from it, %.3f m/s", seed, far-0.6, contacts, gap, speed)
		}
		if h := d.brain.DriverState(); h.Driver != brain.DriverPerson {
			t.Errorf("seed %d: %v drives", seed, h.Driver)
		}
		before := gap
		d.person(-1, 0, 1.5)
		if d.rig.Truth(look); gap < before+0.05 || contacts > 0 {
			t.Errorf("seed %d: backwards it came from %.3f to %.3f m from the disc, %d contacts", seed, before, gap, contacts)
		}
	}
}

// TestEdgesStopPeople: at full throttle towards a table's edge, straight on and aslant,
// the axles' middles stay on the table, however long the person keeps at it.
func TestEdgesStopPeople(t *testing.T) {
	tier.Compiled(t, "drives of some seconds")
	sc, err := scenarios.Load("cliff")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(tier.Count(t, "seeds", 3, 8, 16)) {
		d := newTripIn(t, sc, seed+1, field.Default(), true)
		d.arm()
		worst, met := math.Inf(1), false
		for range 1500 { // 15 s
			d.say(1, 0)
			d.wait(0.01)
			d.rig.Truth(func(c *plant.Car, _ *world.World) {
				for _, along := range []float64{0, 0.094} { // m, rear and front axle
					x, y := c.At.X+along*math.Cos(c.Heading), c.At.Y+along*math.Sin(c.Heading)
					worst = min(worst, x-0.4, 2.6-x, y-0.4, 2.6-y)
				}
			})
			met = met || d.brain.Safety().Causes.Has(safety.Cliff)
		}
		if worst < 0 || !met {
			t.Errorf("seed %d: an axle came within %.3f m of the edge, met %t", seed, worst, met)
		}
	}
}
