package family

import (
	"math"

	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// drawRoom is a room with discs to drive around in.
func drawRoom(d *draft) {
	d.size(d.between(3, 5), d.between(2.5, 4))
	d.startIn(0.4, 0.4, d.World.Size[0]-0.4, d.World.Size[1]-0.4)
	d.scatter(d.whole(4, 8), 0.05, 0.20, 0.30, 0.40)
}

// drawLegs is a room with tables and chairs, of which a car meets the legs: 2 cm
// thick, less than a beam's cone is wide. Between a chair's legs there is room for it.
func drawLegs(d *draft) {
	d.size(d.between(3.5, 5), d.between(3, 4))
	d.startIn(0.4, 0.4, d.World.Size[0]-0.4, d.World.Size[1]-0.4)
	for range d.whole(1, 3) {
		d.legs(d.between(0.9, 1.4), d.between(0.6, 0.8))
	}
	for range d.whole(2, 6) {
		side := d.between(0.38, 0.45)
		d.legs(side, side)
	}
}

// drawJumble is a room as people leave it: boxes and partitions at any angle, which may
// touch, with gaps between them that narrow, and that no car fits through.
func drawJumble(d *draft) {
	d.size(d.between(2.5, 5), d.between(2.5, 4))
	d.startIn(0.4, 0.4, d.World.Size[0]-0.4, d.World.Size[1]-0.4)
	for range d.whole(4, 10) {
		b := scenarios.Box{Size: [2]float64{d.between(0.10, 0.60), d.between(0.05, 0.40)}, Angle: d.between(0, 180)}
		if d.whole(1, 5) > 3 {
			b.Size = [2]float64{d.between(0.30, 0.80), 0.02}
		}
		b.At = [2]float64{d.between(0.2, d.World.Size[0]-0.2), d.between(0.2, d.World.Size[1]-0.2)}
		if long := math.Hypot(b.Size[0], b.Size[1]); d.apart(vec(b.At)) > half(long)+0.35 {
			d.turned(b)
		}
	}
}

// legs puts four legs at the corners of a rectangle turned by any angle, all of them
// or none, where there is a place for it.
func (d *draft) legs(long, wide float64) {
	const radius, tries = 0.01, 50
	for range tries {
		at := world.Vec{X: d.between(0.3, d.World.Size[0]-0.3), Y: d.between(0.3, d.World.Size[1]-0.3)}
		turned := world.Unit(d.dice.Between(0, 3.14))
		var corners [4]world.Vec
		fits := true
		for i, s := range [4]world.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
			p := at.Add(world.Vec{X: s.X * long / 2, Y: s.Y * wide / 2}.Turn(turned))
			corners[i] = p
			inside := p.X > 0 && p.Y > 0 && p.X < d.World.Size[0] && p.Y < d.World.Size[1]
			fits = fits && inside && d.solid.Distance(p) > 0.06 && d.apart(p) > 0.30
		}
		if !fits {
			continue
		}
		for _, p := range corners {
			d.disc(p.X, p.Y, radius)
		}
		return
	}
}

// drawHall is a hall whose middle is farther from every wall than a sonar hears.
func drawHall(d *draft) {
	d.size(10, 8)
	d.startIn(0.6, 0.6, 9.4, 7.4)
	d.scatter(d.whole(0, 4), 0.10, 0.30, 0.50, 0.60)
}

// drawMovers is a room in which somebody walks about.
func drawMovers(d *draft) {
	d.size(d.between(4, 5), d.between(3, 4))
	d.startIn(0.4, 0.4, 0.8, d.World.Size[1]-0.4)
	d.scatter(d.whole(1, 3), 0.08, 0.18, 0.50, 0.40)
	for range d.whole(2, 4) {
		d.mover(world.Vec{X: 1.4, Y: 0.4}, world.Vec{X: d.World.Size[0] - 0.4, Y: d.World.Size[1] - 0.4})
	}
}

// drawCrossing is a hallway that others walk across on the car's way to its goal.
func drawCrossing(d *draft) {
	x, y := d.between(4.5, 6), d.between(2, 2.6)
	d.size(x, y)
	d.start(0.5, half(y)+d.between(-0.3, 0.3), 0, 30)
	d.goal(x-0.5, half(y)+d.between(-0.3, 0.3))
	for k := range 3 {
		at := 1.4 + half(float64(k)*(x-2.6))
		d.mover(world.Vec{X: at - 0.2, Y: 0.25}, world.Vec{X: at + 0.2, Y: y - 0.25})
	}
}

// mover puts somebody who walks to and fro through a rectangle, at 0.2 to 0.5 m/s,
// nowhere nearer than his radius and 0.1 m to what stands there.
func (d *draft) mover(low, high world.Vec) {
	const tries = 100
	for range tries {
		m := scenarios.Mover{Radius: d.between(0.08, 0.15), Speed: d.between(0.20, 0.50)}
		a := world.Vec{X: d.between(low.X, high.X), Y: d.between(low.Y, high.Y)}
		b := world.Vec{X: d.between(low.X, high.X), Y: d.between(low.Y, high.Y)}
		if b.Sub(a).Norm() < 0.8 || !d.passes(a, b, m.Radius+0.1) || d.apart(a) < 0.6 {
			continue
		}
		m.Path = [][2]float64{{mm(a.X), mm(a.Y)}, {mm(b.X), mm(b.Y)}}
		d.World.Movers = append(d.World.Movers, m)
		return
	}
}

// passes reports whether a straight line keeps its distance from what stands there.
func (d *draft) passes(a, b world.Vec, gap float64) bool {
	const steps = 40
	for k := range steps + 1 {
		if d.solid.Distance(a.Add(b.Sub(a).Scale(float64(k)/steps))) < gap {
			return false
		}
	}
	return true
}

// drawBattery is a room with a battery that sags to where the car limits its speed.
func drawBattery(d *draft) {
	drawRoom(d)
	d.Faults = []scenarios.Fault{{Kind: hat.Battery, From: d.between(5, 20), Value: d.between(6.75, 6.90)}}
}

// drawSkewed is a way to a goal for a car that is not what its owner measured: the
// servo sits askew, the motors are unequal, the wheels slip.
func drawSkewed(d *draft) {
	x, y := d.between(3.5, 4.5), d.between(2.6, 3.4)
	d.size(x, y)
	d.startIn(0.4, 0.4, 0.9, y-0.4)
	d.goal(x-0.5, d.between(0.5, y-0.5))
	d.scatter(d.whole(3, 6), 0.08, 0.18, 0.35, 0.40)
	c := &d.Car
	c.Trim, c.Linkage = d.between(-0.09, 0.09), d.between(0.9, 1.1)
	c.LeftGain, c.RightGain = d.between(0.92, 1.08), d.between(0.92, 1.08)
	c.Slip, c.Skid = d.between(0.02, 0.15), d.between(-0.12, 0.10)
}
