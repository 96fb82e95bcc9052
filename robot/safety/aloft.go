package safety

import (
	"time"

	"fieldbrain/robot"
)

// An aloft notices that the floor is gone from under the whole bar for longer than any edge
// keeps it dark: somebody holds the car, or it stands at an edge that its retreats did not
// get it away from. Both end where a person has looked.
type aloft struct {
	dark   bool          // every floor sensor reads dark
	rest   time.Duration // instant since which it also stands
	back   float32       // m backed since they all do
	lifted bool
}

const (
	aloftRest = time.Second // at rest with every sensor dark
	// Every wheel goes back over floor that the bar has passed before it. That comes to
	// lie under the bar again after 10 mm or less; the rest is for motors that turn
	// slower than told, or late. A retreat is 0.27 m long.
	aloftBack = 0.20 // m
)

// lifts takes a tick. live says that no floor sensor is silent or frozen.
func (c *cliff) lifts(live bool, s *robot.State, p *Params, now time.Duration) {
	a := &c.aloft
	for i := range c.sensors {
		live = live && c.sensors[i].dark >= p.Cliff.TripReads
	}
	if !live {
		*a = aloft{}
		return
	}
	if !a.dark {
		*a = aloft{dark: true, rest: now}
	}
	if c.stage != idle || orZero(s.Wheel) != 0 {
		a.rest = now
	}
	a.back -= float32(c.floor.speed * seconds(p.Period))
	a.lifted = a.lifted || age(now, a.rest, 0) >= aloftRest || a.back >= aloftBack
}
