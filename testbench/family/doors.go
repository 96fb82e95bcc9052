package family

// drawDoor returns how a wall with one door is drawn, the door wider than the car by
// more. Neither start nor goal need be before it.
func drawDoor(more float64) func(d *draft) {
	return func(d *draft) {
		x, y := d.between(4, 5), d.between(2.5, 3.5)
		d.size(x, y)
		at, thick := mm(x*d.dice.Between(0.42, 0.58)), d.between(0.02, 0.12)
		door := d.between(0.4, y-0.4)
		low, high := door-half(width+more), door+half(width+more)
		d.box(at-half(thick), 0, at+half(thick), low)
		d.box(at-half(thick), high, at+half(thick), y)
		d.startIn(0.4, 0.4, at-0.5, y-0.4)
		d.goal(d.between(at+0.7, x-0.4), d.between(0.4, y-0.4))
	}
}

// drawOffice is four or six rooms with furniture; the goal is in the room farthest
// from the start's.
func drawOffice(d *draft) {
	d.rooms()
	last := [2]float64{d.World.Size[0] - 0.6, d.World.Size[1] - 0.6}
	d.start(0.6, 0.6, 45, anywhere)
	d.goal(last[0], last[1])
	d.scatter(d.whole(3, 6), 0.05, 0.20, 0.40, 0.40)
}

// drawRounds is the same rooms, to be seen and not to be crossed.
func drawRounds(d *draft) {
	d.rooms()
	d.start(0.6, 0.6, 45, anywhere)
	d.scatter(d.whole(3, 6), 0.05, 0.20, 0.40, 0.40)
	d.Brain.Explore, d.Duration = true, 240
}

// rooms puts two rows of two or three rooms that are all joined by doors.
func (d *draft) rooms() {
	columns, x, y := d.whole(2, 3), d.between(2, 2.6), d.between(2, 2.6)
	d.size(mm(float64(columns)*x), mm(2*y))
	// The rooms of each row are joined, and the rows in one place; any other door is
	// there by chance.
	joint := d.whole(0, columns-1)
	for k := range columns {
		left := float64(float64(k) * x)
		if k == joint || d.dice.Chance(0.3) {
			d.doorway(left, y, left+x, y)
		} else {
			d.wall(left, y, left+x, y)
		}
		if k > 0 {
			d.doorway(left, 0, left, y)
			d.doorway(left, y, left, 2*y)
		}
	}
}

// doorway puts a wall along one axis with a door of 0.45 to 0.80 m in it.
func (d *draft) doorway(x1, y1, x2, y2 float64) {
	wide := d.between(0.45, 0.80)
	long := max(x2-x1, y2-y1)
	from := d.between(0.25, long-0.25-wide)
	to := from + wide
	if x2 > x1 {
		d.wall(x1, y1, x1+from, y1)
		d.wall(x1+to, y1, x2, y1)
		return
	}
	d.wall(x1, y1, x1, y1+from)
	d.wall(x1, y1+to, x1, y2)
}
