package drive_test

import (
	"fmt"
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// TestOutOfACorner: a car that is put into a corner of an empty room, facing it, comes out of it
// and drives around, with five beams and with one.
func TestOutOfACorner(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	members := [...]struct {
		profile       string
		x, y, heading float64 // m, m, deg
		seed          uint64
	}{
		{"P1", 0.3399, 0.3698, -138.46, 9}, {"P1", 0.3246, 2.2413, 132.91, 13}, {"P0", 0.3399, 0.3698, -138.46, 9}, {"P1", 2.8603, 0.2945, -49.95, 7},
	}
	for _, m := range members[:tier.Count(t, "members", 2, 3, len(members))] {
		sc, err := scenarios.Parse("corner", fmt.Appendf(nil, `title = "a corner"
duration_s = 45
profile = %q
[world]
size = [3.2, 2.6]
walled = true
[[limit]]
metric = "collisions"
max = 0
`, m.profile))
		if err != nil {
			t.Fatal(err)
		}
		sc.Start.X, sc.Start.Y, sc.Start.Heading = m.x, m.y, m.heading
		r, err := drive.New(config.Default()).Virtual(sc, m.seed, "brain", testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Circling > 10 || r.Coverage < 0.15 || r.Collisions > 0 {
			t.Errorf("%+v: covered %.2f, circled for %.1f s, touched %d", m, r.Coverage, r.Circling, r.Collisions)
		}
	}
}
