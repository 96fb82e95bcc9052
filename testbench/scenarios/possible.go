package scenarios

import (
	"fmt"
	"math"

	"fieldbrain/testbench/world"
)

// checkGoal complains about a goal that the car can reach in no run: outside of
// the world or of its walls, beyond the table's edge, in a box, or so close to what
// stands there that its body does not come near enough. Where the seed displaces
// something it is silent.
func (s *Scenario) checkGoal(c *checker) {
	const key, remedy = "world.goal.at", "move it, or choose more radius"
	g := s.World.Goal
	if g == nil || len(c.found) > 0 { // of wrong numbers nothing follows
		return
	}
	at, size := vec(g.At), s.World.Size
	dx, dy := max(-at.X, at.X-size[0], 0), max(-at.Y, at.Y-size[1], 0)
	if math.Hypot(dx, dy) > g.Radius {
		c.complain(key, remedy, "%v is outside of the world, which ends at %v", g.At, size)
		return
	}
	if table := s.World.Floor.corners(); len(table) > 0 && !world.Inside(table, at) && apart(outline(table), at) > g.Radius {
		c.complain(key, remedy, "%v is beyond the table's edge", g.At)
		return
	}
	if s.World.Walled && (dx > 0 || dy > 0) {
		c.complain(key, "move it into the room, or leave walled out", "%v is behind the room's walls, which end at %v: the car has not arrived where a wall is between", g.At, size)
		return
	}
	for i, box := range s.World.Boxes {
		if world.Inside(starts(box.sides()), at) {
			c.complain(key, "move it to where the car can drive", "%v is at world.box.%d, in it: the car has not arrived where a wall is between", g.At, i)
			return
		}
	}
	if what, gap := s.nearest(at); gap+g.Radius < s.Car.BodyRadius {
		c.complain(key, remedy, "%v is %s: a body of %v m does not come within %v m of it", g.At, what, s.Car.BodyRadius, g.Radius)
	}
}

// nearest names what stands nearest to a place in every run, and how far it is;
// less than nothing within it.
func (s *Scenario) nearest(p world.Vec) (what string, gap float64) {
	gap = math.Inf(1)
	take := func(name string, d float64) {
		if d < gap {
			what, gap = name, d
		}
	}
	if s.World.Walled {
		take("at a wall of the room", apart(world.Room(world.Vec{}, vec(s.World.Size)), p))
	}
	for i, wall := range s.World.Walls {
		take(fmt.Sprintf("at world.wall.%d", i), wall.segment().Distance(p))
	}
	for i, box := range s.World.Boxes {
		sides := box.sides()
		d := apart(sides, p)
		if world.Inside(starts(sides), p) {
			d = -d
		}
		take(fmt.Sprintf("at world.box.%d", i), d)
	}
	for i, disc := range s.World.Discs {
		if disc.Spread == 0 {
			take(fmt.Sprintf("at world.disc.%d", i), vec(disc.At).Sub(p).Norm()-disc.Radius)
		}
	}
	return what, gap
}

// checkTable complains about sides that cross: there is no inside then.
func (f *Floor) checkTable(c *checker) {
	sides := outline(f.corners())
	for i := range sides {
		for k := i + 2; k < len(sides); k++ {
			if last := i == 0 && k == len(sides)-1; !last && crossing(sides[i], sides[k]) {
				c.complain("world.floor.table", "write the corners in their order along the edge",
					"the side from corner %d crosses the side from corner %d", i+1, k+1)
				return
			}
		}
	}
}

// crossing reports whether each of two segments has its ends on both sides of
// the other.
func crossing(a, b world.Segment) bool {
	split := func(s, t world.Segment) bool {
		along := s.B.Sub(s.A)
		left, right := along.Cross(t.A.Sub(s.A)), along.Cross(t.B.Sub(s.A))
		return left > 0 && right < 0 || left < 0 && right > 0
	}
	return split(a, b) && split(b, a)
}

// corners returns the table's corners, none for a floor everywhere.
func (f *Floor) corners() []world.Vec {
	var all []world.Vec
	for _, p := range f.Table {
		all = append(all, vec(p))
	}
	return all
}

// outline returns the sides of a polygon.
func outline(corners []world.Vec) []world.Segment {
	sides := make([]world.Segment, len(corners))
	for i, p := range corners {
		sides[i] = world.Segment{A: p, B: corners[(i+1)%len(corners)]}
	}
	return sides
}

// starts returns where segments begin: the corners of a closed way.
func starts(sides []world.Segment) []world.Vec {
	corners := make([]world.Vec, len(sides))
	for i := range sides {
		corners[i] = sides[i].A
	}
	return corners
}

// apart returns how far a place is from the nearest of some segments.
func apart(sides []world.Segment, p world.Vec) float64 {
	nearest := math.Inf(1)
	for i := range sides {
		nearest = min(nearest, sides[i].Distance(p))
	}
	return nearest
}

// same reports whether two limits bound one metric from the same side, over the
// same runs: only the narrower one would say anything.
func (l Limit) same(other Limit) bool {
	each := func(over string) bool { return over != "mean" }
	all := func(share float64) bool { return share == 0 || share == 1 }
	bound := l.Min != nil && other.Min != nil || l.Max != nil && other.Max != nil
	return bound && l.Metric == other.Metric && each(l.Over) == each(other.Over) &&
		(l.Share == other.Share || all(l.Share) && all(other.Share))
}
