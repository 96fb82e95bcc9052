package family

// drawCorridor is a straight corridor; its far end is the way out.
func drawCorridor(d *draft) {
	x, y := d.between(6, 12), d.between(0.55, 1.0)
	d.size(x, y)
	d.start(0.5, half(y)+float64(d.dice.Between(-1, 1)*(half(y)-0.2)), 0, 17)
	d.leave(-1, -1, x-0.8, y+1)
}

// drawCorner is a corridor with one bend of 90 deg, to the left or to the right.
func drawCorner(d *draft) {
	x, y, wide := d.between(2.5, 4), d.between(2.5, 4), d.between(0.6, 0.9)
	d.size(x, y)
	if d.dice.Chance(0.5) { // along the lower side, then up
		d.wall(0, wide, x-wide, wide)
		d.wall(x-wide, wide, x-wide, y)
		d.start(0.4, half(wide)+d.between(-0.05, 0.05), 0, 15)
		d.leave(-1, -1, x+1, y-0.5)
		return
	}
	d.wall(0, y-wide, x-wide, y-wide)
	d.wall(x-wide, y-wide, x-wide, 0)
	d.start(0.4, y-half(wide)+d.between(-0.05, 0.05), 0, 15)
	d.leave(-1, 0.5, x+1, y+1)
}

// drawJunction is a T: a stem and two arms. In half of the members one arm ends after
// less than a metre.
func drawJunction(d *draft) {
	stem, arms := d.between(1.6, 2.6), d.between(3.6, 5)
	wide, across := d.between(0.6, 0.9), d.between(0.6, 0.9)
	x, middle := stem+across, half(arms)
	d.size(x, arms)
	low, high := middle-half(wide), middle+half(wide)
	d.wall(0, low, stem, low)
	d.wall(0, high, stem, high)
	d.wall(stem, low, stem, 0)
	d.wall(stem, high, stem, arms)
	d.start(0.4, middle+d.between(-0.05, 0.05), 0, 10)
	d.leave(-1, 0.5, x+1, arms-0.5)
	blind := d.between(0.3, 0.8)
	switch d.whole(0, 3) {
	case 0:
		d.wall(stem, low-blind, x, low-blind)
	case 1:
		d.wall(stem, high+blind, x, high+blind)
	}
}

// drawSlalom is a hallway with poles in the way, to one side and to the other.
func drawSlalom(d *draft) {
	x, y := d.between(4.5, 6), d.between(1.2, 1.6)
	d.size(x, y)
	d.start(0.4, y/2, 0, 20)
	d.goal(x-0.4, y/2)
	side := d.one(-1, 1)
	for at := 1.1; at < x-0.9; at += d.between(0.7, 1.0) {
		d.disc(at, half(y)+float64(side*d.between(0.05, 0.2)), d.between(0.05, 0.10))
		side = -side
	}
}

// drawGauntlet is a hallway full of boxes and discs.
func drawGauntlet(d *draft) {
	x, y := d.between(5, 7), d.between(1.2, 1.8)
	d.size(x, y)
	d.start(0.4, y/2, 0, 20)
	d.goal(x-0.4, d.between(0.4, y-0.4))
	for at := 1.1; at < x-1.1; at += d.between(0.9, 1.2) {
		deep := d.between(0.2, y-0.65)
		if d.dice.Chance(0.5) {
			d.box(at, 0, at+d.between(0.05, 0.3), deep)
			continue
		}
		d.box(at, y-deep, at+d.between(0.05, 0.3), y)
	}
	d.scatter(d.whole(2, 5), 0.02, 0.08, 0.28, 0.35)
}

// drawComb is a hallway with thin walls from both sides in turn, so that the way is a
// meander.
func drawComb(d *draft) {
	gap, pitch, teeth := d.between(0.40, 0.55), d.between(0.60, 0.80), d.whole(3, 5)
	x, y := 1.5+float64(float64(teeth)*pitch), d.between(1.2, 1.6)
	d.size(mm(x), y)
	d.start(0.35, y/2, 0, 20)
	d.goal(x-0.4, y/2)
	below := d.dice.Chance(0.5)
	for k := range teeth {
		at := 0.85 + float64(float64(k)*pitch)
		if below {
			d.wall(at, 0, at, y-gap)
		} else {
			d.wall(at, gap, at, y)
		}
		below = !below
	}
}
