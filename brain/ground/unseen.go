package ground

import "math/bits"

// Unseen returns how far along an arc, in m from a pose and not before from, the left
// half and the right half of the body come over floor of which nothing is known; length
// where they do not. Whole says that the margin belongs to the body. What is known to be
// occupied was seen.
func (g *Grid) Unseen(at Pose, curvature, from, length float32, whole bool) (left, right float32) {
	left, right = length, length
	if !somewhere(at.X, at.Y) || !(length > 0 && length < far) || !(curvature > -100 && curvature < 100) {
		return 0, 0
	}
	size := 1
	if whole {
		size = sizes - 1
	}
	var w walker
	w.start(g, at, curvature, false)
	cx, cy := w.cell()
	g.halo.around(g, cx, cy)
	for s := float32(0); s < length; s += stride {
		cx, cy := w.cell()
		if s >= from && g.halo.may(&g.halo.lost, cx, cy) {
			px, py := w.centre()
			l, r := w.unseen(&g.masks().set[size][phase(px, py, cx, cy)][w.direction()])
			if l {
				left = min(left, s)
			}
			if r {
				right = min(right, s)
			}
			if left < length && right < length {
				break
			}
		}
		w.advance()
	}
	return left, right
}

// unseen reports whether cells of a mask are not known, left and right of the way that the
// centre goes.
func (w *walker) unseen(m *print) (left, right bool) {
	cx, cy := w.cell()
	px, py := w.centre()
	x := cx - reachCells
	ux, uy := w.cos-float32(w.lean*w.sin), w.sin+float32(w.lean*w.cos)
	for r := int32(m.first); r <= int32(m.last); r++ {
		y := cy + r - reachCells
		dy := float32(y) + 0.5 - py
		set := ^(w.g.free.window(x, y) | w.g.occupied.window(x, y)) & uint64(m.row[r])
		for ; set != 0; set &= set - 1 {
			dx := float32(x+int32(bits.TrailingZeros64(set))) + 0.5 - px
			across := float32(dy*ux) - float32(dx*uy)
			left, right = left || across >= 0, right || across <= 0
		}
	}
	return left, right
}
