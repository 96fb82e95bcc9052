package pilots

import (
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// A task is what a driver is told: nothing of the world.
type task struct {
	cruise float64 // m/s, wanted on a free way
	lock   float64 // rad, largest steering angle
	axles  float64 // m, wheelbase
	face   float64 // m from the rear axle to the sonars' faces
	wanted bool    // it shall go to the beacon
	seed   uint64  // of a driver's own dice
}

// angle returns the steering angle that drives a curvature in 1/m, as far as
// the wheels turn.
func (t *task) angle(curvature float64) float64 {
	return min(max(exact.Atan2(float64(curvature*t.axles), 1), -t.lock), t.lock)
}

// A beam is what one range sector says.
type beam struct {
	r    float64 // m
	echo bool    // something is there; else nothing was heard up to r
	ok   bool    // the reading is fresh
}

// A beacon is where the goal is.
type beacon struct {
	known   bool
	bearing float64 // rad, as the receiver says now
	at      point   // in the driver's frame
	heard   time.Duration
}

// A view is all a driver knows in a tick.
type view struct {
	task
	now time.Duration
	odometer
	beams  [robot.NumSectors]beam
	goal   beacon
	grid   *grid         // nil for those who keep none
	forget time.Duration // in which the grid forgets a unit; 0 never
}

// keepGrid gives the view a map that forgets a unit every so many seconds.
func (v *view) keepGrid(forget float64) {
	v.grid, v.forget = newGrid(point{}), time.Duration(forget*float64(time.Second))
}

// A wish is what a driver wants, before the reflexes.
type wish struct {
	speed    float64 // m/s, negative is reverse
	steering float64 // rad, positive left
	trapped  bool    // it sees no way on: back out
}

// A driver decides, every tick, from its view alone.
type driver interface {
	drive(v *view) wish
}

const (
	oldest   = 250 * time.Millisecond // usable reading
	goalFar  = 3.0                    // m, assumed of a beacon whose size says nothing
	goalBlur = 0.15                   // share of a new sighting in the goal's place
	ballSize = 0.1                    // m at which the goal fills the receiver's view
)

// look takes over the newest readings; it reports which sectors are new.
func (v *view) look(s *robot.State, now time.Duration, last *[robot.NumSectors]time.Duration) (fresh [robot.NumSectors]bool) {
	v.now = now
	for i := range s.Range {
		r := &s.Range[i]
		v.beams[i] = beam{r: float64(r.Value), echo: !r.AtLeast, ok: r.Fresh(now, oldest)}
		if r.OK && r.At != last[i] {
			fresh[i], last[i] = true, r.At
		}
	}
	v.sight(&s.Target, now)
	return fresh
}

// sight keeps the goal's place: by its bearing, and its distance as far as its
// apparent size tells one.
func (v *view) sight(t *robot.Target, now time.Duration) {
	if !v.wanted || !t.Bearing.Fresh(now, oldest) || v.goal.known && t.Bearing.At == v.goal.heard {
		return
	}
	v.goal.heard = t.Bearing.At
	v.goal.bearing = float64(t.Bearing.Value)
	d := goalFar
	if size := float64(t.Size.Value); t.Size.OK && size > 0.005 {
		d = ballSize / size
	}
	at := v.pose.body().toward(v.heading+v.goal.bearing, d)
	if !v.goal.known {
		v.goal.known, v.goal.at = true, at
		return
	}
	v.goal.at.x += float64(goalBlur * (at.x - v.goal.at.x))
	v.goal.at.y += float64(goalBlur * (at.y - v.goal.at.y))
}

// ahead returns a beam's range, or horizon when it is not fresh.
func (v *view) ahead(sector int) float64 {
	if b := &v.beams[sector]; b.ok {
		return b.r
	}
	return horizon
}
