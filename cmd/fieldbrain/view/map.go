package view

import (
	"math"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A topDown is the simulated world seen from above, one character per cell. fit
// draws the still things once per size; draw puts the car and the moving things
// on a copy.
type topDown struct {
	rig           *testbench.Rig
	rows, columns int // the largest size it may have
	low           world.Vec
	wide, high    float64 // m, of a character
	ground        [][]byte
}

// mapRows is the most rows a map takes.
const mapRows = 20

// newMap returns the map of a rig.
func newMap(rig *testbench.Rig) *topDown { return &topDown{rig: rig} }

// fit draws the still things into at most so many rows and columns.
func (m *topDown) fit(rows, columns int) {
	if m.rows == rows && m.columns == columns {
		return
	}
	m.rows, m.columns = rows, columns
	m.rig.Truth(func(_ *plant.Car, w *world.World) {
		size := w.Max.Sub(w.Min)
		m.low = w.Min
		cell := max(size.Y/float64(max(rows-1, 1)), 2*size.X/float64(max(columns-1, 1)), 0.01) // twice as high as wide
		m.ground = make([][]byte, min(rows, int(size.Y/cell+0.01)+1))
		across := min(columns, int(2*size.X/cell+0.01)+1)
		m.high, m.wide = size.Y/float64(max(len(m.ground)-1, 1)), size.X/float64(max(across-1, 1)) // walls lie on the edge
		for r := range m.ground {
			m.ground[r] = make([]byte, across)
			for c := range m.ground[r] {
				m.ground[r][c] = groundAt(w, m.centre(r, c), cell)
			}
		}
	})
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
	return world.Vec{X: m.low.X + float64(float64(column)*m.wide), Y: m.low.Y + float64(float64(up)*m.high)}
}

// draw returns the map with the car on it, an arrow head along its heading, in at
// most so many rows and columns.
func (m *topDown) draw(rows, columns int) []string {
	m.fit(rows, columns)
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
		row := len(grid) - 1 - int(math.Round((p.Y-m.low.Y)/m.high))
		column := int(math.Round((p.X - m.low.X) / m.wide))
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
