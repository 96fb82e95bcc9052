package brain_test

import (
	"math"
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// tableLine is a line that ends on a table 0.3 m before its edge; its tape reflects more
// than an edge.
const tableLine = `
title = "Line on a table"
duration_s = 60
profile = "P1"
[start]
on_line = true
[world]
size = [4, 3]
walled = false
[world.floor]
tape = 750.0
table = [[0.5, 0.5], [3.5, 0.5], [3.5, 2.5], [0.5, 2.5]]
[[world.floor.line]]
points = [[1.8, 1.0], [3.2, 1.0]]
width = 0.025
[brain]
cruise = 0.2
cliff = "on"
`

// TestLineEndsOnATable: the car tries how its line goes on, comes back and stands where it
// ended, and says so; it does not go on to the edge beside it.
func TestLineEndsOnATable(t *testing.T) {
	tier.Compiled(t, "drives of a minute")
	for _, profile := range []string{"P0", "P1"} {
		for seed := range uint64(tier.Count(t, "seeds", 1, 2, 4)) {
			sc, err := scenarios.Parse("table.toml", []byte(strings.Replace(tableLine, "P1", profile, 1)))
			if err != nil {
				t.Fatal(err)
			}
			d := newTripIn(t, sc, seed+1, field.Default(), true)
			d.arm()
			farthest := 0.0
			d.after(func() {
				x, _, _ := d.truth()
				farthest = math.Max(farthest, x)
			})
			d.give(brain.Order{Do: brain.DoLine}, 60)
			e := d.brain.Remote().Status().Mission
			if e.Standing != brain.GivenUp || e.Why != brain.LineEnds {
				t.Errorf("%s, seed %d: %v, %q", profile, seed+1, e.Standing, e.Why)
			}
			d.wait(1)
			x, y, speed := d.truth()
			if math.Abs(y) > 0.03 || math.Abs(speed) > 0.001 {
				t.Errorf("%s, seed %d: it stands %.2f m beside its line with %.3f m/s", profile, seed+1, y, speed)
			}
			if back := farthest - x; back < 0.25 || back > 0.45 {
				t.Errorf("%s, seed %d: it stands %.2f m back from the farthest that it went, want the length of a gap", profile, seed+1, back)
			}
		}
	}
}

// TestLineElsewhere: a car that has explored since it saw a line looks for the next one as for
// the first; one that was told to stand in a gap goes no farther for it.
func TestLineElsewhere(t *testing.T) {
	tier.Compiled(t, "drives of a minute")
	trip := func() *trip {
		sc, err := scenarios.Parse("table.toml", []byte(strings.Replace(tableLine, "[3.2, 1.0]", "[2.6, 1.0]", 1)))
		if err != nil {
			t.Fatal(err)
		}
		d := newTripIn(t, sc, 1, field.Default(), true)
		d.arm()
		return d
	}
	d := trip()
	d.give(brain.Order{Do: brain.DoLine}, 3)
	d.give(brain.Order{Do: brain.DoExplore}, 12)
	if e := d.give(brain.Order{Do: brain.DoLine}, 10); e.Why == brain.LineEnds && e.Way < 1 {
		t.Errorf("after exploring: %v, %q after %.2f m", e.Standing, e.Why, e.Way)
	}
	farthest := func(holds int) (far, beside float64, why brain.Excuse) {
		d := trip()
		d.after(func() {
			x, _, _ := d.truth()
			far = math.Max(far, x)
		})
		d.give(brain.Order{Do: brain.DoLine}, 8.5)
		for range holds {
			d.give(brain.Order{Do: brain.DoHold}, 1)
			d.give(brain.Order{Do: brain.DoLine}, 1.5)
		}
		e := d.give(brain.Order{Do: brain.DoLine}, 60)
		_, y, _ := d.truth()
		return far, y, e.Why
	}
	straight, _, _ := farthest(0)
	held, beside, why := farthest(2)
	if why != brain.LineEnds || math.Abs(beside) > 0.03 || held > straight+0.05 {
		t.Errorf("told to stand twice: %q, %.2f m beside its line, %.2f m far, want %.2f", why, beside, held, straight)
	}
}
