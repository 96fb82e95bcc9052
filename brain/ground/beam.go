package ground

import (
	"math"

	"fieldbrain/field/exact"
)

// A Beam is one sonar reading as the sensor gave it.
type Beam struct {
	Bearing   float32 // rad from the heading, positive left
	HalfWidth float32 // rad, of the cone
	Range     float32 // m from the sensor's face to the nearest echo
	Beyond    bool    // no echo came: nothing was heard up to Range
	Lead      float32 // m from the rear axle ahead to the face
	Still     bool    // the car stands
}

// The sonar's model. Lengths in m, evidence in units.
const (
	sureRange   = 2.0 // up to which an echo's free sector is believed
	silentRange = 1.5 // the same where no echo came
	nearRange   = 0.5 // at which evidence is full
	echo        = 192 // of one echo, shared by the cells across its arc
	echoMost    = 36  // for one cell
	explained   = 30  // for a cell that explains an echo, up to nearRange
	passed      = 20  // for a cell that a beam passed, up to nearRange
	passedLeast = 4
	silence     = 5   // for a cell where no echo came
	doubt       = 2   // and when the cell is occupied
	silentNear  = 0.4 // up to which silence says nothing of what is occupied: it was felt, or fell silent when the car turned
	rim         = 3   // for a cell at the cone's rim
	capFrom     = 0.7
	capTo       = 1.5
	capFar      = 20   // what arcs make of a cell beyond capTo: less than occupied
	core        = 0.85 // share of the cone, from the axis, that clears what is occupied
	slack       = 0.01 // of the range: noise
	sameAs      = 1    // cells around an echo's range in which it is the same thing
	arcMost     = 512  // cells of an arc

	// before are cells in front of an echo, besides its noise, that count as its arc and not
	// as free floor, where beams look to the sides: with a whole cell a gap stays smeared.
	before = 0.25
)

// An arc is the cells at the range of one echo.
type arc struct {
	cell  [arcMost]int32
	off   [arcMost]float32 // m from the range
	n     int
	known int // how many of them are occupied
	floor int // how many are known free
}

// A cone is one beam in the grid's measure.
type cone struct {
	x, y      float32 // face, in cells
	ax, ay    float32 // axis
	slope     float32 // tangent of the half width
	reach     float32 // m
	clear     float32 // m, free up to here
	echo      float32 // m, 0 for none
	band      float32 // m around the echo that are its arc
	front     float32 // m before the echo from which on cells are marked
	silent    bool
	still     bool
	edges     [3]half // left, right, end
	low, high int32   // rows
	width     float32 // rad, half the cone
}

// A half is a half plane nx dx + ny dy <= c around the face, in cells.
type half struct{ nx, ny, c float32 }

// Beam writes one reading: the sector up to it is free, something stands on the
// arc at its end. It reports whether all of that arc was known free: what stands there
// has come.
func (g *Grid) Beam(at Pose, b Beam) (came bool) {
	if !somewhere(at.X, at.Y) || !(b.Range > 0) || !(b.HalfWidth > 0 && b.HalfWidth < 0.8) {
		return false
	}
	var c cone
	c.set(at, &b, g.sides > 0)
	g.arc.n, g.arc.known, g.arc.floor = 0, 0, 0
	for y := c.low; y <= c.high; y++ {
		from, to := c.span(y)
		from, to = max(from, g.west), min(to, g.west+Side-1)
		if uint32(y-g.south) < Side {
			g.row(&c, y, from, to)
		}
	}
	if c.echo > 0 {
		came = g.arc.n > 0 && g.arc.floor == g.arc.n
		g.stand(&c)
	}
	return came
}

// set prepares the cone of a beam; sides says that beams look to the sides, too.
func (c *cone) set(at Pose, b *Beam, sides bool) {
	way := float64(at.Heading)
	lead := float64(b.Lead)
	x := float64(at.X) + float64(lead*exact.Cos(way))
	y := float64(at.Y) + float64(lead*exact.Sin(way))
	c.x, c.y = float32(x/Cell), float32(y/Cell)
	axis := way + float64(b.Bearing)
	c.ax, c.ay = float32(exact.Cos(axis)), float32(exact.Sin(axis))
	c.slope = float32(exact.Tan(float64(b.HalfWidth)))
	c.width = b.HalfWidth
	noise := float32(slack*b.Range) + Cell
	c.silent, c.still = b.Beyond, b.Still
	switch {
	case b.Beyond:
		c.clear = min(b.Range, silentRange)
		c.reach = c.clear
	case b.Range > sureRange:
		c.clear = min(b.Range-noise, sureRange)
		c.reach = c.clear
	default:
		c.echo, c.band = b.Range, sameAs*Cell+float32(slack*b.Range)
		c.clear, c.front = b.Range-c.band, Cell/2
		if sides {
			c.clear, c.front = b.Range-before*Cell-float32(slack*b.Range), before*Cell
		}
		c.reach = b.Range + c.band
	}
	c.bound(float32(exact.Sin(float64(b.HalfWidth))), float32(exact.Cos(float64(b.HalfWidth))))
}

// bound computes the half planes and rows of the triangle around the sector.
func (c *cone) bound(sin, cos float32) {
	reach := float32(c.reach * (1 / Cell))
	lx, ly := turned(c.ax, c.ay, cos, sin)
	rx, ry := turned(c.ax, c.ay, cos, -sin)
	c.edges = [3]half{{-ly, lx, 0.5}, {ry, -rx, 0.5}, {c.ax, c.ay, reach}}
	stretch := reach / cos
	a, b := float32(stretch*ly), float32(stretch*ry)
	c.low = int32(math.Floor(float64(c.y+min(0, a, b)))) - 1
	c.high = int32(math.Floor(float64(c.y+max(0, a, b)))) + 1
}

// turned returns a unit vector turned by an angle whose cosine and sine are given.
func turned(x, y, cos, sin float32) (float32, float32) {
	return float32(x*cos) - float32(y*sin), float32(x*sin) + float32(y*cos)
}

// span returns the first and last world column of the sector in a row; the last
// is before the first where there is none.
func (c *cone) span(y int32) (from, to int32) {
	dy := float32(y) + 0.5 - c.y
	low, high := float32(-far), float32(far)
	for _, e := range c.edges {
		rest := e.c - float32(e.ny*dy)
		switch {
		case e.nx > 1e-6:
			high = min(high, rest/e.nx)
		case e.nx < -1e-6:
			low = max(low, rest/e.nx)
		case rest < 0:
			return 0, -1
		}
	}
	if low > high {
		return 0, -1
	}
	low, high = max(low, -Side), min(high, Side)
	return int32(math.Ceil(float64(c.x + low - 0.5))), int32(math.Floor(float64(c.x + high - 0.5)))
}

// row marks what a beam passes in one row, and notes the cells of its arc.
func (g *Grid) row(c *cone, y, from, to int32) {
	dy := float32(y) + 0.5 - c.y
	for x := from; x <= to; x++ {
		dx := float32(x) + 0.5 - c.x
		along := float32(dx*c.ax) + float32(dy*c.ay)
		across := float32(dy*c.ax) - float32(dx*c.ay)
		across = max(across, -across)
		if width := float32(along * c.slope); across > width+0.5 {
			continue
		} else if r := float32(root(float32(dx*dx)+float32(dy*dy)) * Cell); r < c.clear {
			g.pass(c, index(x, y), r, across < max(float32(core*width)+0.1, 0.6))
		} else if off := r - c.echo; c.echo > 0 && off <= c.band && off >= -c.band && across <= width+0.25 {
			g.note(index(x, y), off)
		}
	}
}

func root(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// fading returns evidence at a range: full up to nearRange, then less with the
// inverse of the range.
func fading(full, least, r float32) int {
	if r <= nearRange {
		return int(full)
	}
	return int(max(full*(nearRange/r), least))
}

// pass moves a cell that a beam passed towards free. At the cone's rim, what is
// occupied stays.
func (g *Grid) pass(c *cone, i int, r float32, inner bool) {
	old := g.at(i)
	by := fading(passed, passedLeast, r)
	switch {
	case g.edge.has(i):
		return
	case c.silent && old > 0:
		if by = doubt; !inner || g.trusts(c, r) {
			return
		}
	case c.silent:
		by = min(by, silence)
	case !inner && old > 0:
		return
	case !inner:
		by = min(by, rim)
	}
	units := max(old-by, -Free)
	if old > 0 && units <= 0 && g.firm.has(i) {
		g.moved(i)
	}
	if g.seen[i] = g.fade.now; units != old {
		g.put(i, units)
	}
}

// trusts reports whether what is marked at a range stays in spite of silence: one beam's on
// the way says that the nose has turned from a smooth wall (docs/decisions/0070).
func (g *Grid) trusts(c *cone, r float32) bool { return r < silentNear || g.sides == 0 && !c.still }

// note adds a cell to the arc.
func (g *Grid) note(i int, off float32) {
	a := &g.arc
	if a.n == arcMost {
		return
	}
	a.cell[a.n], a.off[a.n] = int32(i), off
	a.n++
	if g.occupied.has(i) {
		a.known++
	} else if g.free.has(i) {
		a.floor++
	}
}

// stand writes the arc: an echo that occupied cells explain makes those surer;
// else its evidence is shared by the cells across the arc.
func (g *Grid) stand(c *cone) {
	a := &g.arc
	if a.known > 0 {
		by := fading(explained, passedLeast, c.echo)
		for n, i := range a.cell[:a.n] {
			if g.occupied.has(int(i)) && !g.edge.has(int(i)) && a.off[n] >= -Cell && a.off[n] <= Cell {
				g.put(int(i), min(g.at(int(i))+by, Occupied))
			}
		}
		return
	}
	across := max(float32(2*c.width*c.echo)*(1/Cell), 1)
	by := min(int(echo/across), echoMost)
	most := limit(c.echo)
	for n, i := range a.cell[:a.n] {
		if old := g.at(int(i)); a.off[n] >= -c.front && a.off[n] <= Cell && old < most {
			g.put(int(i), min(old+by, most))
		}
	}
}

// limit is what arcs alone make of a cell at a range.
func limit(r float32) int {
	switch {
	case r <= capFrom:
		return Occupied
	case r >= capTo:
		return capFar
	}
	return int(Occupied - float32((Occupied-capFar)*((r-capFrom)/(capTo-capFrom))))
}
