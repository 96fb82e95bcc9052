package family

import "fieldbrain/testbench/world"

// drawTable is a table with edges all round, for three minutes: a rectangle, one with
// its corners cut off, or an L. Up to three cups stand on it.
func drawTable(d *draft) {
	const around = 0.8 // m from the table to the walls of the room
	x, y := d.between(1.3, 2.4), d.between(1.0, 1.6)
	cut := d.between(0.2, 0.4)
	var corners []world.Vec
	switch d.whole(0, 2) {
	case 0:
		corners = []world.Vec{{X: 0, Y: 0}, {X: x, Y: 0}, {X: x, Y: y}, {X: 0, Y: y}}
	case 1:
		corners = []world.Vec{
			{X: cut, Y: 0},
			{X: x - cut, Y: 0},
			{X: x, Y: cut},
			{X: x, Y: y - cut},
			{X: x - cut, Y: y},
			{X: cut, Y: y},
			{X: 0, Y: y - cut},
			{X: 0, Y: cut},
		}
	case 2:
		corners = []world.Vec{
			{X: 0, Y: 0},
			{X: x, Y: 0},
			{X: x, Y: y - cut},
			{X: x - 2*cut, Y: y - cut},
			{X: x - 2*cut, Y: y},
			{X: 0, Y: y},
		}
	}
	d.size(mm(x+2*around), mm(y+2*around))
	for i := range corners {
		corners[i] = corners[i].Add(world.Vec{X: around, Y: around})
		d.World.Floor.Table = append(d.World.Floor.Table, [2]float64{mm(corners[i].X), mm(corners[i].Y)})
	}
	d.start(around+float64(x*d.dice.Between(0.35, 0.5)), around+float64(y*d.dice.Between(0.4, 0.5)), 0, anywhere)
	d.cups(d.whole(0, 3), corners)
	d.enough = 0.08 // most of the world lies beyond the edge
	d.Duration, d.Brain.Cruise, d.Brain.Cliff = 180, 0.20, true
	d.Car.FloorAhead = 0.125 // the bar leads the front axle by 30 mm
}

// cups puts discs on a table, with room for the car between them and the edge.
func (d *draft) cups(count int, table []world.Vec) {
	const tries, passage = 100, 0.30
	for range tries {
		if count == 0 {
			return
		}
		at := world.Vec{X: d.between(0, d.World.Size[0]), Y: d.between(0, d.World.Size[1])}
		edge := world.Line{Points: append(append([]world.Vec{}, table...), table[0])}
		if !world.Inside(table, at) || edge.Distance(at) < passage || d.solid.Distance(at) < passage || d.apart(at) < 0.35 {
			continue
		}
		d.disc(at.X, at.Y, d.between(0.035, 0.05))
		count--
	}
}
