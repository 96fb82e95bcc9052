package env

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// A Cause says how an episode ended.
type Cause uint8

// The causes. Only Time truncates; all others terminate.
const (
	Running Cause = iota // it has not
	Contact              // the body touched something
	Fall                 // a wheel is past the edge of a table
	Lost                 // the line was too far away for too long
	Arrived              // at the goal
	Time                 // Options.Limit steps are over
)

// String returns the cause in a word.
func (c Cause) String() string {
	list := [...]string{"running", "contact", "fall", "lost", "arrived", "time"}
	if int(c) < len(list) {
		return list[c]
	}
	return "unknown"
}

// What the tasks' rewards are made of.
const (
	rope     = 1.0  // m, behind which avoid draws the place that earns
	onLine   = 0.05 // m from the line within which way forward earns
	lostTime = 3.0  // s that the line may be farther than that
	arrival  = 1.0  // for the goal
	ball     = 0.1  // m, the beacon's width
	penalty  = 1.0  // for a contact, a fall and a lost line
)

// judge returns the reward of a step and how the episode ends with it.
func (e *Env) judge(i int, c *car, p *place, t *vector.Truth) (reward float64, cause Cause) {
	face := world.Vec{}
	if e.options.Task != Avoid || len(p.world.Floor.Table) > 0 {
		face = world.Unit(t.Heading)
	}
	switch e.options.Task {
	case Avoid:
		reward = c.draw(t.At)
	case Goal:
		reward, cause = e.nearer(c, p, t, face)
	case Line:
		reward, cause = e.along(c, p, t, face)
	case Explore:
		reward = e.enter(i, p, p.body(t.At, face))
	}
	switch {
	case e.fleet.Episode(i).Contacts > 0:
		return reward - penalty, Contact
	case p.falls(t.At, face):
		return reward - penalty, Fall
	case cause == Lost:
		return reward - penalty, Lost
	case cause == Arrived:
		return reward + arrival, Arrived
	}
	return reward, Running
}

// body returns the middle of the body's disc.
func (p *place) body(at, face world.Vec) world.Vec { return at.Add(face.Scale(p.car.BodyAhead)) }

// draw pulls the end of the rope and returns how far it came, in m.
func (c *car) draw(at world.Vec) float64 {
	d := at.Sub(c.tail)
	n := d.Norm()
	if n <= rope {
		return 0
	}
	c.tail = c.tail.Add(d.Scale((n - rope) / n))
	return n - rope
}

// nearer returns how much less way is left to the goal than before, in m, and
// whether the car is there. It looks at the beacon.
func (e *Env) nearer(c *car, p *place, t *vector.Truth, face world.Vec) (float64, Cause) {
	body := p.body(t.At, face)
	left, known := p.way.Left(body)
	if !known {
		left = c.left
	}
	did := c.left - left
	c.left = left
	if distance := e.look(c, p, body, t.Heading); distance <= p.radius {
		return did, Arrived
	}
	return did, Running
}

// look takes what the camera says about the beacon, as plant.Car.Beacon has it, and
// returns how far that truly is, in m.
func (e *Env) look(c *car, p *place, body world.Vec, heading float64) (distance float64) {
	d := p.world.Goal.Sub(body)
	distance = d.Norm()
	noisy := c.beacon.Normal()
	bearing := exact.Wrap(exact.Atan2(d.Y, d.X) - heading)
	c.bearing, c.nearness = 0, 0
	if math.Abs(bearing) <= p.car.BeaconField {
		c.bearing = float32(exact.Wrap(bearing + float64(p.car.BeaconNoise*noisy)))
		c.nearness = float32(min(1, ball/max(distance, ball)))
	}
	return distance
}

// along returns how far the bar of floor sensors came along the line, in m: backwards
// wherever it is, forwards only near the line.
func (e *Env) along(c *car, p *place, t *vector.Truth, face world.Vec) (float64, Cause) {
	last := c.footing
	c.footing = p.route.follow(last, t.At.Add(face.Scale(p.car.FloorAhead)), e.reach)
	did := p.route.between(last.along, c.footing.along)
	if c.footing.away2 <= onLine*onLine {
		c.away = 0
		return did, Running
	}
	c.away++
	if float64(float64(c.away)*float64(e.options.Hold)) >= lostTime*1000 {
		return min(did, 0), Lost
	}
	return min(did, 0), Running
}

// enter returns the area of the cell that holds a point, in m2, when the car had not
// been there.
func (e *Env) enter(i int, p *place, q world.Vec) float64 {
	k, inside := p.cellAt(q)
	if !inside {
		return 0
	}
	word, bit := &e.seen[i*e.words+k/64], uint64(1)<<(k%64)
	if *word&bit != 0 {
		return 0
	}
	*word |= bit
	return cell * cell
}
