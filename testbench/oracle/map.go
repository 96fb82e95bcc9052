package oracle

import (
	"math"

	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

const (
	// Cell is the side of a cell of the map, in m.
	Cell = 0.02
	// Margin is the air the body keeps on every side, in m: a passage is one when it
	// is wider than the car by twice that.
	Margin = 0.01
	// Near is how far from free floor a body may be that scrapes along a wall, in m: a
	// whole number of cells.
	Near = 0.1
	// Visit is the side of the cells whose visits are counted as coverage, in m.
	Visit = 0.25
)

// A Map is the true floor of one world: what the body can reach from its start,
// and from everywhere how far it is to the goal.
type Map struct {
	start   world.Vec // the body's middle
	low     world.Vec
	columns int
	rows    int
	clear   []float32 // m from a cell's centre to the nearest obstacle
	free    []bool    // the body's middle may be there
	reached []bool    // and can come there from the start
	target  []bool    // it is at the goal, or out of the region
	aimed   bool      // there is a goal or a way out
	left    []float32 // m from there to the goal; +Inf where there is no way
	radius  float64   // m, of the body with its margin
	cruise  float64   // m/s
	goal    *scenarios.Goal
	world   *world.World
}

// Survey measures the world of one seed.
func Survey(sc *scenarios.Scenario, seed uint64) (*Map, error) {
	w, pose, err := sc.Build(seed)
	if err != nil {
		return nil, err
	}
	m := &Map{
		start: pose.At.Add(world.Unit(pose.Heading).Scale(sc.Car.BodyAhead)),
		low:   w.Min, radius: sc.Car.BodyRadius + Margin, cruise: sc.Brain.Cruise,
		goal: sc.World.Goal, world: w,
	}
	size := w.Max.Sub(w.Min)
	m.columns = max(1, int(math.Ceil(float64(size.X/Cell)-1e-9)))
	m.rows = max(1, int(math.Ceil(float64(size.Y/Cell)-1e-9)))
	m.clear = make([]float32, m.columns*m.rows)
	m.free = make([]bool, len(m.clear))
	for i := range m.clear {
		d := m.Clearance(m.centre(i))
		m.clear[i], m.free[i] = float32(d), d >= m.radius
	}
	m.aim(sc)
	m.flood()
	if m.aimed {
		m.march()
	}
	return m, nil
}

// Clearance returns how far a place is from the nearest wall, disc or edge of a
// table, in m: 0 beyond an edge, negative within a disc. Movers do not count.
func (m *Map) Clearance(p world.Vec) float64 {
	w := m.world
	d := math.Inf(1)
	for i := range w.Walls {
		d = min(d, w.Walls[i].Distance(p))
	}
	for i := range w.Discs {
		d = min(d, w.Discs[i].Distance(p))
	}
	for i, a := range w.Floor.Table {
		d = min(d, world.Segment{A: a, B: w.Floor.Table[(i+1)%len(w.Floor.Table)]}.Distance(p))
	}
	if w.Floor.Past(p) {
		return min(d, 0)
	}
	return d
}

// aim marks the cells that end the way: within the goal's radius with nothing between,
// or outside of the region that is to be left. A goal that nobody asks for is none beside
// a region that is to be left.
func (m *Map) aim(sc *scenarios.Scenario) {
	m.target = make([]bool, len(m.free))
	region := sc.Measure.Region
	if sc.AsksExit() && !sc.AsksGoal() {
		m.goal = nil
	}
	m.aimed = m.goal != nil || region != nil
	for i := range m.target {
		p := m.centre(i)
		switch {
		case m.goal != nil:
			m.target[i] = m.world.Arrived(p, m.goal.Radius)
		case region != nil:
			m.target[i] = p.X < region.Min[0] || p.X > region.Max[0] || p.Y < region.Min[1] || p.Y > region.Max[1]
		}
	}
}

// flood marks what can be reached from the start. The start's own cell counts as
// free: the car stands there.
func (m *Map) flood() {
	m.reached = make([]bool, len(m.free))
	first, ok := m.near(m.start)
	if !ok {
		return
	}
	m.reached[first] = true
	for open := []int{first}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		m.around(i, func(next int) {
			if m.free[next] && !m.reached[next] {
				m.reached[next] = true
				open = append(open, next)
			}
		})
	}
}

// around calls see for the four neighbours of a cell.
func (m *Map) around(i int, see func(next int)) {
	x := i % m.columns
	if x > 0 {
		see(i - 1)
	}
	if x < m.columns-1 {
		see(i + 1)
	}
	if i >= m.columns {
		see(i - m.columns)
	}
	if i < len(m.free)-m.columns {
		see(i + m.columns)
	}
}

// centre returns the middle of a cell.
func (m *Map) centre(i int) world.Vec {
	return m.low.Add(world.Vec{
		X: float64(Cell * (float64(i%m.columns) + 0.5)),
		Y: float64(Cell * (float64(i/m.columns) + 0.5)),
	})
}

// cell returns the cell that holds a place, and whether there is one.
func (m *Map) cell(p world.Vec) (i int, ok bool) {
	x, y := int(math.Floor((p.X-m.low.X)/Cell)), int(math.Floor((p.Y-m.low.Y)/Cell))
	if x < 0 || x >= m.columns || y < 0 || y >= m.rows {
		return 0, false
	}
	return y*m.columns + x, true
}

// near returns the free cell nearest to a place, at most Near away: a body that
// scrapes along a wall stands on none that is free.
func (m *Map) near(p world.Vec) (best int, ok bool) {
	const around = int(Near / Cell)
	at, inside := m.cell(p)
	if inside && m.free[at] {
		return at, true
	}
	least := Near
	cx, cy := int(math.Floor((p.X-m.low.X)/Cell)), int(math.Floor((p.Y-m.low.Y)/Cell))
	for y := max(cy-around, 0); y <= min(cy+around, m.rows-1); y++ {
		for x := max(cx-around, 0); x <= min(cx+around, m.columns-1); x++ {
			i := y*m.columns + x
			if d := m.centre(i).Sub(p).Norm(); m.free[i] && d <= least {
				best, ok, least = i, true, d
			}
		}
	}
	return best, ok
}
