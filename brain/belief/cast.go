package belief

// pureGo runs the loops without a C compiler.
type pureGo struct{}

var classes = entries()

// fan casts the rays one by one.
func (pureGo) fan(b *Belief, seen *Seen, f *Fan) {
	for n := range f.Count {
		row := f.Row + n*f.Stride
		for c := range Columns {
			a := f.First + c
			gain, visits := cast(b, seen, &b.from, b.direction(row, a))
			f.Gain[c] += gain
			f.Visits += int64(visits)
		}
	}
}

// A direction is that of a ray: t per cell of each axis, signed.
type direction struct{ x, y, z int32 }

// direction returns that of one ray of the tables.
func (b *Belief) direction(row, azimuth int) direction {
	return direction{b.dirs[0][row][azimuth], b.dirs[1][row][azimuth], b.dirs[2][row][azimuth]}
}

// An axis is a ray along one axis: t of its next crossing, t per cell, and the
// step of the index.
type axis struct{ t, per, by int32 }

// axes sets a ray up: the walks from an origin along X, Y and Z.
func (o *origin) axes(d direction) (x, y, z axis) {
	return along(d.x, o.part[0], Padded*Padded), along(d.y, o.part[1], Padded), along(d.z, o.part[2], 1)
}

// along sets up one axis: d is the signed t per cell, part how far into the cell
// the ray starts, in Q10.
func along(d, part, step int32) axis {
	if d > 0 {
		return axis{(d * (1024 - part)) >> 10, d, step}
	}
	return axis{(-d * part) >> 10, -d, -step}
}

// cast is one ray: its gain in Q15 bits and the cells it looked at, its border
// cell included.
func cast(b *Belief, seen *Seen, o *origin, d direction) (gain, visits int32) {
	at, reach := o.at, int32(One)
	x, y, z := o.axes(d)
	for reach >= Faint {
		e := classes[class(b.odds[at])]
		if seen == nil || !seen.has(at) {
			gain += product(reach, int32(e>>16))
		}
		reach = product(reach, int32(e&0xffff))
		visits++
		if x.t <= y.t && x.t <= z.t {
			at, x.t = at+x.by, x.t+x.per
		} else if y.t <= z.t {
			at, y.t = at+y.by, y.t+y.per
		} else {
			at, z.t = at+z.by, z.t+z.per
		}
	}
	return gain, visits
}

// mark adds the cells of one ray to seen while it passes with more than half of
// its probability, the first that it does not with included.
func mark(b *Belief, seen *Seen, o *origin, d direction) {
	at, reach := o.at, int32(One)
	x, y, z := o.axes(d)
	for reach > One/2 {
		seen.put(at)
		reach = product(reach, int32(classes[class(b.odds[at])]&0xffff))
		if x.t <= y.t && x.t <= z.t {
			at, x.t = at+x.by, x.t+x.per
		} else if y.t <= z.t {
			at, y.t = at+y.by, y.t+y.per
		} else {
			at, z.t = at+z.by, z.t+z.per
		}
	}
}
