package testbench

import (
	"fmt"
	"math"

	"fieldbrain/robot"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A FallRecord says how the car fell, and whether the car's geometry would have let
// it know better.
type FallRecord struct {
	Slant    float64 `json:"slant_deg"`         // between the way it went and square on to the edge
	Backward bool    `json:"backward"`          // it went backwards
	Warned   bool    `json:"warned"`            // a floor sensor was past the edge in the second before, in time to stop
	Notice   float64 `json:"notice_s"`          // since when one was, 0 where none was
	Met      bool    `json:"met"`               // a floor sensor had been past that side of the table before, in time to stop
	Hidden   bool    `json:"hidden"`            // neither, and it came forwards: no sensor of this car can have told in time
	Since    float64 `json:"since_s,omitempty"` // since a sensor was last past that side
	Away     float64 `json:"away_m,omitempty"`  // from the nearest place where one was
}

// String says it to a person.
func (r *FallRecord) String() string {
	way := "forwards"
	if r.Backward {
		way = "backwards"
	}
	why := ""
	switch {
	case r.Hidden && r.Notice > 0:
		why = fmt.Sprintf("a sensor saw it %.0f ms before, too late to stop", 1000*r.Notice)
	case r.Hidden:
		why = "no sensor of this car can have told"
	case r.Warned:
		why = fmt.Sprintf("a sensor had seen it %.0f ms before", 1000*r.Notice)
	case r.Met:
		why = fmt.Sprintf("a sensor had been past that side, %.2f m from there", r.Away)
	case r.Backward:
		why = "nothing looks there"
	}
	return fmt.Sprintf("%s, %.0f deg aslant: %s", way, r.Slant, why)
}

// Two places belong to one side of a table where the line along the edge at the one
// passes the other as near as sideNear, as nearly parallel as sideTurn.
const (
	sideNear = 0.03                 // m
	sideTurn = 15 * (math.Pi / 180) // rad
	maxMet   = 512                  // places: 15 m of edge
)

// A brink is a place at the edge, and which way is out.
type brink struct {
	at, out world.Vec
	first   float64 // s, when a sensor was there first
	when    float64 // s, when one was there last
}

// brinkAt returns the edge's place nearest to a point.
func brinkAt(f *world.Floor, p world.Vec) (b brink) {
	least := math.Inf(1)
	for i, a := range f.Table {
		to := f.Table[(i+1)%len(f.Table)]
		if d := (world.Segment{A: a, B: to}).Distance(p); d < least {
			least = d
			along := to.Sub(a).Scale(1 / to.Sub(a).Norm())
			b.out = world.Vec{X: along.Y, Y: -along.X}
			b.at = a.Add(along.Scale(along.Dot(p.Sub(a))))
		}
	}
	if f.Past(b.at.Add(b.out.Scale(-sideNear / 10))) { // the corners run clockwise
		b.out = b.out.Scale(-1)
	}
	return b
}

// same reports whether two places belong to one side.
func (b *brink) same(o *brink) bool {
	return math.Abs(b.out.Dot(o.at.Sub(b.at))) <= sideNear && b.out.Dot(o.out) >= math.Cos(sideTurn)
}

// meet notes where the floor sensors are past the edge.
func (m *recorder) meet(c *plant.Car) {
	floor := &m.rig.world.Floor
	for sensor := range robot.NumFloor {
		if p := c.FloorPlace(sensor); floor.Past(p) {
			b := brinkAt(floor, p)
			b.when = (c.Now - m.rig.start).Seconds()
			b.first = b.when
			m.brinks = noted(m.brinks, b)
		}
	}
}

// noted adds a place at the edge, or the time at which a sensor was there again: however
// long a drive takes, its list holds every side.
func noted(list []brink, b brink) []brink {
	for i := range list {
		if o := &list[i]; o.same(&b) && b.at.Sub(o.at).Norm() <= sideNear {
			o.when = b.when
			return list
		}
	}
	if len(list) == maxMet {
		return list
	}
	return append(list, b)
}

// explain says how the car fell with a wheel at a place.
func (m *recorder) explain(c *plant.Car, wheel world.Vec) *FallRecord {
	here := brinkAt(&m.rig.world.Floor, wheel)
	way, now := world.Unit(c.Heading), (c.Now - m.rig.start).Seconds()
	r := &FallRecord{Backward: c.Speed < 0, Warned: !m.unwarned, Notice: m.edge.notice(c.Now).Seconds()}
	if r.Backward {
		way = way.Scale(-1)
	}
	r.Slant = math.Acos(min(max(way.Dot(here.out), -1), 1)) * (180 / math.Pi)
	for i := range m.brinks {
		if b := &m.brinks[i]; here.same(b) && now-b.first >= enough(c).Seconds() {
			if away := b.at.Sub(here.at).Norm(); !r.Met || away < r.Away {
				r.Away = away
			}
			since := now - b.when
			if !r.Met || since < r.Since {
				r.Since = since
			}
			r.Met = true
		}
	}
	r.Hidden = !r.Backward && !r.Warned && !r.Met
	return r
}
