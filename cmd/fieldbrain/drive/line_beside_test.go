package drive_test

import (
	"fmt"
	"math"
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// stadium is a world with a closed line of two straights and two half circles of 0.5 m, driven
// counter-clockwise, and a chair's leg of 12 mm beside it: so many m to the left of the line on
// the right half circle, or of the lower straight.
func stadium(t *testing.T, profile string, curve bool, left float64) *scenarios.Scenario {
	t.Helper()
	const steps = 40
	points := "[1, 0.7]"
	for _, end := range []struct{ x, from float64 }{{2.2, -math.Pi / 2}, {1, math.Pi / 2}} {
		for k := range steps + 1 {
			a := end.from + math.Pi*float64(k)/steps
			points += fmt.Sprintf(", [%.4f, %.4f]", end.x+0.5*math.Cos(a), 1.2+0.5*math.Sin(a))
		}
	}
	x, y := 1.8, 0.7+left
	if curve {
		x, y = 2.2+(0.5-left)*math.Cos(math.Pi/18), 1.2+(0.5-left)*math.Sin(math.Pi/18)
	}
	sc, err := scenarios.Parse("stadium", fmt.Appendf(nil, `title = "a leg beside a line"
duration_s = 40
profile = %q
[start]
on_line = true
[world]
size = [3.2, 2.4]
walled = true
[[world.floor.line]]
points = [%s]
width = 0.025
[[world.disc]]
at = [%.4f, %.4f]
radius = 0.012
[brain]
cruise = 0.3
follow_line = true
[[limit]]
metric = "collisions"
max = 0
`, profile, points, x, y))
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// TestBesideALine: what stands beside a line where the car fits past it is passed; what the body
// cannot pass is waited for and gone round, or, where it is touched, the car comes away from it:
// it does not push against it.
func TestBesideALine(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	members := [...]struct {
		profile string
		curve   bool
		left    float64 // m
		touches bool    // nobody can tell in time
		least   float64 // m
	}{
		{"P0", true, 0.07, true, 4},
		{"P1", false, -0.14, false, 10},
		{"P1", false, 0.085, false, 5},
		{"P1", true, 0.12, false, 9},
		{"P0", false, 0.12, false, 5},
		{"P0", false, -0.10, true, 4},
	}
	for _, m := range members[:tier.Count(t, "members", 3, 4, len(members))] {
		r, err := drive.New(config.Default()).Virtual(stadium(t, m.profile, m.curve, m.left), 1, "brain", testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Standing > 15 || r.Distance < m.least || r.Collisions > 0 && !m.touches {
			t.Errorf("%+v: touched %d, stood for %.1f s, drove %.1f m", m, r.Collisions, r.Standing, r.Distance)
		}
	}
}
