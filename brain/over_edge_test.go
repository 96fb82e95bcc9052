package brain_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// bareTable is a table in a room, with the car 1.15 m before its edge.
const bareTable = `
title = "Table"
duration_s = 60
profile = "P1"
[start]
x = 2.0
y = 1.7
[world]
size = [4.0, 3.4]
walled = true
[world.floor]
table = [[0.8, 0.8], [3.2, 0.8], [3.2, 2.6], [0.8, 2.6]]
[brain]
cruise = 0.2
cliff = "on"
`

// TestGoalOverAnEdge: a goal beyond the table is given up where the edge was met, with that
// reason and at once: the way round leads along the edge, past which a wheel comes first. A
// goal on the table is reached.
func TestGoalOverAnEdge(t *testing.T) {
	tier.Compiled(t, "drives of half a minute")
	for _, profile := range []string{"P0", "P1"} {
		for _, tt := range []struct {
			x, y     float64
			standing brain.Standing
		}{
			{1.3, 0, brain.GivenUp},
			{2, 0.1, brain.GivenUp},
			{0.7, -0.5, brain.Reached},
		} {
			for seed := range uint64(tier.Count(t, "seeds", 1, 2, 4)) {
				sc, err := scenarios.Parse("table.toml", []byte(strings.Replace(bareTable, "P1", profile, 1)))
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
				e := d.give(brain.Order{Do: brain.DoGoal, X: tt.x, Y: tt.y}, 40)
				if e.Standing != tt.standing || tt.standing == brain.GivenUp && e.Why != brain.OverEdge {
					t.Errorf("%s, seed %d, goal %v, %v: %v, %q after %v", profile, seed+1, tt.x, tt.y, e.Standing, e.Why, e.Driving)
				}
				if d.wait(1); farthest > 1.10 { // the front wheels are 0.044 m ahead of the reference point
					t.Errorf("%s, seed %d, goal %v, %v: it came %.2f m far, and the table ends at 1.15", profile, seed+1, tt.x, tt.y, farthest)
				}
			}
		}
	}
}

// TestGoalPastFalseEdges: edges that a floor sensor only says stand in no way to a goal.
func TestGoalPastFalseEdges(t *testing.T) {
	tier.Compiled(t, "drives of half a minute")
	for _, tt := range []struct {
		profile, fault string
		seed           uint64
		x, y           float64
	}{
		{"P0", "until_s = 5", 1, 1.1, 0.2},
		{"P0", "until_s = 6\nwhich = 1", 2, 0.9, -0.1},
		{"P0", "until_s = 5", 2, 1.1, 0.2},
		{"P0", "until_s = 5", 3, 0.9, -0.1},
		{"P0", "until_s = 6\nwhich = 1", 1, 1.1, 0.2},
		{"P1", "until_s = 5", 1, 1.1, 0.2},
	}[:tier.Count(t, "drives", 2, 4, 6)] {
		sc, err := scenarios.Parse("table.toml", fmt.Appendf(nil, `
title = "a table and a floor sensor that jumps"
duration_s = 80
profile = %q
[start]
x = 0.9
y = 1
heading_deg = 20
[world]
size = [4, 3]
walled = true
[world.floor]
table = [[0.5, 0.4], [2.6, 0.4], [2.6, 2.2], [0.5, 2.2]]
[brain]
cliff = "on"
[[fault]]
kind = "spike"
probability = 0.3
from_s = 3
%s
`, tt.profile, tt.fault))
		if err != nil {
			t.Fatal(err)
		}
		d := newTripIn(t, sc, tt.seed, field.Default(), true)
		d.arm()
		d.wait(1)
		if e := d.give(brain.Order{Do: brain.DoGoal, X: tt.x, Y: tt.y}, 75); e.Standing != brain.Reached {
			t.Errorf("%+v: %v, %q after %v", tt, e.Standing, e.Why, e.Driving)
		}
	}
}
