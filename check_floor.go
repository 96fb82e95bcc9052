package fieldbrain

import (
	"math"

	"fieldbrain/robot"
	"fieldbrain/robot/kit"
)

// seesLine reports whether the floor sensors are where the brain takes them to be, and whether
// somebody said what they read on a line: without that no order follows one.
func (s *Shape) seesLine() bool {
	return s.toldLine() && near(s.FloorAhead, kit.PiCarX().FloorAhead, barNear) && near(s.FloorPitch, kit.PiCarX().FloorPitch, pitchNear)
}

// toldLine reports whether somebody said what the floor sensors read beside a line and on it.
func (s *Shape) toldLine() bool {
	none := [robot.NumFloor]float32{}
	return s.LineLight != none || s.LineDark != none
}

// near reports whether a length in m is as wanted.
func near(is, want, by float64) bool { return math.Abs(is-want) <= by+whole }

// checkFloor wants the floor bar where the brain reckons with it, and before the front wheels
// where it looks for edges; and readings by which line, floor and edge differ.
func (s *Shape) checkFloor(t *Task, c *checkup) {
	usual := kit.PiCarX()
	if t.Cliff || t.FollowLine {
		where := func(name string, value *float64, want, by float64) {
			if !near(*value, want, by) {
				c.want(false, "Shape.%s %v m must be within %.3f..%.3f where Task.Cliff or Task.FollowLine is set: "+
					"the brain takes the floor sensors to be there; move them, or drive without both", name, *value, want-by, want+by)
				*value = want
			}
		}
		where("FloorAhead", &s.FloorAhead, usual.FloorAhead, barNear)
		where("FloorPitch", &s.FloorPitch, usual.FloorPitch, pitchNear)
	}
	c.want(!t.Cliff || s.FloorAhead-s.Wheelbase >= barLead-whole, "Shape.FloorAhead %v m must be at least %v m more than Shape.Wheelbase %v m where Task.Cliff is set: "+
		"a front wheel is past an edge before the car stands; move the floor sensors ahead, or drive where nothing can be driven off",
		s.FloorAhead, barLead, s.Wheelbase)
	s.checkLine(t, c)
	s.checkCliff(t, c)
}

// checkLine wants a line that is darker than the floor, and one that is known where it is to be
// followed.
func (s *Shape) checkLine(t *Task, c *checkup) {
	usual := kit.PiCarX()
	light, dark := usual.LineReferences()
	if !s.toldLine() {
		c.want(!t.FollowLine, "Shape.LineLight and LineDark must be given where Task.FollowLine is set: what the floor sensors read beside a line "+
			"and on it; this body has none")
		if t.FollowLine {
			s.LineLight, s.LineDark = light, dark
		}
		return
	}
	ok := true
	for i, v := range s.LineLight {
		ok = ok && v <= 1 && s.LineDark[i] >= 0 && v-s.LineDark[i] >= 0.02
	}
	if !ok {
		c.want(false, "Shape.LineLight %v must each be at least 0.02 above LineDark %v, all within 0..1: give what the floor sensors read "+
			"beside a line and on it, or nothing where there are none", s.LineLight, s.LineDark)
		s.LineLight, s.LineDark = light, dark
	}
}

// checkCliff wants readings at which there is no floor, and which no floor gives.
func (s *Shape) checkCliff(t *Task, c *checkup) {
	floor := [robot.NumFloor]float32{1, 1, 1}
	if s.toldLine() {
		floor = s.LineLight
	}
	within, apart := true, true
	for i, v := range s.CliffDark {
		within = within && v >= 0 && v <= 1
		apart = apart && v > 0 && v < floor[i]
	}
	switch {
	case t.Cliff && !apart:
		c.want(false, "Shape.CliffDark %v must each be above 0 and below %v, what the floor reflects (LineLight, where that is given), where Task.Cliff is set: "+
			"at or below it there is no floor, and with 0 the car drives off; give what the sensors read beyond an edge and some more, "+
			"or drive where nothing can be driven off", s.CliffDark, floor)
	case !within:
		c.want(false, "Shape.CliffDark %v must each be within 0..1, the converter's full scale; 0 where there are no floor sensors", s.CliffDark)
	default:
		return
	}
	usual := kit.PiCarX()
	s.CliffDark = usual.CliffReferences()
}
