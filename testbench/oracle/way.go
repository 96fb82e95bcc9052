package oracle

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// A Way is what the true map allows in one world.
type Way struct {
	Points []world.Vec // corners of the way from the start to the goal or out of the region; none without either
	Length float64     // m along them, of the body's middle; 0 without a goal
	Time   float64     // s at cruise speed, which no car undercuts
	Start  float64     // m of air around the body at its start
	Narrow float64     // m, the least air beside the body on the way; +Inf without one
	Reach  float64     // share of the world's coverage cells that the body can visit
}

// Solve finds the way in the world of one seed. It refuses a world whose goal or
// way out cannot be reached, and a start without a free place beside it.
func Solve(sc *scenarios.Scenario, seed uint64) (Way, error) {
	m, err := Survey(sc, seed)
	if err != nil {
		return Way{}, err
	}
	return m.Way()
}

// Way returns the way from the start.
func (m *Map) Way() (Way, error) {
	way := Way{Start: m.Clearance(m.start) - m.radius + Margin, Narrow: math.Inf(1)}
	reach, all := m.visits()
	way.Reach = float64(reach) / float64(all)
	first, ok := m.near(m.start)
	switch {
	case !ok:
		return way, fmt.Errorf("oracle: no free place for the body within 0.1 m of its start at %.2f, %.2f", m.start.X, m.start.Y)
	case !m.aimed:
		return way, nil
	case math.IsInf(float64(m.left[first]), 1):
		return way, fmt.Errorf("oracle: no way from %.2f, %.2f to the goal for a body of %.2f m with %g m of air", m.start.X, m.start.Y, m.radius-Margin, Margin)
	}
	way.Points = m.straighten(m.descend(first))
	for i := 1; i < len(way.Points); i++ {
		way.Length += way.Points[i].Sub(way.Points[i-1]).Norm()
	}
	for i := 1; i < len(way.Points); i++ {
		way.Narrow = min(way.Narrow, m.narrow(way.Points[i-1], way.Points[i]))
	}
	way.Time = way.Length / m.cruise
	return way, nil
}

// descend follows the distance down to the goal, cell by cell.
func (m *Map) descend(i int) (cells []int) {
	for {
		cells = append(cells, i)
		best := i
		x, y := i%m.columns, i/m.columns
		steepest := float32(0)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if x+dx < 0 || x+dx >= m.columns || y+dy < 0 || y+dy >= m.rows {
					continue
				}
				next := i + dy*m.columns + dx
				fall := m.left[i] - m.left[next]
				if dx != 0 && dy != 0 {
					fall = float32(fall * math.Sqrt2 / 2)
				}
				if fall > steepest {
					best, steepest = next, fall
				}
			}
		}
		if best == i {
			return cells
		}
		i = best
	}
}

// straighten keeps the corners of a way: from each the farthest cell that is
// reached in a straight line through free cells.
func (m *Map) straighten(cells []int) (corners []world.Vec) {
	corners = append(corners, m.centre(cells[0]))
	for i := 0; i < len(cells)-1; {
		k := len(cells) - 1
		for k > i+1 && !m.straight(m.centre(cells[i]), m.centre(cells[k])) {
			k--
		}
		i = k
		corners = append(corners, m.centre(cells[i]))
	}
	return corners
}

// straight reports whether a straight line passes through free cells only, with half
// of the margin beside the body all along.
func (m *Map) straight(a, b world.Vec) bool {
	d := b.Sub(a)
	steps := int(math.Ceil(d.Norm() / (Cell / 2)))
	for k := 1; k < steps; k++ {
		i, ok := m.cell(a.Add(d.Scale(float64(k) / float64(steps))))
		if !ok || !m.free[i] {
			return false
		}
	}
	return m.narrow(a, b) >= Margin/2
}

// narrow returns the least air beside the body on a straight line.
func (m *Map) narrow(a, b world.Vec) float64 {
	least, d := math.Inf(1), b.Sub(a)
	steps := max(1, int(math.Ceil(d.Norm()/(Cell/2))))
	for k := range steps + 1 {
		least = min(least, m.Clearance(a.Add(d.Scale(float64(k)/float64(steps)))))
	}
	return least - m.radius + Margin
}

// Left returns how far it is to the goal or out of the region, in m, from where
// the body's middle is. It is not known where there is neither, beyond the map, and
// more than Near from any free place.
func (m *Map) Left(p world.Vec) (metres float64, known bool) {
	if !m.aimed {
		return 0, false
	}
	if m.goal == nil {
		if _, inside := m.cell(p); !inside {
			return 0, true // a region may end where the world does
		}
	}
	i, ok := m.near(p)
	if !ok || math.IsInf(float64(m.left[i]), 1) {
		return 0, false
	}
	return float64(m.left[i]), true
}

// A Grid is a map with a goal in numbers, for an engine outside of this package.
type Grid struct {
	Low           world.Vec
	Columns, Rows int
	Left          []float32 // of every cell, row by row: m to go, +Inf where there is no way, no number where the body cannot be
}

// Grid returns the map's.
func (m *Map) Grid() Grid {
	g := Grid{Low: m.low, Columns: m.columns, Rows: m.rows, Left: slices.Clone(m.left)}
	for i, free := range m.free {
		if !free {
			g.Left[i] = float32(math.NaN())
		}
	}
	return g
}

// Progress returns which share of the way a body has done that is at p: 0 at the
// start and before, 1 at the goal, by what is left and not by what was driven.
func (m *Map) Progress(p world.Vec) float64 {
	all, ok := m.Left(m.start)
	left, known := m.Left(p)
	switch {
	case !ok || !known:
		return 0
	case all == 0:
		return 1
	}
	return min(max(1-left/all, 0), 1)
}

// Coverage returns the share of the world's coverage cells that a body can visit at
// cruise speed in a time: those it can reach, and no more than a way of that length
// enters when it runs along rows of cells and enters none twice, 1 + cruise time /
// Visit. A way that cuts corners may enter a few more; nobody's does for long.
func (m *Map) Coverage(in time.Duration) float64 {
	reach, all := m.visits()
	bound := 1 + math.Floor(float64(m.cruise*in.Seconds())/Visit)
	return min(float64(reach), bound) / float64(all)
}

// visits counts the coverage cells that the body can visit, and all.
func (m *Map) visits() (reach, all int) {
	size := m.world.Max.Sub(m.world.Min)
	columns := max(1, int(math.Ceil(float64(size.X/Visit)-1e-9)))
	rows := max(1, int(math.Ceil(float64(size.Y/Visit)-1e-9)))
	seen := make([]bool, columns*rows)
	for i, there := range m.reached {
		if !there {
			continue
		}
		p := m.centre(i).Sub(m.low)
		x, y := min(int(p.X/Visit), columns-1), min(int(p.Y/Visit), rows-1)
		if k := y*columns + x; !seen[k] {
			seen[k] = true
			reach++
		}
	}
	return reach, len(seen)
}
