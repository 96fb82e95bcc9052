package field

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// MapParams are the constants of the egocentric maps (B.5.1, validated in
// simulation).
type MapParams struct {
	Hit      time.Duration // time constant of a beam's hit
	Clear    time.Duration // time constant of clearing the space it saw through
	Visit    time.Duration // time constant of marking the body's own place
	MaxRange float32       // m, longest range that is entered as an obstacle
}

// DefaultMap returns hit 50 ms, clear 150 ms, visit 0.5 s, 2.2 m.
func DefaultMap() MapParams {
	return MapParams{Hit: 50 * ms, Clear: 150 * ms, Visit: 500 * ms, MaxRange: 2.2}
}

func (m *MapParams) validate() error {
	var errs []error
	for _, t := range []struct {
		name string
		d    time.Duration
	}{{"hit", m.Hit}, {"clear", m.Clear}, {"visit", m.Visit}} {
		if t.d <= 0 {
			errs = append(errs, fmt.Errorf("field: map %s time %v must be positive", t.name, t.d))
		}
	}
	if !(m.MaxRange > 0.05 && m.MaxRange <= 3) {
		errs = append(errs, fmt.Errorf("field: map range %v m must be within 0.05..3", m.MaxRange))
	}
	return errors.Join(errs...)
}

// MaxBeams is how many range beams one tick may carry.
const MaxBeams = 8

// A Beam is one valid range measurement, seen from the reference point.
type Beam struct {
	Bearing   float32 // rad, positive left
	Range     float32 // m from the body's reference point
	HalfWidth float32 // rad
}

// Maps are the three egocentric maps of the bearing-range plane, cell x*32+y:
// obstacles, edges, and the places where the body has been.
type Maps struct {
	Obstacle, Hazard, Visited [Plane]float32
	old                       [3][paddedCells]float32
}

// update carries the maps through one tick: displacement, beams, edges, place.
func (m *Maps) update(w *Warp, r *mapRates, in *Input, loops *Loops, echoes *[MaxBeams]echo) {
	if w.Active != 0 {
		loops.Carry(m, w)
	}
	for i := range in.Beams[:in.NumBeams] {
		b := &in.Beams[i]
		if sum := b.Bearing + b.Range + b.HalfWidth; sum-sum == 0 { // all are numbers
			m.beam(b, r, &echoes[i])
		}
	}
	for i, edge := range in.Edges {
		if edge {
			m.edge(edgeBin(i), r)
		}
	}
	loops.Fade(m, r.visit, &r.keep)
}

// BodyBins is how many bins of range the body itself covers.
const BodyBins = 10

// padded is a plane with a rim: one more bearing, which is the first again, and
// one range below and two above, which are empty.
const (
	paddedRow   = Side + 3
	paddedCells = (Side + 1) * paddedRow
)

// pad copies a plane into the middle of the padded one, whose rim stays 0.
func pad(plane *[Plane]float32, p *[paddedCells]float32) {
	for x := range Side {
		copy(p[x*paddedRow+1:], plane[x*Side:(x+1)*Side])
	}
	copy(p[Side*paddedRow+1:], plane[:Side])
}

// An echo is a beam as it was drawn last.
type echo struct{ across, along drawing }

// beam enters one measurement: the place of the echo is marked, the space the
// beam saw through is cleared.
func (m *Maps) beam(b *Beam, r *mapRates, e *echo) {
	bearing := BearingBin(float64(b.Bearing))
	place := RangeBin(float64(min(max(b.Range, 0.03), 3)))
	width := max(1, float64(b.HalfWidth)/BinAngle)
	e.across.draw(bearing, width, true)
	e.along.draw(place, 1.2, false)
	across, along := &e.across.row, &e.along.row
	for x := range Side {
		gx := across[x]
		if gx < 0.05 {
			continue
		}
		axis := math.Abs(wrapBins(float64(x)-bearing)) < 1.2
		for y := range Side {
			cell := &m.Obstacle[x*Side+y]
			t := float32(gx * along[y])
			if b.Range < r.maxRange && t > 0.35 {
				*cell += float32(float32(r.hit*min(1, float32(1.5*t))) * (1 - *cell))
			}
			if axis && float64(y) < place-2 {
				*cell -= float32(float32(r.clear*gx) * *cell)
			}
		}
	}
}

// An edge is entered edgeRange metres from the reference point, where the floor
// bar looks, over edgeWidth bins each way.
const (
	edgeRange = 0.10
	edgeWidth = 1.2
)

// edgeBin is the bearing bin of floor sensor i: left, middle, right.
func edgeBin(i int) float64 { return float64(Ahead + 2 - 2*i) }

// edge enters one cliff flag at bearing bin x. Beams never clear it.
func (m *Maps) edge(x float64, r *mapRates) {
	var across, along Row
	across.gaussian(x, edgeWidth, true)
	along.gaussian(RangeBin(edgeRange), edgeWidth, false)
	for i := range Side {
		for j := range Side {
			if t := float32(across[i] * along[j]); t > 0.35 {
				cell := &m.Hazard[i*Side+j]
				*cell += float32(float32(r.hit*min(1, float32(1.5*t))) * (1 - *cell))
			}
		}
	}
}
