package family

// drawTrap is a U between start and goal that opens to the start.
func drawTrap(d *draft) {
	const x = 4.6
	y := d.between(3, 3.8)
	d.size(x, y)
	depth, mouth := d.one(0.3, 0.6, 0.9, 1.2), d.between(0.7, 1.4)
	middle := half(y) + d.between(-0.1, 0.1)
	bottom := d.between(2.7, 3.1)
	d.pocket(bottom-depth, bottom, middle-half(mouth), middle+half(mouth))
	d.start(d.between(0.5, 0.8), middle+d.between(-0.3, 0.3), 0, 45)
	d.goal(x-0.6, middle+d.between(-0.3, 0.3))
}

// drawDeadEnd is a U in which the car stands and looks at the closed end.
func drawDeadEnd(d *draft) {
	x, y := d.between(4, 5), d.between(2.5, 3.5)
	d.size(x, y)
	depth, wide := d.between(0.8, 2.0), d.between(0.55, 0.80)
	middle, bottom := half(y)+d.between(-0.2, 0.2), x-d.between(0.3, 0.6)
	low, high := middle-half(wide), middle+half(wide)
	d.pocket(bottom-depth, bottom, low, high)
	d.start(bottom-d.between(0.4, depth-0.25), middle+d.between(-0.05, 0.05), 0, 15)
	d.leave(bottom-depth-0.1, low-0.1, bottom+0.1, high+0.1)
}

// pocket is three thin walls that open to the left.
func (d *draft) pocket(left, right, low, high float64) {
	d.wall(left, low, right, low)
	d.wall(right, low, right, high)
	d.wall(right, high, left, high)
}
