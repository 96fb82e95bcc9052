package field_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"fieldbrain/field"
)

// A prepared is the preparation of ticks alone, without an engine.
type prepared struct {
	*field.Prep
	in      field.Input
	outputs []uint16
	layout  field.Layout
}

func prepare(p field.Params) *prepared {
	q := &prepared{layout: field.NewLayout(&p.Table, field.Collapsed)}
	q.outputs = make([]uint16, q.layout.Cells)
	q.in.Quality = field.Full()
	q.Prep = field.NewPrep(&p, &q.layout, new(field.Frame), q.outputs)
	return q
}

func (q *prepared) run(d time.Duration) {
	for range int(d / (5 * ms)) {
		q.Tick(&q.in)
		q.in.Tick++
	}
}

// cell returns the number of a cell of the bearing-range plane.
func cell(x, y int) int { return x*field.Side + y }

// TestObstacleMap follows one beam: it marks the echo within the hit time,
// clears what it sees through, and forgets with 8 s.
func TestObstacleMap(t *testing.T) {
	q := prepare(field.Default())
	m := &q.Frame.Maps.Obstacle
	near, far := int(math.Round(field.RangeBin(0.3))), int(math.Round(field.RangeBin(1.5)))
	q.in.NumBeams, q.in.Beams[0] = 1, field.Beam{Range: float32(field.Range(float64(near)))}
	q.run(200 * ms)
	if v := m[cell(16, near)]; !(v > 0.9) {
		t.Errorf("echo marked %.3f after four hit times, want > 0.9", v)
	}
	if v := m[cell(16, near+5)]; v != 0 {
		t.Errorf("behind the echo the map has %.3f, want nothing", v)
	}
	if v := m[cell(24, near)]; v != 0 {
		t.Errorf("beside the beam the map has %.3f, want nothing", v)
	}
	q.in.Beams[0].Range = float32(field.Range(float64(far)))
	q.run(600 * ms)
	if v := m[cell(16, near)]; !(v < 0.05) {
		t.Errorf("seen through for four clear times, %.3f is left, want < 0.05", v)
	}
	before := m[cell(16, far)]
	q.in.NumBeams = 0
	q.run(8 * time.Second)
	if ratio := float64(m[cell(16, far)] / before); !(math.Abs(ratio-math.Exp(-1)) <= 1e-3) {
		t.Errorf("after 8 s %.4f is left, want 1/e", ratio)
	}
}

// TestBeamLimits: a beam sees through to an echo that is too far and does not mark
// it; a missing or
// broken measurement changes nothing.
func TestBeamLimits(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name string
		why  string
		beam field.Beam
		mark bool
	}{
		{"in reach", "below 2.2 m", field.Beam{Range: 2.1}, true},
		{"out of reach", "beyond 2.2 m an echo is not an obstacle", field.Beam{Range: 2.3}, false},
		{"too close", "taken as 3 cm, which is an obstacle", field.Beam{Range: 0.001}, true},
		{"no range", "NaN is no measurement", field.Beam{Range: nan}, false},
		{"no bearing", "NaN is no measurement", field.Beam{Range: 1, Bearing: nan}, false},
		{"no width", "NaN is no measurement", field.Beam{Range: 1, HalfWidth: nan}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := prepare(field.Default())
			q.in.NumBeams, q.in.Beams[0] = 1, tt.beam
			q.run(50 * ms)
			sum := float32(0)
			for _, v := range q.Frame.Maps.Obstacle {
				sum += v
			}
			if (sum > 0) != tt.mark || sum != sum {
				t.Errorf("map sums to %v: %s", sum, tt.why)
			}
		})
	}
}

// TestHazardAndVisited: cliff flags mark their own bearing near the body and no
// beam clears them; the body marks where it is.
func TestHazardAndVisited(t *testing.T) {
	for i, x := range []int{18, 16, 14} {
		q := prepare(field.Default())
		q.in.Edges[i] = true
		q.run(200 * ms)
		y := int(math.Round(field.RangeBin(0.10)))
		here := cell(x, y)
		if top := slices.Max(q.Frame.Maps.Hazard[:]); q.Frame.Maps.Hazard[here] != top || !(top > 0.9) {
			t.Errorf("flag %d marks %v at (%d,%d), elsewhere %v", i, q.Frame.Maps.Hazard[here], x, y, top)
		}
		for _, aside := range []int{cell(x+4, y), cell(x-4, y), cell(x, y+4), cell(x, y-4)} {
			if v := q.Frame.Maps.Hazard[aside]; v != 0 {
				t.Errorf("flag %d marks %v four bins beside (%d,%d)", i, v, x, y)
			}
		}
		before := q.Frame.Maps.Hazard[here]
		q.in.Edges[i], q.in.NumBeams = false, 1
		q.in.Beams[0] = field.Beam{Range: 2, Bearing: float32(field.Bearing(float64(x)))}
		q.run(2 * time.Second)
		if ratio := float64(q.Frame.Maps.Hazard[here] / before); !(math.Abs(ratio-math.Exp(-0.1)) <= 1e-3) {
			t.Errorf("hazard fell to %.4f in 2 s under a beam, want exp(-2/20)", ratio)
		}
		if v := q.Frame.Maps.Visited[cell(0, 9)]; !(v > 0.9) {
			t.Errorf("visited %.3f where the body is, want > 0.9", v)
		}
		if v := q.Frame.Maps.Visited[cell(0, 10)]; v != 0 {
			t.Errorf("visited %.3f beyond bin 9, want 0", v)
		}
	}
}

// TestWarp checks the displacement against rigid motion of a point.
func TestWarp(t *testing.T) {
	rng := fresh(t)
	for range 200 {
		d, turn := uniform(rng, -0.002, 0.002), uniform(rng, -0.02, 0.02)
		q := prepare(field.Default())
		q.in.Forward, q.in.Turn = d, turn
		q.Tick(&q.in)
		w := &q.Frame.Warp
		for x := range field.Side {
			for y := 8; y < 29; y++ { // nearer than 10 cm the linear map is coarse
				i := cell(x, y)
				r, psi := field.Range(float64(y)), field.Bearing(float64(x))
				// The point seen now at (r, psi) was, before the body moved by d and turned:
				px, py := r*math.Cos(psi+float64(turn))+float64(d), r*math.Sin(psi+float64(turn))
				wantX := field.BearingBin(math.Atan2(py, px))
				wantY := field.RangeBin(math.Hypot(px, py))
				gotX := float64(w.X0[i]) + float64(w.WX[i])
				gotY := float64(w.Y0[i]) + float64(w.WY[i])
				// Second order: (d/r)^2 and turn d/r, in bins.
				limit := 1e-4 + 10*(float64(d*d)/(r*r)+math.Abs(float64(turn*d))/r)
				if !(math.Abs(math.Remainder(gotX-wantX, field.Side)) <= limit) || !(math.Abs(gotY-wantY) <= limit) {
					t.Fatalf("d %.4f turn %.4f cell (%d,%d): sampled at (%.4f, %.4f), was at (%.4f, %.4f)",
						d, turn, x, y, gotX, gotY, wantX, wantY)
				}
			}
		}
	}
}

// TestWarpEnds: without motion nothing is sampled; beyond both ends of the range
// axis lies the outside; absurd motions are limited.
func TestWarpEnds(t *testing.T) {
	q := prepare(field.Default())
	q.Tick(&q.in)
	if q.Frame.Warp.Active != 0 {
		t.Error("a body at rest displaces the field")
	}
	plane := make([]float32, field.Plane)
	for i := range plane {
		plane[i] = 1
	}
	for _, forward := range []float32{0.5, -0.5} {
		q.in.Forward = forward
		q.Tick(&q.in)
		// Driving half a metre empties the bins whose old place lies outside.
		y := 31
		if forward < 0 {
			y = 0
		}
		if v := q.Frame.Warp.Sample(plane, cell(16, y), -5); !(v < 1) {
			t.Errorf("driving %v m, the end of the range axis samples %v, want the outside mixed in", forward, v)
		}
		if v := q.Frame.Warp.Sample(plane, cell(16, 16), 1); v != 1 {
			t.Errorf("a uniform plane samples to %v", v)
		}
	}
	for _, v := range []float32{float32(math.Inf(1)), -math.MaxFloat32, float32(math.NaN())} {
		q.in.Forward, q.in.Turn = v, v
		q.Tick(&q.in)
		w := &q.Frame.Warp
		for i := range w.X0 {
			if w.X0[i] < 0 || w.X0[i] >= field.Side || w.Y0[i] < -1 || w.Y0[i] > field.Side || !(w.WX[i] >= 0 && w.WX[i] <= 1) || !(w.WY[i] >= 0 && w.WY[i] <= 1) {
				t.Fatalf("motion %v samples cell %d at (%d+%v, %d+%v)", v, i, w.X0[i], w.WX[i], w.Y0[i], w.WY[i])
			}
		}
	}
}
