package field

import (
	"math"
)

// A Warp is one tick's egocentric displacement: where in the old field each
// cell of the bearing-range plane is sampled (B.5.1). Driving forward brings a
// static feature nearer and to the side, turning left moves it to the right.
//
//	x0 = x + (Dth - d sin(psi_x)/r_y) / BinAngle
//	y0 = y + d cos(psi_x) / (k r_y)
type Warp struct {
	Active int32 // 0 when the body did not move: the old field is the new one
	// Per cell x*32+y: the lower neighbour and the share of the upper one.
	X0, Y0 [Plane]int32   // X0 in 0..31 (wrapped), Y0 in -1..32 (clipped; both ends lie outside)
	WX, WY [Plane]float32 // 0..1
	// The same for channels localised on the bearing alone: rotation only.
	Turn  int32   // whole bins, 0..31
	WTurn float32 // share of the next bin
}

// Largest motion of one tick. A body does a few per cent of it; the limits keep
// the bins within what an int32 holds on every machine.
const (
	maxForward = 1           // m
	maxTurn    = 2 * math.Pi // rad
)

// set computes the displacement for a forward motion in metres and a turn in
// radians. It clips larger motions and takes NaN for no motion.
func (w *Warp) set(t *warpTables, forward, turn float32, loop DisplaceFunc) {
	forward, turn = limited(forward, maxForward), limited(turn, maxTurn)
	w.Active = 0
	if forward == 0 && turn == 0 {
		return
	}
	w.Active = 1
	shift := float32(turn * (1 / BinAngle))
	w.Turn, w.WTurn = split(shift)
	w.Turn &= Side - 1
	loop(w, (*[3]Row)(t), forward, shift)
}

// limited clips v to +-limit; NaN becomes 0.
func limited(v, limit float32) float32 {
	if v != v {
		return 0
	}
	return min(max(v, -limit), limit)
}

// split returns the floor of v and the rest.
func split(v float32) (int32, float32) {
	f := float32(math.Floor(float64(v)))
	return int32(f), v - f
}

// lerp returns a + w (b - a), each step rounded to float32. Between equal
// values it is exact, so a uniform plane stays uniform.
func lerp(a, b, w float32) float32 { return a + float32(w*(b-a)) }

// Sample returns the old value at the displaced place of cell i = x*32+y of a
// bearing-range plane; outside the range axis the plane has the value outside.
func (w *Warp) Sample(old []float32, i int, outside float32) float32 {
	at := func(x, y int32) float32 {
		if y < 0 || y >= Side {
			return outside
		}
		return old[(x&(Side-1))*Side+y]
	}
	x, y := w.X0[i], w.Y0[i]
	near := lerp(at(x, y), at(x+1, y), w.WX[i])
	far := lerp(at(x, y+1), at(x+1, y+1), w.WX[i])
	return lerp(near, far, w.WY[i])
}
