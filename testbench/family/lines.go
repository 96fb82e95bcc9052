package family

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

const (
	chords = 240   // of a closed line
	tape   = 0.025 // m wide

	longestGap = 0.20 // m
)

// A course is what a line to follow is like.
type course struct {
	radius [2]float64 // m, between which its tightest curve is drawn
	cruise float64    // m/s
	gaps   int        // at most
}

// drawLine returns how a closed line is drawn, and the car put on it.
func drawLine(c course) func(d *draft) {
	return func(d *draft) {
		d.lay(d.loop(c), c.gaps)
		d.Brain.Cruise = c.cruise
	}
}

// lay tapes a closed line in a room of its size, and puts the car on its first point.
func (d *draft) lay(points []world.Vec, gaps int) {
	const around = 0.6 // m from the line to the walls
	low, high := points[0], points[0]
	for _, p := range points {
		low = world.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = world.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	size := high.Sub(low)
	d.size(mm(size.X+2*around), mm(size.Y+2*around))
	for i := range points {
		points[i] = points[i].Sub(low).Add(world.Vec{X: around, Y: around})
	}
	d.World.Floor.Lines = d.pieces(points, gaps)
	d.Start.OnLine, d.gaps = true, gaps
	d.Brain.FollowLine, d.Duration = true, 60
}

// loop draws a closed line whose tightest curve has a radius between the course's: a
// circle with three waves on it, that grow until the curve is as tight.
func (d *draft) loop(c course) []world.Vec {
	size, target := d.dice.Between(0.8, 1.1), d.dice.Between(c.radius[0], c.radius[1])
	var share, phase [3]float64
	for k := range share {
		share[k], phase[k] = d.dice.Between(0.2, 1)/float64((k+2)*(k+2)), d.dice.Between(0, 2*math.Pi)
	}
	draw := func(grown float64) []world.Vec {
		points := make([]world.Vec, chords)
		for i := range points {
			turn := 2 * math.Pi * float64(i) / chords
			r := 1.0
			for k := range share {
				r += float64(grown * share[k] * exact.Cos(float64(float64(k+2)*turn)+phase[k]))
			}
			points[i] = world.Unit(turn).Scale(size * r)
		}
		return points
	}
	best := draw(0)
	for grown := 0.05; grown < 3; grown += 0.05 {
		next := draw(grown)
		if tightest(next) < target {
			break
		}
		best = next
	}
	return best
}

// tightest returns the least radius of the circles through three points in turn of a
// closed line: a b c / (4 area).
func tightest(points []world.Vec) float64 {
	const apart = 3 // points, so that rounding does not bend the line
	least := math.Inf(1)
	n := len(points)
	for i := range points {
		p, q, r := points[i], points[(i+apart)%n], points[(i+2*apart)%n]
		a, b, c := q.Sub(p), r.Sub(q), p.Sub(r)
		area := math.Abs(a.Cross(b)) / 2
		if area > 0 {
			least = min(least, a.Norm()*b.Norm()*c.Norm()/(4*area))
		}
	}
	return least
}

// pieces closes a line and cuts gaps of 5 to 20 cm out of it, the first not before
// the car has found it.
func (d *draft) pieces(points []world.Vec, gaps int) (lines []scenarios.Line) {
	cut := make([]bool, len(points)+1)
	if gaps > 0 {
		for k := range d.whole(2, gaps) {
			wide, from := d.dice.Between(0.05, longestGap), 30+(chords-40)*k/gaps+d.whole(0, 10)
			for i := from; i < chords && points[i].Sub(points[from]).Norm() < wide; i++ {
				cut[i] = true
			}
		}
	}
	line := scenarios.Line{Width: tape}
	for i := range cut {
		p := points[i%len(points)]
		if !cut[i] {
			line.Points = append(line.Points, [2]float64{tenths(p.X), tenths(p.Y)})
			continue
		}
		if len(line.Points) > 1 {
			lines = append(lines, line)
		}
		line.Points = nil
	}
	return append(lines, line)
}

// tenths rounds a length to tenths of millimetres: whole ones would bend a line.
func tenths(x float64) float64 { return math.Round(x*1e4) / 1e4 }
