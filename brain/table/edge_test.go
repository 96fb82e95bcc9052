package table

import (
	"math"
	"testing"

	"fieldbrain/robot"
)

// TestFalseEdges: what sensors say is a side of the table where the car rolled on over it
// and lost it on its way back, where it had seen it; what they say of a car that stands, that
// only drives on or only goes back, and what lasts until the car is elsewhere, is none.
func TestFalseEdges(t *testing.T) {
	const tick = 0.0006 // m, at 0.12 m/s
	for _, c := range []struct {
		name                string
		from, on, rest, off int // ticks: before it, forwards or backwards; while sensors say so, forwards, standing, backwards
		edge                bool
	}{
		{"an edge, braked over 4 mm", 9, 7, 30, 11, true},
		{"an edge at 0.2 m/s, over 10 mm", 9, 17, 40, 17, true},
		{"an edge that its reckoning makes narrower on the way back", 9, 7, 30, 5, true},
		{"an edge that is sure when the car stands", 9, 0, 30, 25, true},
		{"two ticks while it drives", 9, 2, 0, 0, false},
		{"100 ms while it drives", 9, 20, 0, 0, false},
		{"while it drives and brakes", 9, 7, 25, 0, false},
		{"two ticks while it stands", 9, 0, 2, 0, false},
		{"two ticks as it turns back", 9, 0, 0, 2, false},
		{"half a second as it is switched on", 0, 0, 100, 0, false},
		{"as it is switched on, and on its way back", 0, 0, 20, 20, false},
		{"two ticks on its way back", -9, 0, 0, 2, false},
		{"20 ticks on its way back", -9, 0, 0, 20, false},
		{"a sensor that says so for a second", 9, 7, 30, 160, false},
	} {
		for _, before := range []bool{false, true} {
			e := Map{}
			if before {
				e = *known(0.3, 0)
			}
			for range max(c.from, -c.from) {
				e.Update(&Look{Way: math.Copysign(tick, float64(c.from))})
			}
			for _, part := range [3]struct {
				ticks int
				way   float64
			}{{c.on, tick}, {c.rest, 0}, {c.off, -tick}} {
				for range part.ticks {
					e.Update(&Look{Way: part.way, Edges: [robot.NumFloor]bool{true, true, true}})
				}
			}
			e.Update(&Look{Way: -tick})
			met := e.sides[0].met && e.sides[0].ago == 0
			if met != c.edge || e.meeting {
				t.Errorf("%s, a table that is known %v: a side was met %v, want %v", c.name, before, met, c.edge)
			}
		}
	}
}
