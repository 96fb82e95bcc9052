package cpu

import "fieldbrain/field"

// lateral convolves the outputs f with a symmetric integer kernel along every
// localised axis in the order X, Y, Z, into dst. Each pass ends with
// (sum + 16384) >> 15; X wraps, Y and Z see zeros beyond their ends. Integer
// sums are exact, so every engine may add in its own order.
func lateral(f, dst, tmp []uint16, s *field.Storage, half []int32) {
	passes := s.Mask.Axes()
	from := f
	for loop := range 3 {
		if !s.Local[loop] {
			continue
		}
		passes--
		to := tmp
		if passes%2 == 0 { // the last pass, and every second before it, ends in dst
			to = dst
		}
		pass(from, to, s, loop, half)
		from = to
	}
	if s.Mask == field.Uniform {
		copy(dst, f)
	}
}

// pass convolves along one loop.
func pass(f, dst []uint16, s *field.Storage, loop int, half []int32) {
	wrap := s.Axis[loop] == field.X
	stride := [3]int{s.Extent[1] * side, side, 1}[loop]
	for i := range f {
		at := i / stride % side
		sum := half[0]*int32(f[i]) + field.Round
		for d := 1; d < len(half); d++ {
			lo, hi := at-d, at+d
			pair := int32(0)
			switch {
			case wrap:
				pair = int32(f[i+((lo&(side-1))-at)*stride]) + int32(f[i+((hi&(side-1))-at)*stride])
			default:
				if lo >= 0 {
					pair = int32(f[i-d*stride])
				}
				if hi < side {
					pair += int32(f[i+d*stride])
				}
			}
			sum += half[d] * pair
		}
		dst[i] = uint16(sum >> 15)
	}
}

// warpChannel displaces a channel by the body's motion: both axes where it is
// localised on bearing and range, the rotation alone where on bearing only.
func warpChannel(w *field.Warp, s *field.Storage, u, dst []float32, outside float32) {
	pack := func(i int) int { // a cell's place among the distinct cells
		r := i % side
		b := i / side % s.Extent[1]
		a := i / side / s.Extent[1]
		return a*s.Pack[0] + b*s.Pack[1] + r*s.Pack[2]
	}
	if s.Mask&field.Y == 0 {
		for i := range dst {
			dst[i] = rotated(w, s, u, i)
		}
		return
	}
	if s.Mask == field.XY {
		var plane [field.Plane]float32
		for i := range u {
			plane[pack(i)] = u[i]
		}
		for i := range dst {
			dst[i] = w.Sample(plane[:], pack(i), outside)
		}
		return
	}
	for z := range side { // XYZ: the same displacement in every plane of Z
		var plane [field.Plane]float32
		for i := range plane {
			plane[i] = u[i*side+z]
		}
		for i := range plane {
			dst[i*side+z] = w.Sample(plane[:], i, outside)
		}
	}
}

// rotated samples a channel without range axis at the turned bearing.
func rotated(w *field.Warp, s *field.Storage, u []float32, i int) float32 {
	loop := 0
	for s.Axis[loop] != field.X {
		loop++
	}
	stride := [3]int{s.Extent[1] * side, side, 1}[loop]
	x := i / stride % side
	lo := (x + int(w.Turn)) & (side - 1)
	hi := (lo + 1) & (side - 1)
	a, b := u[i+(lo-x)*stride], u[i+(hi-x)*stride]
	return a + float32(w.WTurn*(b-a))
}
