package line

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A Course is where the line runs at the floor bar: an observer that the car's motion carries
// on and that what the bar sees corrects. Where the bar sees nothing it goes on as it bent,
// so that a gap is driven across like the line itself, against all that pushes the heading
// meanwhile; a Record holds it.
type Course struct {
	Aside float64 // m from the middle of the bar to the line, positive when it is to the left
	Slant float64 // rad, its direction from the car's
	Bend  float64 // 1/m, its curvature, positive to the left
}

const (
	courseWay   = 0.05     // m: 1/e of what it was is kept on as long a way
	courseBlind = 0.0045   // m to either side of the middle within which the offset of a line is 0,
	courseRamp  = 0.011    // m from there to where it is 1
	courseFaint = 0.1      // share of an error within the blind part that is believed
	courseEven  = 0.02     // offset below which the middle sensor alone sees the line,
	courseAlone = 0.9      // and above which an outer one does
	courseOuter = 0.0295   // m to where the outer sensor alone still sees all of it,
	courseEdge  = 0.033    // m to where it sees half of it
	courseLong  = 0.4      // m of a gap after which nothing is known of it any more
	courseLeap  = 0.02     // m: what is farther from where it should be is not the line that was expected
	courseSlant = 70 * deg // a line that crosses the car's way more squarely has no course
	courseBend  = 8.0      // 1/m: the car itself turns on 6.1
	courseFull  = 0.016    // m aside at which the offset of a line becomes 1
	courseFar   = 2.0      // m aside: a line that is farther is as far, so that nothing grows where the car circles
)

// move carries the course on by m driven and rad turned; midpoint rule.
func (c *Course) move(way, turn float64) {
	along := way - float64(turn*c.Aside)
	swing := float64(c.Bend*along)/exact.Cos(c.Slant) - turn
	out := float64(along*exact.Tan(exact.Clip(c.Slant+float64(swing/2), -courseSlant, courseSlant))) - float64(turn*ground.BarAhead)
	c.Aside = exact.Clip(c.Aside+out, -courseFar, courseFar)
	c.Slant = exact.Clip(c.Slant+swing, -courseSlant, courseSlant)
}

// see corrects the course by where the bar sees the line, after way m: a fading-memory
// filter over the way, with the same three poles at any period. A line that is met
// elsewhere than it should be, after a gap of so many m, ran in another direction.
func (c *Course) see(seen sight, way, gap float64) {
	wrong := seen.wrong(c.Aside)
	if math.Abs(wrong) > courseLeap {
		c.Aside += wrong
		if c.Slant += wrong / math.Max(gap, courseWay); gap < courseWay || gap > courseLong {
			c.Slant = 0
		}
		c.Slant = exact.Clip(c.Slant, -courseSlant, courseSlant)
		return
	}
	way = math.Max(way, 0)
	gain := way / (courseWay + way)
	keep := 1 - gain
	c.Aside += float64(wrong * (1 - float64(keep*keep*keep)))
	c.Slant = exact.Clip(c.Slant+float64(1.5*gain*(1+keep)*wrong)/(courseWay+way), -courseSlant, courseSlant)
	c.Bend = exact.Clip(c.Bend+float64(gain*wrong)/float64((courseWay+way)*(courseWay+way)), -courseBend, courseBend)
}

// A sight is a line under the bar.
type sight struct {
	offset float64 // -1..1
	whole  bool    // it is dark enough to be under a sensor, not beside it
	ends   bool    // it begins or ends right there: what is half seen may be under a sensor all the same
}

// wrong is by how many m to the left the line is of where it should be. Where one sensor
// alone sees it, it may be anywhere under that: most of what it differs there is not
// believed. One that is half seen at the bar's end is beyond the last sensor.
func (s sight) wrong(aside float64) float64 {
	side, away := math.Copysign(1, s.offset), math.Abs(s.offset)
	near := courseBlind + float64(away*courseRamp) // m to that side
	far := near
	switch {
	case away < courseEven:
		near, far = -courseBlind, courseBlind
	case away > courseAlone && s.whole:
		far = courseOuter
	case away > courseAlone && s.ends:
		far = courseEdge
	case away > courseAlone:
		near, far = courseEdge, courseEdge
	}
	out := float64(side * aside)
	within := exact.Clip(out, near, far)
	middle := float64((near + far) / 2)
	return float64(side * (within - out - float64(courseFaint*(within-middle))))
}

// offset is what the bar would tell of a line there, shifted by m to the left.
func (c *Course) offset(shift float64) float64 { return exact.Clip((c.Aside+shift)/courseFull, -1, 1) }

// check returns why no line runs so, or nil.
func (c *Course) check() error {
	if !(math.Abs(c.Aside) <= courseFar && math.Abs(c.Slant) <= courseSlant && math.Abs(c.Bend) <= courseBend) { // NaN fails
		return fmt.Errorf("Course is %+v", *c)
	}
	return nil
}
