package safety

import (
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// carried is the floor that has lately been under the car: its four wheels stood at
// the corners of every rectangle kept here, so that what lies between them carries.
// Places are reckoned from what motors and servo were told, with their lags.
type carried struct {
	speed, steering float32 // m/s, rad; where they have got to
	x, y, turn      float32 // m, m, rad, from anywhere
	way             float32 // m since the newest
	bend            float32 // rad since
	places          [carriedMost]stood
	top, n          int
}

// A stood is where the rear axle was, and its heading.
type stood struct{ x, y, cos, sin float32 }

const (
	carriedMost = 120
	carriedStep = 0.015 // m between two of them
	carriedBend = 0.10  // rad: 6 mm at a rear wheel
	carriedSlip = 0.010 // m that a place may lie outside of a rectangle
)

// forget begins anew where the car is: it stands there.
func (g *carried) forget() { *g = carried{} }

// follow moves on by one tick. edge says that the floor ends under the bar: then the
// wheels stand, and the places count as others do.
func (g *carried) follow(s *robot.State, p *Params) {
	dt := seconds(p.Period)
	told := min(max(orZero(s.CommandedSpeed), -p.Limits.Speed), p.Limits.Speed)
	g.speed += float32(min(dt/seconds(p.Cliff.Lag), 1) * (told - g.speed))
	angle := min(max(orZero(s.CommandedSteering), -p.Limits.Steering), p.Limits.Steering)
	g.steering = towards(g.steering, angle, float32(p.Cliff.ServoRate*dt))
	way := float32(g.speed * dt)
	bend := float32(way*float32(exact.Tan(float64(g.steering)))) / p.Cliff.Wheelbase
	mid := float64(g.turn + float32(0.5*bend))
	g.x += float32(way * float32(exact.Cos(mid)))
	g.y += float32(way * float32(exact.Sin(mid)))
	g.turn = float32(exact.Wrap(float64(g.turn + bend)))
	g.way += max(way, -way)
	g.bend += max(bend, -bend)
	if g.n == 0 || g.way >= carriedStep || g.bend >= carriedBend {
		g.way, g.bend = 0, 0
		g.top = (g.top + 1) % carriedMost
		g.places[g.top] = stood{g.x, g.y, float32(exact.Cos(float64(g.turn))), float32(exact.Sin(float64(g.turn)))}
		g.n = min(g.n+1, carriedMost)
	}
}

// holds reports whether a place some metres ahead of the rear axle and left of it has
// been under the car.
func (g *carried) holds(ahead, left float32, p *Params) bool {
	cos, sin := float32(exact.Cos(float64(g.turn))), float32(exact.Sin(float64(g.turn)))
	x := g.x + float32(ahead*cos) - float32(left*sin)
	y := g.y + float32(ahead*sin) + float32(left*cos)
	half, long := float32(0.5*p.Cliff.Track)+carriedSlip, p.Cliff.Wheelbase+carriedSlip
	for i := range g.n {
		at := &g.places[(g.top+carriedMost-i)%carriedMost]
		dx, dy := x-at.x, y-at.y
		along, across := float32(dx*at.cos)+float32(dy*at.sin), float32(dy*at.cos)-float32(dx*at.sin)
		if along >= -carriedSlip && along <= long && across >= -half && across <= half {
			return true
		}
	}
	return false
}

// Stopping backwards: the way of the motors' lag and of two ticks, and some.
const (
	backTime, backLeast = 0.16, 0.012            // s, m
	backLag             = 120 * time.Millisecond // in backTime
	backPeriod          = 5 * time.Millisecond
)

// behind reports whether both rear wheels stay on that floor when the car backs with
// the wheels at an angle, for as long as it takes to stop.
func (g *carried) behind(steering float32, p *Params) bool {
	late := seconds(max(2*(p.Period-backPeriod), 0) + max(p.Cliff.Lag-backLag, 0))
	reach := float32(max(-g.speed, 0)*(backTime+late)) + backLeast
	k := float32(exact.Tan(float64(steering))) / p.Cliff.Wheelbase
	half := float32(0.5 * p.Cliff.Track)
	for i := range 2 {
		d := float32(reach * float32(i+1) * 0.5)
		a := float32(-d * k) // rad turned
		x, y := -d, float32(0.5*float32(d*float32(d*k)))
		c, s := float32(exact.Cos(float64(a))), float32(exact.Sin(float64(a)))
		if !g.holds(x-float32(half*s), y+float32(half*c), p) || !g.holds(x+float32(half*s), y-float32(half*c), p) {
			return false
		}
	}
	return true
}
