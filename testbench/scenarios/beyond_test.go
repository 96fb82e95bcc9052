package scenarios_test

import (
	"slices"
	"testing"

	"fieldbrain/testbench/scenarios"
)

// behindWalls is a room with much beyond its walls.
const behindWalls = `duration_s = 10
[start]
x = 1
y = 1
[world]
size = [4, 3]
walled = true
[[world.disc]]
at = [20, 1]
radius = 0.1
[[world.disc]]
at = [4.15, 1]
radius = 0.1
spread = 0.1
[[world.box]]
at = [2, -0.3]
size = [0.4, 0.4]
[[world.box]]
at = [2, -0.3]
size = [0.4, 0.4]
angle_deg = 180
[[world.box]]
at = [4, 2]
size = [0.4, 0.4]
[[world.wall]]
from = [5, -1]
to = [5, 4]
[[world.wall]]
from = [-1, 2.5]
to = [5, 2.5]
[[world.mover]]
path = [[-1, 1], [-2, 1]]
radius = 0.1
speed = 0.2
[[world.mover]]
path = [[3, 1], [-2, 1]]
radius = 0.1
speed = 0.2
[[world.floor.line]]
points = [[1, 30], [2, 30]]
width = 0.02
`

// TestBeyond: what no car can meet is named; what sticks out of the room, or may be
// displaced into it, is not, nor anything in a world without walls.
func TestBeyond(t *testing.T) {
	sc, err := scenarios.Parse("x.toml", []byte(behindWalls))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"world.box.0", "world.box.1", "world.disc.0", "world.mover.0", "world.wall.0", "world.floor.line.0"}
	if got := sc.Beyond(); !slices.Equal(got, want) {
		t.Errorf("beyond the walls stand %v, want %v", got, want)
	}
	sc.World.Walled = false
	if got := sc.Beyond(); got != nil {
		t.Errorf("in a world without walls %v are beyond them", got)
	}
	for _, name := range scenarios.Names() {
		if sc, err := scenarios.Load(name); err != nil || sc.Beyond() != nil {
			t.Errorf("%s: %v, %v", name, sc.Beyond(), err)
		}
	}
}
