package drive_test

import (
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// TestAroundABend: the goal is 2.9 m off behind two walls, the way there leads away from it.
// Each of the corridor's ends looks open from the other when its wall is forgotten: five
// beams went to and fro between them for 223 s with five of these six seeds.
func TestAroundABend(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc, err := scenarios.Parse("bends", []byte(`title = "Corridor with bends of 120, 60, 90 and 45 deg"
duration_s = 150
profile = "P1"
stop = "goal"
[start]
x = 1.3
y = 2.82
heading_deg = 20
[world]
size = [6.0, 6.0]
[world.goal]
at = [3.65, 4.79]
radius = 0.25
[brain]
goal = true
cliff = "off"
`))
	if err != nil {
		t.Fatal(err)
	}
	sc.World.Walls = sides(
		[][2]float64{{1, 3.28}, {3.71, 3.28}, {2.62, 1.4}, {4.6, 1.4}, {4.6, 3.26}, {3.2, 4.65}},
		[][2]float64{{1, 2.49}, {2.34, 2.49}, {1.25, 0.6}, {5.39, 0.6}, {5.39, 3.58}, {3.76, 5.21}})
	for n := range tier.Count(t, "seeds", 1, 3, 6) {
		seed := uint64(12 + n)
		r, err := drive.New(config.Default()).Virtual(sc, seed, "brain", testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Pass || r.Goal == nil || r.Collisions > 0 {
			t.Errorf("seed %d: arrived %v, circled for %.1f s, touched %d: %v", seed, r.Goal != nil, r.Circling, r.Collisions, r.Verdicts)
		}
	}
}

// sides returns the walls along two sides of a corridor, and across its ends.
func sides(left, right [][2]float64) (walls []scenarios.Wall) {
	for _, side := range [][][2]float64{left, right} {
		for k := range side[1:] {
			walls = append(walls, scenarios.Wall{From: side[k], To: side[k+1]})
		}
	}
	last := len(left) - 1
	return append(walls, scenarios.Wall{From: left[0], To: right[0]}, scenarios.Wall{From: left[last], To: right[last]})
}
