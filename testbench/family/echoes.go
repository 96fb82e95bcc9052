package family

import "fieldbrain/testbench/scenarios"

// drawSoft is a room with curtains for walls and cushions among the discs: some of
// their echoes are lost, and from afar all of them.
func drawSoft(d *draft) {
	d.bare(d.between(3, 4.5), d.between(2.5, 3.5))
	d.startIn(0.5, 0.5, d.World.Size[0]-0.5, d.World.Size[1]-0.5)
	d.scatter(d.whole(3, 5), 0.08, 0.18, 0.35, 0.45)
	soft := func() scenarios.Surface {
		return scenarios.Surface{Lost: d.between(0.3, 0.7), Within: d.between(0.6, 1.5)}
	}
	first := d.whole(0, 3)
	for _, k := range []int{first, (first + d.whole(1, 3)) % 4} {
		d.World.Walls[k].Surface = soft()
	}
	for i := range d.World.Discs {
		if d.dice.Chance(0.5) {
			d.World.Discs[i].Surface = soft()
		}
	}
	d.Car.DropOut = d.between(0.03, 0.12)
}

// drawSpecular is a room of smooth walls and boxes: mirrors to a beam that does not
// come square on, with more lost echoes and some that took a detour.
func drawSpecular(d *draft) {
	d.bare(d.between(3, 4.5), d.between(2.5, 3.5))
	d.startIn(0.5, 0.5, d.World.Size[0]-0.5, d.World.Size[1]-0.5)
	d.scatter(d.whole(3, 5), 0.08, 0.18, 0.35, 0.45)
	for k := range d.World.Walls {
		d.World.Walls[k].Specular = d.between(22, 35)
	}
	d.Car.DropOut, d.Car.Multipath = d.between(0.03, 0.12), d.between(0, 0.02)
}

// bare sets the size and puts the four walls one by one, for surfaces of their own.
func (d *draft) bare(x, y float64) {
	d.World.Size = [2]float64{x, y}
	d.wall(0, 0, x, 0)
	d.wall(x, 0, x, y)
	d.wall(x, y, 0, y)
	d.wall(0, y, 0, 0)
}
