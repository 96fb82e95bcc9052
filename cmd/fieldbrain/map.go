package main

import (
	"fmt"
	"math"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// headingBar draws the output of the HEADING channel, left to right as the car
// sees it, under a mark for straight ahead.
func headingBar(s brain.Status) []string {
	const levels = " .:-=+*#%@"
	peak := int32(1)
	for _, f := range s.Heading {
		peak = max(peak, f)
	}
	n := len(s.Heading)
	bar := make([]byte, n)
	for i, f := range s.Heading { // bearing bins ascend to the left
		bar[n-1-i] = levels[int(int64(f)*int64(len(levels)-1)/int64(peak))]
	}
	return []string{
		"  left " + strings.Repeat(" ", n/2-1) + "v" + strings.Repeat(" ", n/2) + " right",
		fmt.Sprintf("heading[%s] %s", bar, s.Mode),
	}
}

// A topDown is the simulated world seen from above, one character per cell. The
// walls are drawn once; the car and what moves are put on a copy.
type topDown struct {
	rig    *testbench.Rig
	low    world.Vec
	cell   float64 // m, height of a character; half of it wide
	ground [][]byte
}

const mapRows = 16

// newMap draws what stands still.
func newMap(rig *testbench.Rig) *topDown {
	m := &topDown{rig: rig}
	rig.Truth(func(_ *plant.Car, w *world.World) {
		size := w.Max.Sub(w.Min)
		m.low = w.Min
		m.cell = max(size.Y/mapRows, size.X/72*2, 0.01)
		rows, columns := int(math.Ceil(size.Y/m.cell))+1, int(math.Ceil(2*size.X/m.cell))+1
		m.ground = make([][]byte, min(rows, 60))
		for r := range m.ground {
			m.ground[r] = make([]byte, min(columns, 160))
			for c := range m.ground[r] {
				m.ground[r][c] = groundAt(w, m.centre(r, c), m.cell)
			}
		}
	})
	return m
}

func groundAt(w *world.World, p world.Vec, cell float64) byte {
	for _, d := range w.Discs {
		if d.Distance(p) < cell/4 {
			return 'o'
		}
	}
	for _, s := range w.Walls {
		if s.Distance(p) < cell/2 {
			return '#'
		}
	}
	switch {
	case w.Floor.Past(p):
		return '~'
	case w.HasGoal && p.Sub(w.Goal).Norm() < cell:
		return 'G'
	case len(w.Floor.Lines) > 0 && w.Floor.LineDistance(p) < cell/4:
		return '-'
	}
	return ' '
}

// centre returns the place of a cell; rows go down, y goes up.
func (m *topDown) centre(row, column int) world.Vec {
	up := len(m.ground) - 1 - row
	return world.Vec{X: m.low.X + float64(float64(column)*m.cell/2), Y: m.low.Y + float64(float64(up)*m.cell)}
}

// draw returns the map with the car on it: an arrow head along its heading.
func (m *topDown) draw() []string {
	var at world.Vec
	var heading float64
	var movers []world.Vec
	m.rig.Truth(func(c *plant.Car, w *world.World) {
		at, heading = c.At, c.Heading
		for i := range w.Movers {
			movers = append(movers, w.Movers[i].Disc().Centre)
		}
	})
	grid := make([][]byte, len(m.ground))
	for r := range grid {
		grid[r] = append([]byte(nil), m.ground[r]...)
	}
	put := func(p world.Vec, mark byte) {
		row := len(grid) - 1 - int(math.Round((p.Y-m.low.Y)/m.cell))
		column := int(math.Round(2 * (p.X - m.low.X) / m.cell))
		if row >= 0 && row < len(grid) && column >= 0 && column < len(grid[row]) {
			grid[row][column] = mark
		}
	}
	for _, p := range movers {
		put(p, 'O')
	}
	eighth := int(math.Round(heading/(math.Pi/4))) & 7
	put(at, ">/^\\</v\\"[eighth])
	lines := make([]string, len(grid))
	for r := range grid {
		lines[r] = string(grid[r])
	}
	return lines
}
