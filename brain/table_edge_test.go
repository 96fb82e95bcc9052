package brain

import (
	"testing"

	"fieldbrain/robot"
)

// TestTableFalseEdges: what sensors say is a side of the table where the car rolled on over it
// and lost it on its way back, where it had seen it; what they say of a car that stands, that
// only drives on or only goes back, and what lasts until the car is elsewhere, is none.
func TestTableFalseEdges(t *testing.T) {
	const tick = 0.0006 // m, at 0.12 m/s
	for _, c := range []struct {
		name          string
		on, rest, off int // ticks in which sensors say so: forwards, standing, backwards
		edge          bool
	}{
		{"an edge, braked over 4 mm", 7, 30, 11, true},
		{"an edge at 0.2 m/s, over 10 mm", 17, 40, 17, true},
		{"an edge that its reckoning makes 2 mm narrower on the way back", 7, 30, 4, true},
		{"two ticks while it drives", 2, 0, 0, false},
		{"100 ms while it drives", 20, 0, 0, false},
		{"while it drives and brakes", 7, 25, 0, false},
		{"two ticks while it stands", 0, 2, 0, false},
		{"half a second while it stands", 0, 100, 0, false},
		{"two ticks on its way back", 0, 0, 2, false},
		{"standing and on its way back", 0, 20, 20, false},
		{"a sensor that says so for a second", 7, 30, 160, false},
	} {
		for _, before := range []bool{false, true} {
			e := table{}
			if before {
				e = *known(0.3, 0)
			}
			for _, part := range [3]struct {
				ticks int
				way   float64
			}{{c.on, tick}, {c.rest, 0}, {c.off, -tick}} {
				for range part.ticks {
					e.update(part.way, 0, &[robot.NumFloor]bool{true, true, true})
				}
			}
			e.update(-tick, 0, new([robot.NumFloor]bool))
			met := e.sides[0].met && e.sides[0].ago == 0
			if met != c.edge || e.meeting {
				t.Errorf("%s, a table that is known %v: a side was met %v, want %v", c.name, before, met, c.edge)
			}
		}
	}
}
