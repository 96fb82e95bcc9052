package fieldbrain

import (
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// What a body is made of. They are the types of package robot under their own
// names: a program that has a body of its own needs no other package.
type (
	Body    = robot.Body    // what you write: Sense, Act, Halt
	State   = robot.State   // what Sense fills in
	Command = robot.Command // what Act takes
	Reading = robot.Reading // one sensed value, its instant, and whether there is one
	Limits  = robot.Limits  // what no command exceeds
	Clock   = robot.Clock   // tells the time and waits
	Battery = safety.BatteryParams
)

// sectorReach is how far from a sector's direction a sensor may look.
const sectorReach = 15 * math.Pi / 180

// Sector returns the element of State.Range for a range sensor that looks in the
// direction of bearing, in rad, positive left, and false when none lies within
// 15 degrees: there are sectors at 0, +-30, +-60, +-90 and 180 degrees.
func Sector(bearing float64) (sector int, ok bool) {
	nearest := math.Inf(1)
	for i := range robot.NumSectors {
		off := math.Abs(math.Remainder(bearing-float64(robot.SectorBearing(i)), 2*math.Pi))
		if off < nearest {
			sector, nearest = i, off
		}
	}
	return sector, nearest <= sectorReach
}

// Echo puts the range of a sensor that looks in the direction of bearing, in rad,
// into s: distance metres, measured at the instant at. It returns false and
// leaves s alone when State has no place for that direction; see Sector.
//
// Distances outside 0.02..4.2 m are ignored, and without any reading the car stands. If
// your sensor reports more than 4.2 m, or heard nothing, call Silence instead: a missing
// echo is not a short distance.
func Echo(s *State, bearing, distance float64, at time.Duration) bool {
	sector, ok := Sector(bearing)
	if ok {
		s.Range[sector] = Reading{Value: float32(distance), At: at, OK: true}
	}
	return ok
}

// Silence puts into s that the sensor that looks in the direction of bearing, in
// rad, works and heard nothing up to distance metres, at the instant at. The car
// takes the way for free that far and drives; a sensor that does not answer gets
// neither Echo nor Silence, and the car stands after a second of that. Silence
// means little where walls are smooth or soft: give a distance that you trust.
// A robot.Hearing works one out from pings. It returns what Echo returns.
func Silence(s *State, bearing, distance float64, at time.Duration) bool {
	ok := Echo(s, bearing, distance, at)
	if ok {
		sector, _ := Sector(bearing)
		s.Range[sector].AtLeast = true
	}
	return ok
}

// A linked body is the body as the brain has it: while it does not take commands, its bus counts
// as down.
type linked struct {
	Body
	link robot.Link // as the body says
	deaf bool       // it has refused the newest command
}

// Sense implements Body.
func (l *linked) Sense(s *State) {
	s.Link = l.link // which a body may leave as it is
	l.Body.Sense(s)
	if l.link = s.Link; l.deaf {
		s.Link = robot.LinkDown
	}
}

// Act implements Body.
func (l *linked) Act(c Command) error {
	err := l.Body.Act(c)
	l.deaf = err != nil
	return err
}
