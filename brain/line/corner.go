package line

import (
	"fmt"
	"math"

	"fieldbrain/robot"
)

// A Corner tells where a line that ends under the bar turned to. The bar drives across the
// line's next leg before it loses it: an outer sensor and the middle one are dark at once for
// as long as that leg is wide. A line that runs along the car does the same where it lies
// between the two, but comes to lie there slowly. On full lock to that side the bar, ground.BarAhead
// before the axle, goes round on a circle of 0.20 m and meets the leg from behind: after 0.35 m
// and with 32 degrees where the line turned by 90, after 0.52 m and with 61 where it turned by
// 120. So a leg that it does not keep is on the other side. A Record holds it.
type Corner struct {
	Left, Right Leg
	Round       float64 // 1 while the car goes round one to the left, -1 to the right, 0 otherwise
	On          float64 // m on the leg that it has met behind it
}

// A Leg is what may be a line's next leg, to one side.
type Leg struct {
	Coming float64 // m on which the outer sensor comes to it, between floor and tape
	New    bool    // it has seen floor since it was last over tape
	Rise   float64 // m on which it came
	Both   float64 // m on which it and the middle one were dark at once
	Since  float64 // m since then
	Faded  float64 // m since the outer one was dark
}

// wayMost is the way in m beyond which more is as much.
const wayMost = 1.0

// The tape is 25 mm wide, the outer sensors look 20 mm beside the middle one, each at a spot of
// 6 mm (courseBlind, courseRamp), of which 1.5 mm may be off the tape. What turns by an angle a
// crosses the outer sensor's way for 22 mm / sin a, about a place 20 mm / tan a before or behind
// the corner, and the middle one stays dark to 11 mm behind it. A turn by 60 degrees has both
// dark on 12 mm, one by 90 on 22 mm, one by 120 on 25 mm. A line that only comes in aslant has
// both dark on 2 mm aside of 0.7 mm that the outer one takes before, at whichever angle, and on
// 8 mm with 14 degrees.
const (
	cornerFloor = 0.7   // darkness up to which an outer sensor may see a line that runs along the car,
	cornerDark  = 0.9   // and from which on it is over tape
	cornerTimes = 4     // times as long as it rose it stays dark
	cornerLeast = 0.008 // m, at least
	cornerMost  = 0.06  // m: tape of 50 mm
	cornerPast  = 0.03  // m: after a turn by 150 degrees 25 mm; more is a leg that the line has crossed
	cornerMore  = 1.5   // times as long as on the other side, where the tape's outer corner may be
	cornerMet   = 0.10  // m of the leg behind which it is a line like any other
	cornerCut   = 0.010 // m on which an outer sensor loses tape that ends under it: its spot, and what a reading may be late
)

// watch takes the darkness of the sensors, way m farther on, on a line that may begin there.
func (c *Corner) watch(w *[robot.NumFloor]float64, way float64, begins bool) {
	c.Left.watch(w[robot.FloorLeft], w[robot.FloorMiddle], way, begins)
	c.Right.watch(w[robot.FloorRight], w[robot.FloorMiddle], way, begins)
}

// watch takes one tick of one side. Where the line itself begins no leg comes to it, however
// quickly its tape does.
func (l *Leg) watch(outer, middle, way float64, begins bool) {
	dark := math.Min(outer, middle) >= cornerDark
	switch {
	case outer < cornerFloor:
		l.Coming, l.New = 0, true
	case l.New && begins:
		l.Rise, l.Both, l.New = wayMost, 0, false
	case l.New && !dark:
		l.Coming = math.Min(l.Coming+way, wayMost)
	case l.New:
		l.Rise, l.Both, l.New = l.Coming, 0, false
	}
	if dark {
		l.Both, l.Since = math.Min(l.Both+way, wayMost), 0
	} else {
		l.Since = math.Min(l.Since+way, wayMost)
	}
	if l.Faded = math.Min(l.Faded+way, wayMost); outer >= cornerDark {
		l.Faded = 0
	}
}

// meets takes way m of a line that is seen.
func (c *Corner) meets(way float64) {
	if c.Round == 0 {
		return
	}
	if c.On += way; c.On > cornerMet {
		c.On, c.Round = 0, 0
	}
}

// ends returns to which side a line is that ends under the bar, 1 for the left and -1 for the
// right, or 0: then it only ends. Nothing says which way a bar across its end leads on.
func (c *Corner) ends() float64 {
	left, right := c.Left.turned(), c.Right.turned()
	switch {
	case c.Round != 0: // met behind a corner, and not kept
		side := -c.Round
		c.Round, c.On = 0, 0
		return side
	case left > cornerMore*right:
		c.Round = 1
	case right > cornerMore*left:
		c.Round = -1
	default:
		return 0
	}
	c.On = 0
	return c.Round
}

// turned is on how many m the leg was seen if the line, which ends now, turned to this side, or 0.
func (l *Leg) turned() float64 {
	if l.Both < math.Max(cornerLeast, float64(cornerTimes*l.Rise)) || l.Both > cornerMost || l.Since > cornerPast {
		return 0
	}
	return l.Both
}

// cut reports whether a line that was last seen to a side ended there, under the outer sensor:
// tape that slides out from under it takes longer.
func (c *Corner) cut(side float64) bool {
	leg := &c.Right
	if side > 0 {
		leg = &c.Left
	}
	return leg.Faded <= cornerCut
}

// check returns why no bar has seen such a corner, or nil.
func (c *Corner) check() error {
	for _, v := range [...]float64{
		c.Left.Coming, c.Left.Rise, c.Left.Both, c.Left.Since, c.Left.Faded,
		c.Right.Coming, c.Right.Rise, c.Right.Both, c.Right.Since, c.Right.Faded, c.On, math.Abs(c.Round),
	} {
		if !(v >= 0 && v <= wayMost) { // NaN fails
			return fmt.Errorf("Corner is %+v", *c)
		}
	}
	return nil
}
