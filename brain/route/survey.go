package route

import "slices"

// A survey is the way from a goal outside the window to the window's border, over the
// ring of places: it remembers walls that have left the window, and the car does not turn
// back into a lane whose end it has seen because the goal lies nearer to there as the
// crow flies.
type survey struct {
	west, south int32          // world place of its corner
	slow        [cells]float32 // of places
	rest        [edge]float32  // m from the goal to each cell of the window's border
	have        bool           // rest holds this wave's
}

const (
	edge = 4*Side - 4                // cells of the window's border
	wide = float32(placeCell / Cell) // a place is as wide as that many cells
)

// surveys begins a survey where the goal lies outside the window and in the ring, with
// beams to the sides: it has not been shown to help one beam.
func (f *Finder) surveys() bool {
	s := &f.survey
	s.have = false
	if _, _, ok := f.space.cell(f.goal.x, f.goal.y); ok || !f.wide || f.task != Goal ||
		!f.places.inside(placeOf(f.goal.x), placeOf(f.goal.y)) {
		return false
	}
	s.west, s.south = f.places.west, f.places.south
	return true
}

// recall takes one row of places over, and after the last one lets the wave begin at the
// goal.
func (f *Finder) recall() {
	f.left -= rowWork
	s, d := &f.survey, &f.spare.distance
	y := s.south + int32(f.row)
	for x := range int32(Side) {
		i := f.row*Side + int(x)
		if s.slow[i] = wide; f.places.inside(s.west+x, y) && f.places.count[f.places.index(s.west+x, y)]&walled != 0 {
			s.slow[i] = (1 + stands) * wide
		}
	}
	if f.row++; f.row < Side {
		return
	}
	f.phase = surveying
	gx, gy := int(placeOf(f.goal.x)-s.west), int(placeOf(f.goal.y)-s.south)
	for y := max(gy-round, 0); y <= min(gy+round, Side-1); y++ {
		for x := max(gx-round, 0); x <= min(gx+round, Side-1); x++ {
			i := y*Side + x
			f.wave.put(i, float32(s.slow[i]/wide*gap(s.middle(x, y), f.goal)), d)
		}
	}
}

// middle returns the middle of a place in m.
func (s *survey) middle(x, y int) point {
	return point{float32((float32(int(s.west)+x) + 0.5) * placeCell), float32((float32(int(s.south)+y) + 0.5) * placeCell)}
}

// measure lets the wave pass one place, and after the last one notes what is left from the
// window's border on.
func (f *Finder) measure() {
	f.left--
	s, d := &f.survey, &f.spare.distance
	if i, more := f.wave.pop(d); more {
		f.wave.pass(i, d, &s.slow)
		return
	}
	n := 0
	border(func(i int) {
		s.rest[n] = s.sample(f.space.middle(i), d)
		n++
	})
	s.have = slices.Max(s.rest[:]) < unreached // not of a damaged frozen brain
	f.phase, f.row = seeding, 0
	f.wave.begin(d)
}

// sample returns the distance at a point, between the middles of four places.
func (s *survey) sample(at point, d *[cells]float32) float32 {
	fx, fy := float32(at.x*(1/placeCell))-0.5-float32(s.west), float32(at.y*(1/placeCell))-0.5-float32(s.south)
	cx, cy := min(max(int(fx), 0), Side-2), min(max(int(fy), 0), Side-2)
	i := cy*Side + cx
	px, py := fx-float32(cx), fy-float32(cy)
	low := d[i] + float32(px*(d[i+1]-d[i]))
	high := d[i+Side] + float32(px*(d[i+Side+1]-d[i+Side]))
	return low + float32(py*(high-low))
}
