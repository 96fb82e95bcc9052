package belief

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/robot/kit"
)

// A Pose is where the car's reference point is in the odometry's frame.
type Pose struct {
	X, Y    float32 // m
	Heading float32 // rad
}

// A Beam is one sonar reading as the sensor gave it.
type Beam struct {
	Bearing   float32 // rad from the heading, positive left
	Range     float32 // m from the sensor's face
	HalfWidth float32 // rad
	Lead      float32 // m from the reference point to the face, along the bearing
	Height    float32 // m of the face above the floor
	Beyond    bool    // nothing was heard up to Range: nothing is known to stand there
}

// The rays of a cone: every second azimuth, every fourth elevation. Nothing
// beyond farthest is believed to be where the reading says.
const (
	coneStride = 2
	coneRows   = 4
	farthest   = 2.2      // m
	axisWidth  = 3 * Turn // rad: within it an echo is a hit, beyond it on the arc
	levelHalf  = 12 * math.Pi / 180

	bodyRadius  = kit.Radius + 0.02 // m, the disc of the car with a margin
	floorSafe   = -40               // units: where the car or its floor bar was
	floorHazard = 80
)

// Sonar writes one reading: the cone up to it is free, something stands on the
// arc at its end, most likely on the axis. s is working memory.
func (b *Belief) Sonar(s *Scan, from Pose, beam Beam) {
	s.Reset()
	heading := float64(from.Heading) + float64(beam.Bearing)
	s.First = Ahead(heading)
	reach, echo := min(beam.Range, farthest), uint8(Arc)
	if beam.Range > farthest || beam.Beyond {
		echo = 0
	}
	half := min(int(float64(beam.HalfWidth)/Turn+0.5), Columns/2-1)
	for row := coneRows / 2; row < Rows; row += coneRows {
		if math.Abs(Elevation(row)) > min(float64(beam.HalfWidth), levelHalf) {
			continue
		}
		for k := -half; k <= half; k += coneStride {
			end := echo
			if end != 0 && math.Abs(float64(k)*Turn) <= axisWidth {
				end = Hit
			}
			s.Put(row, Columns/2+k, reach, end)
		}
	}
	x, y := from.Ahead(beam.Bearing, beam.Lead)
	b.Insert(Place{x, y, beam.Height}, s)
}

// Ground writes a reading of the floor bar: the floor under it is there, or not.
// ahead is how far the bar is from the reference point, bearing where in it the
// sensor is.
func (b *Belief) Ground(from Pose, bearing, ahead float32, hazard bool) {
	x, y := from.Ahead(bearing, ahead)
	units := floorSafe
	if hazard {
		units = floorHazard
	}
	b.add(x, y, Floor, units)
}

// Ahead returns the point some metres from the pose along a bearing.
func (p Pose) Ahead(bearing, metres float32) (x, y float32) {
	way, m := float64(p.Heading)+float64(bearing), float64(metres)
	return p.X + float32(m*exact.Cos(way)), p.Y + float32(m*exact.Sin(way))
}

// Occupy writes that the car itself is at a place: the floor carries it and
// nothing else stands there.
func (b *Belief) Occupy(x, y float32) {
	b.disc(x, y, func(at int) {
		b.odds[at+Floor] = clamp(int(b.odds[at+Floor]) + floorSafe)
		b.odds[at+Body] = clamp(int(b.odds[at+Body]) + floorSafe)
	})
}

// disc calls for every column of cells whose centre the car at a place covers,
// with the index of its border cell.
func (b *Belief) disc(x, y float32, each func(at int)) {
	i, j, _ := b.column(x, y)
	for k := max(i-1, 1); k <= min(i+1, Side); k++ {
		for l := max(j-1, 1); l <= min(j+1, Side); l++ {
			dx := float32((float32(k-1+int(b.west))+0.5)*Cell) - x
			dy := float32((float32(l-1+int(b.south))+0.5)*Cell) - y
			if float32(dx*dx)+float32(dy*dy) <= bodyRadius*bodyRadius {
				each(index(k, l, 0))
			}
		}
	}
}

// Sweep returns how many bits floor bar and wheels would learn of the floor at a
// place, and adds those cells to seen; cells in it teach nothing more.
func (b *Belief) Sweep(x, y float32, seen *Seen) float32 {
	sum := int32(0)
	b.disc(x, y, func(at int) {
		if at += Floor; !seen.has(int32(at)) {
			seen.put(int32(at))
			sum += int32(classes[class(b.odds[at])] >> 16)
		}
	})
	return float32(sum) / One
}

// Risk returns how likely the car stands in something, or over an edge, at a
// place: 0 for unknown and free, 1 for certain.
func (b *Belief) Risk(x, y float32) float32 {
	worst := int8(0)
	b.disc(x, y, func(at int) { worst = max(worst, b.odds[at+Floor], b.odds[at+Body]) })
	return risks[class(worst)]
}

// risks are 2p-1 of the classes above unknown.
var risks = func() (list [32]float32) {
	for c := 17; c < 32; c++ {
		list[c] = float32(float64(2*Probability(8*c-128)) - 1)
	}
	return list
}()

// See adds to seen the cells that a fan from a place would have made known: those
// that its rays enter while they pass with more than half their probability.
func (b *Belief) See(from Place, heading float64, stride int, seen *Seen) {
	o, ok := b.origin(from)
	if !ok {
		return
	}
	head := Ahead(heading)
	for row := stride / 2; row < Rows; row += stride {
		for a := head; a < head+Columns; a += stride {
			mark(b, seen, &o, b.direction(row, a))
		}
	}
}
