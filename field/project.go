package field

// A Projection is what of a coupling's source is summed for each cell of its target: over
// the axes that only the source has. Along those that only the target has it repeats.
type Projection struct {
	Extent [3]int32 // cells of the target along X, Y, Z
	Sum    [3]int32 // of the source that are summed for one of them
	Stride [3]int32 // from one of the source's stored cells to the next
	Thick  int32    // bins of Z in a stored plane
	Scale  int32    // of the sum: as many where planes are summed
}

// A ProjectFunc sets the cells of dst that the target has, [x][y][z] without the axes
// that it has not, to the projection of a source's outputs in Q15, at most 1.
type ProjectFunc func(dst *[Plane]float32, outputs []uint16, p *Projection)

// projection is from a stored channel to one localised on the axes of to.
func projection(from *Storage, to Mask) Projection {
	p := Projection{Thick: int32(from.Thick), Scale: 1}
	stride := from.strides()
	for i, axis := range [3]Mask{X, Y, Z} {
		p.Extent[i], p.Sum[i], p.Stride[i] = 1, 1, int32(stride[i])
		if to&axis != 0 {
			p.Extent[i] = Side
		} else if from.Mask&axis != 0 {
			p.Sum[i] = Side
			if axis == Z {
				p.Sum[i], p.Scale = Side/p.Thick, p.Thick
			}
		}
	}
	return p
}

func project(dst *[Plane]float32, outputs []uint16, p *Projection) {
	i := 0
	for x := range p.Extent[0] {
		for y := range p.Extent[1] {
			for z := range p.Extent[2] {
				at := x*p.Stride[0] + y*p.Stride[1] + z/p.Thick*p.Stride[2]
				dst[i] = float32(min(p.total(outputs[at:])*p.Scale, One)) * (1.0 / One)
				i++
			}
		}
	}
}

// total sums the outputs for one cell, the first of which is that of f. A row of Z lies
// contiguous where that is the innermost axis.
func (p *Projection) total(f []uint16) (sum int32) {
	for x := range p.Sum[0] {
		for y := range p.Sum[1] {
			at := x*p.Stride[0] + y*p.Stride[1]
			if p.Stride[2] == 1 {
				for _, v := range f[at:][:p.Sum[2]] {
					sum += int32(v)
				}
				continue
			}
			for z := range p.Sum[2] {
				sum += int32(f[at+z*p.Stride[2]])
			}
		}
	}
	return sum
}
