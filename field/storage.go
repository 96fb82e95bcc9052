package field

// Distinct copies the channel's distinct cells (Mask.Cells values) out of its
// stored ones (Size values), X before Y before Z: one slice along the axes on
// which the channel is uniform, the same whatever the step.
func (s *Storage) Distinct(dst, cells []float32) {
	stride, extent := s.strides(), [3]int{1, 1, 1}
	for i, axis := range [3]Mask{X, Y, Z} {
		if s.Mask&axis != 0 {
			extent[i] = Side
		}
	}
	i := 0
	for x := range extent[0] {
		for y := range extent[1] {
			from := cells[x*stride[0]+y*stride[1]:]
			if extent[2] == Side && stride[2] == 1 {
				i += copy(dst[i:], from[:Side])
				continue
			}
			for z := range extent[2] {
				dst[i] = from[z/s.Thick*stride[2]]
				i++
			}
		}
	}
}
