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
	// At an edge the floor that the bar has just seen lies under it again after 10 mm; the
	// rest is for motors that turn slower than told, or late. A retreat is 0.27 m long.
	aloftBack = 0.20 // m
)

// lifts takes a tick. A sensor that is silent tells nothing. One that is frozen has frozen in
// the dark, where a converter without noise says one value for as long as the car is held: that
// it counts as stale would end when it is put down, and the car would drive on.
func (c *cliff) lifts(s *robot.State, p *Params, now time.Duration) {
	a, dark := &c.aloft, true
	for i := range c.sensors {
		e := &c.sensors[i]
		dark = dark && e.dark >= p.Cliff.TripReads && age(now, e.told, p.Period) <= p.Cliff.Stale
	}
	if !dark {
		*a = aloft{}
		return
	}
	if !a.dark {
		*a = aloft{dark: true, rest: now}
	}
	if c.stage != idle || orZero(s.CommandedSpeed) != 0 {
		a.rest = now
	}
	a.back -= float32(c.floor.speed * seconds(p.Period))
	a.lifted = a.lifted || age(now, a.rest, 0) >= aloftRest || a.back >= aloftBack
}
