package line

import (
	"fmt"
	"math"

	"fieldbrain/field/exact"
)

// A Crossing leads a car that looks for edges across a gap of its line, and back. Beyond
// the line nobody has been, and the floor bar sees no edge that it meets aslant before a
// wheel is past it (docs/robot.md), so there is no search: the car goes as far as a gap is
// long, and where no line is met it comes back over the floor that has carried it to where
// its line ended, and tries again, bent otherwise. After crossMost ways, or one that met an
// edge, the line ends there: the car stands on it and its order is given up. A Record holds it.
type Crossing struct {
	Out   float64 // m that it is beyond the end of the line, on its way
	On    float64 // m of line seen since it came back
	Back  bool    // it comes back
	Met   bool    // and has met its line again
	Vain  int32   // ways on which no line was met
	Bend  float64 // 1/m, of the line where it ended first
	Still float64 // s for which it has stood while it should have come back
	Ended bool    // the line ends here
}

// BackSpeed is the speed with which the car comes back to where its line ended, in m/s.
const BackSpeed = 0.12

const (
	crossMost  = 3    // ways across a gap
	crossReach = 0.28 // m: a gap of 0.2 m, and what the bar may miss of the line beyond
	crossLeft  = 0.30 // m at full lock after a line that went out at the bar's side: where that turned by a right angle
	crossPast  = 0.08 // m back past its end, so that it is under the bar again; without it somebody has moved the car or the tape
	crossAway  = 0.02 // m beyond its line from which on an edge is one across the gap
	crossNear  = 0.05 // m before its end from which on a line that is met on the way back is the one
	crossOn    = 0.20 // m of line after which it goes on: less is its end, over which the car came back
	crossStill = 2.0  // s of standing on the way back: something bars it
	crossBend  = 1.5  // 1/m, by which a way is bent otherwise
	crossMove  = 0.01 // m/s: slower it stands
)

// A crossed tick tells the crossing how one tick stands.
type crossed struct {
	dt      float64
	follows bool    // a line is followed
	drives  bool    // the car may drive, and people do not want it to stand
	seen    bool    // a line is under the bar
	brink   bool    // the floor ends there
	left    bool    // it went out at the bar's side
	speed   float64 // m/s
	bend    float64 // 1/m, of the line
}

// watch sends the car back where its way across has been as long as a gap may be, on again
// where it is back, and ends the line where no way led to one.
func (c *Crossing) watch(p *crossed) {
	way := float64(p.speed * p.dt)
	switch {
	case c.Ended:
	case !p.drives:
		if c.Out != 0 { // it comes to a stop
			c.Out += way
		}
	case !p.follows:
		*c = Crossing{}
	case c.Back:
		c.returns(p, way)
	case p.seen:
		if c.Out, c.On = 0, c.On+math.Max(way, 0); c.On >= crossOn {
			*c = Crossing{}
		}
	default:
		c.goes(p, way)
	}
}

// goes takes one tick of the way across.
func (c *Crossing) goes(p *crossed, way float64) {
	if c.Out == 0 && c.Vain == 0 {
		c.Bend = p.bend
	}
	reach := crossReach
	if p.left {
		reach = crossLeft
	}
	c.Out += way
	if c.Back = p.brink || c.Out >= reach; c.Back && (p.left || p.brink && c.Out > crossAway) {
		c.Vain = crossMost - 1
	}
}

// returns takes one tick of the way back.
func (c *Crossing) returns(p *crossed, way float64) {
	c.Out += way
	if c.Still += p.dt; p.speed < -crossMove || p.brink { // over an edge its reflexes hold it, and say so
		c.Still = 0
	}
	c.Met = c.Met || p.seen && c.Out < crossNear
	barred := c.Still > crossStill
	if c.Out > -crossPast && !barred {
		return
	}
	c.Vain = min(c.Vain+1, crossMost)
	c.Ended = barred || !c.Met || c.Vain == crossMost
	c.Back, c.Met, c.Still, c.Out, c.On = false, false, 0, 0, 0
}

// bent is the bend of the next way across, in 1/m: the line's own, then less of it, then more.
// The bar meets what has bent by 1.6 /m more or less within a gap of 0.2 m.
func (c *Crossing) bent(bend float64) float64 {
	switch more := math.Copysign(crossBend, c.Bend); c.Vain {
	case 0:
		return bend
	case 1:
		return exact.Clip(c.Bend-more, -courseBend, courseBend)
	default:
		return exact.Clip(c.Bend+more, -courseBend, courseBend)
	}
}

// check returns why no car can be on such a way, or nil.
func (c *Crossing) check() error {
	const far = 1e6 // m, s
	within := math.Abs(c.Out) <= far && c.On >= 0 && c.On <= far &&
		math.Abs(c.Bend) <= courseBend && c.Still >= 0 && c.Still <= far // NaN fails
	if !within || c.Vain < 0 || c.Vain > crossMost {
		return fmt.Errorf("Crossing is %+v", *c)
	}
	return nil
}
