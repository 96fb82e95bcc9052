package cpu

import "fieldbrain/field"

// lateral convolves the outputs f with a symmetric integer kernel along every
// localised axis in the order of the loops, into dst. Each pass ends with
// (sum + 16384) >> 15; X wraps, Y and Z see zeros beyond their ends. Integer
// sums are exact, so every engine may add in its own order. kernels are its halves
// for planes of 1, 2 and 4 bins.
func lateral(f, dst, tmp []uint16, s *field.Storage, kernels *[3][]int32) {
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
		half := kernels[0]
		if loop == 0 {
			half = kernels[s.Thick/2]
		}
		pass(from, to, s, loop, half)
		from = to
	}
	if s.Mask == field.Uniform {
		copy(dst, f)
	}
}

// reach is the farthest tap of the widest kernel, field.Inhibit.
const reach = 8

// pass convolves along one loop, line by line.
func pass(f, dst []uint16, s *field.Storage, loop int, half []int32) {
	wrap := s.Axis[loop] == field.X
	stride := [3]int{s.Extent[1] * side, side, 1}[loop]
	n := side
	if loop == 0 {
		n = s.Extent[0]
	}
	for outer := 0; outer < len(f); outer += n * stride {
		for inner := range stride {
			var line [side]uint16 // zeros beyond n
			from := f[outer+inner:]
			for i := range n {
				line[i] = from[i*stride]
			}
			convolved(&line, wrap, half)
			to := dst[outer+inner:]
			for i, v := range line[:n] {
				to[i*stride] = v
			}
		}
	}
}

// convolved convolves a line in its place. A word holds two cells half a line
// apart, and one multiplication serves both: an output is at most 32768 and a
// whole kernel sums to 32768, so that no sum passes the 32 bits of its cell. The
// sums are written out for the kernels' 5 and 9 weights: as a loop they take 1.6
// times as long.
func convolved(line *[side]uint16, wrap bool, half []int32) {
	const middle = side / 2
	var padded [side + 2*reach]uint64
	copy16(padded[reach:], line[:])
	if wrap {
		copy16(padded[:reach], line[side-reach:])
		copy16(padded[side+reach:], line[:reach])
	}
	var pairs [middle + 2*reach]uint64
	for i := range pairs {
		pairs[i] = padded[i] | padded[i+middle]<<32
	}
	var w [reach + 1]uint64
	for d, weight := range half {
		w[d] = uint64(weight)
	}
	for at := range middle {
		n := (*[2*reach + 1]uint64)(pairs[at:])
		sum := w[0]*n[8] + w[1]*(n[7]+n[9]) + w[2]*(n[6]+n[10]) + w[3]*(n[5]+n[11]) + w[4]*(n[4]+n[12])
		if len(half) > 5 {
			sum += w[5]*(n[3]+n[13]) + w[6]*(n[2]+n[14]) + w[7]*(n[1]+n[15]) + w[8]*(n[0]+n[16])
		}
		sum += field.Round<<32 + field.Round
		line[at], line[at+middle] = uint16(sum>>15), uint16(sum>>47)
	}
}

// copy16 widens cells to words.
func copy16(dst []uint64, src []uint16) {
	for i, v := range src {
		dst[i] = uint64(v)
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
