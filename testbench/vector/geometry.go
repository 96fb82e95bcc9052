package vector

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// rays are those of a sonar's cone, as in testbench/plant.
const rays = 7

// The words of a site's record. Counts are of the padded groups where a group is
// padded; offsets count doubles of the pool. native/squeeze.h has the same.
const (
	wallsAt = iota
	walls
	discsAt
	discs
	moversAt
	movers
	linesAt
	lines
	tableAt
	corners
	carAt
	siteWords
)

// A car's record in the pool: what only the rare steps need.
const (
	carRadius = iota // m, of the body
	carSonar         // m, from the axle to the sonars
	carFloor         // m, from the axle to the floor sensors
	carPitch         // m, between two of them
	carLimit         // cosine of the steepest incidence that returns, 0 for all
	carGround        // counts of the floor
	carTape          // counts
	carVoid          // counts
	carAhead         // m, from the axle to the body's centre
	carCone          // cosines of the rays of the cone, then their sines, the first once more
	carWords  = carCone + 2*pad
)

// Arrays of a group of segments and of a group of discs.
const (
	segX, segY, segDX, segDY, segLength2, segRough, segLost, segWithin, segArrays = 0, 1, 2, 3, 4, 5, 6, 7, 8
	discX, discY, discR, discRough, discLost, discWithin, discArrays              = 0, 1, 2, 3, 4, 5, 6
)

// Words of a mover's and of a line's record.
const (
	moverRadius, moverSpeed, moverRough, moverLost, moverWithin, moverPath, moverCorners, moverWords = 0, 1, 2, 3, 4, 5, 6, 7
	lineAt, lineSegments, lineWidth, lineWords                                                       = 0, 1, 2, 3
)

// pad is the number of doubles that groups are filled up to: one vector.
const pad = 8

// A pool holds the geometry of all sites as numbers.
type pool struct {
	numbers []float64
	index   []int32 // siteWords per site
	most    int     // movers of the site that has most
}

// add appends a site.
func (p *pool) add(w *world.World, c *plant.Params) {
	var r [siteWords]int32
	r[wallsAt], r[walls] = p.segments(w.Walls)
	r[discsAt], r[discs] = p.discs(w.Discs)
	r[moversAt], r[movers] = p.movers(w.Movers)
	p.most = max(p.most, len(w.Movers))
	r[linesAt], r[lines] = p.lines(w.Floor.Lines)
	r[tableAt], r[corners] = p.path(w.Floor.Table), int32(len(w.Floor.Table))
	r[carAt] = p.car(w, c)
	p.index = append(p.index, r[:]...)
}

// end returns the offset of what is appended next.
func (p *pool) end() int32 { return int32(len(p.numbers)) }

// sound returns what a surface does: the cosine of the steepest incidence that
// returns, -1 where the beam decides; the share lost; the range.
func sound(s *world.Surface) (rough, lost, within float64) {
	rough, within = -1, math.Inf(1)
	if s == nil {
		return rough, 0, within
	}
	if s.Specular > 0 {
		rough = exact.Cos(s.Specular)
	}
	if s.Within > 0 {
		within = s.Within
	}
	return rough, s.Lost, within
}

// group appends arrays of n numbers, filled up with fill, and returns their
// offset and padded length.
func (p *pool) group(n, arrays int, fill float64) (at, padded int32) {
	at, padded = p.end(), int32((n+pad-1)/pad*pad)
	for range int(padded) * arrays {
		p.numbers = append(p.numbers, fill)
	}
	return at, padded
}

// segments appends walls or pieces of a line. What fills them up lies at infinity:
// nearest to nothing, hit by no ray.
func (p *pool) segments(list []world.Segment) (at, padded int32) {
	at, padded = p.group(len(list), segArrays, 0)
	put := func(array, i int, v float64) { p.numbers[int(at)+array*int(padded)+i] = v }
	for i := range int(padded) {
		if i >= len(list) {
			put(segX, i, math.Inf(1))
			put(segY, i, math.Inf(1))
			continue
		}
		s := list[i]
		d := s.B.Sub(s.A)
		rough, lost, within := sound(s.Surface)
		for a, v := range [segArrays]float64{s.A.X, s.A.Y, d.X, d.Y, d.Dot(d), rough, lost, within} {
			put(a, i, v)
		}
	}
	return at, padded
}

// discs appends discs; those that fill them up lie at infinity too.
func (p *pool) discs(list []world.Disc) (at, padded int32) {
	at, padded = p.group(len(list), discArrays, 0)
	put := func(array, i int, v float64) { p.numbers[int(at)+array*int(padded)+i] = v }
	for i := range int(padded) {
		if i >= len(list) {
			put(discX, i, math.Inf(1))
			put(discY, i, math.Inf(1))
			continue
		}
		c := list[i]
		rough, lost, within := sound(c.Surface)
		for a, v := range [discArrays]float64{c.Centre.X, c.Centre.Y, c.Radius, rough, lost, within} {
			put(a, i, v)
		}
	}
	return at, padded
}

// movers appends a record for each mover, behind their paths.
func (p *pool) movers(list []world.Mover) (at, n int32) {
	var records []float64
	for i := range list {
		m := &list[i]
		path := p.path(m.Path)
		rough, lost, within := sound(m.Surface)
		records = append(records, m.Radius, m.Speed, rough, lost, within, float64(path), float64(len(m.Path)))
	}
	at = p.end()
	p.numbers = append(p.numbers, records...)
	return at, int32(len(list))
}

// lines appends a record for each line, behind their segments.
func (p *pool) lines(list []world.Line) (at, n int32) {
	var records []float64
	for i := range list {
		var pieces []world.Segment
		for k := 1; k < len(list[i].Points); k++ {
			pieces = append(pieces, world.Segment{A: list[i].Points[k-1], B: list[i].Points[k]})
		}
		first, padded := p.segments(pieces)
		records = append(records, float64(first), float64(padded), list[i].Width)
	}
	at = p.end()
	p.numbers = append(p.numbers, records...)
	return at, int32(len(list))
}

// path appends points, x and y in turn.
func (p *pool) path(points []world.Vec) (at int32) {
	at = p.end()
	for _, v := range points {
		p.numbers = append(p.numbers, v.X, v.Y)
	}
	return at
}

// car appends the car's record.
func (p *pool) car(w *world.World, c *plant.Params) (at int32) {
	var r [carWords]float64
	r[carRadius], r[carAhead] = c.BodyRadius, c.BodyAhead
	r[carSonar], r[carFloor], r[carPitch] = c.SonarAhead, c.FloorAhead, c.FloorPitch
	if c.Specular > 0 {
		r[carLimit] = exact.Cos(c.Specular)
	}
	r[carGround], r[carTape], r[carVoid] = w.Floor.Background, w.Floor.Tape, w.Floor.Void
	for i := range pad {
		off := float64(c.Cone*(float64(i%rays)-float64((rays-1)/2))) / float64(rays/2)
		u := world.Unit(off)
		r[carCone+i], r[carCone+pad+i] = u.X, u.Y
	}
	at = p.end()
	p.numbers = append(p.numbers, r[:]...)
	return at
}

// bearings returns the directions of a profile's sonars in rad.
func bearings(profile plant.Profile) (list []float64) {
	for _, sector := range profile.Sectors() {
		list = append(list, float64(robot.SectorBearing(sector)))
	}
	return list
}
