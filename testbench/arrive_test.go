package testbench_test

import (
	"testing"
	"time"

	"fieldbrain/testbench/oracle"
)

// TestGoalThroughAWall: a car that a wall keeps from its goal has not arrived, however near
// the goal is, and the map allows no arrival either.
func TestGoalThroughAWall(t *testing.T) {
	const room = "duration_s = 10\nstop = \"goal\"\n[start]\nx = 0.5\ny = 1\n[world]\nsize = [4, 2]\nwalled = true\n[world.goal]\nat = [2.2, 1]\nradius = 0.5\n"
	for _, c := range []struct {
		name, wall string
		arrives    bool
	}{
		{"open", "", true},
		{"shut", "[[world.wall]]\nfrom = [2, 0]\nto = [2, 2]\n", false},
		{"a disc before it", "[[world.disc]]\nat = [1.95, 1]\nradius = 0.08\n", false},
		{"a disc around it", "[[world.disc]]\nat = [2.2, 1]\nradius = 0.2\n", true},
	} {
		sc := parse(t, room+c.wall)
		r := run(t, sc, 1, rolling, 10*time.Second)
		if got := r.Goal != nil; got != c.arrives {
			t.Errorf("%s: arrived %v, want %v\n%s", c.name, got, c.arrives, r.Summary())
		}
		if _, err := oracle.Solve(sc, 1); c.name == "shut" && err == nil {
			t.Errorf("%s: the oracle finds a way", c.name)
		}
	}
}
