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
			gain, visits := cast(b, seen, &b.from, b.dirs[0][row][a], b.dirs[1][row][a], b.dirs[2][row][a])
			f.Gain[c] += gain
			f.Visits += int64(visits)
		}
	}
}

// cast is one ray of direction (dx, dy, dz): its gain in Q15 bits and the cells
// it looked at, its border cell included.
func cast(b *Belief, seen *Seen, o *origin, dx, dy, dz int32) (gain, visits int32) {
	at, reach := o.at, int32(One)
	tx, dx, sx := first(dx, o.part[0], Padded*Padded)
	ty, dy, sy := first(dy, o.part[1], Padded)
	tz, dz, sz := first(dz, o.part[2], 1)
	for reach >= Faint {
		e := classes[class(b.odds[at])]
		if seen == nil || !seen.has(at) {
			gain += product(reach, int32(e>>16))
		}
		reach = product(reach, int32(e&0xffff))
		visits++
		if tx <= ty && tx <= tz {
			at, tx = at+sx, tx+dx
		} else if ty <= tz {
			at, ty = at+sy, ty+dy
		} else {
			at, tz = at+sz, tz+dz
		}
	}
	return gain, visits
}

// first returns the t of the first crossing along one axis, the t per cell, and
// the index step: d is the signed t per cell, part how far into the cell the ray
// starts, in Q10.
func first(d, part, step int32) (t, per, by int32) {
	if d > 0 {
		return (d * (1024 - part)) >> 10, d, step
	}
	return (-d * part) >> 10, -d, -step
}

// mark adds the cells of one ray to seen while it passes with more than half of
// its probability, the first that it does not with included.
func mark(b *Belief, seen *Seen, o *origin, dx, dy, dz int32) {
	at, reach := o.at, int32(One)
	tx, dx, sx := first(dx, o.part[0], Padded*Padded)
	ty, dy, sy := first(dy, o.part[1], Padded)
	tz, dz, sz := first(dz, o.part[2], 1)
	for reach > One/2 {
		seen.put(at)
		reach = product(reach, int32(classes[class(b.odds[at])]&0xffff))
		if tx <= ty && tx <= tz {
			at, tx = at+sx, tx+dx
		} else if ty <= tz {
			at, ty = at+sy, ty+dy
		} else {
			at, tz = at+sz, tz+dz
		}
	}
}
