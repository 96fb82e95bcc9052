package pilots

import (
	"math"
	"time"
)

// A pursuit follows the grid's way by regulated pure pursuit (Macenski, Singh,
// Martin and Gines, Regulated pure pursuit for robot path tracking, Autonomous
// Robots 47, 2023, doi 10.1007/s10514-023-10097-6), the way found by A*:
//
//	curvature = 2 left / distance^2   of the point lookahead m along the way
//	lookahead = Look + Lead v
//	speed     = cruise min(1, radius/Radius) min(1, room/Room)
//	            and what the free length s of the arc allows: clip((s - Stop)/Brake)
//
// Where the arc is blocked at every lookahead, or the way leads backwards without
// the room to turn, it backs out, as its users' recovery does.
type pursuit struct {
	pursuitParams
	nav  *navigator
	next time.Duration
	last wish
}

// pursuitParams are the numbers of a pursuit.
type pursuitParams struct {
	Look   float64 // m
	Lead   float64 // s
	Radius float64 // m of turning radius below which it slows down
	Room   float64 // m beside the body below which it slows down
	Stop   float64 // m of free arc at which it stands
	Brake  float64 // m beyond Stop from which it drives at full speed
	Margin float64 // m of room that the way keeps
	Forget float64 // s in which the grid forgets a unit
	Trust  float64 // m that it drives onto ground not seen
}

func (p *pursuitParams) knobs() []knob {
	return []knob{
		{"look_m", &p.Look, 0.10, 0.40},
		{"lead_s", &p.Lead, 0, 1},
		{"radius_m", &p.Radius, 0.05, 0.60},
		{"room_m", &p.Room, 0.005, 0.15},
		{"stop_m", &p.Stop, 0.03, 0.15},
		{"brake_m", &p.Brake, 0.10, 0.60},
		{"margin_m", &p.Margin, -0.01, 0.08},
		{"forget_s", &p.Forget, 0.2, 4},
		{"trust_m", &p.Trust, 0.1, 1.5},
	}
}

func (p *pursuitParams) seat(v *view) driver {
	v.keepGrid(p.Forget)
	return &pursuit{pursuitParams: *p, nav: newNavigator(v.grid, p.Margin)}
}

func (p *pursuit) drive(v *view) wish {
	p.nav.watch(v)
	p.nav.plan(v)
	if v.now < p.next {
		return p.last
	}
	p.next = v.now + decideEvery
	v.grid.measure(v.grid.around(v.pose.point, 1))
	look := p.Look + float64(p.Lead*math.Abs(v.speed))
	p.last = p.follow(v, p.nav.carrot(v, look))
	for range shorten {
		if !p.last.trapped {
			break
		}
		look *= 0.7
		p.last = p.follow(v, p.nav.carrot(v, look))
	}
	return p.last
}

// shorten is how often a blocked arc is tried again with a shorter lookahead.
const shorten = 3

// follow drives the arc to a point.
func (p *pursuit) follow(v *view, carrot point) wish {
	tight := v.curvature(v.lock)
	ahead, left := v.pose.local(carrot)
	k := math.Copysign(tight, left)
	if ahead > 0 {
		k = min(max(2*left/(float64(ahead*ahead)+float64(left*left)), -tight), tight)
	}
	open := v.open(k, 0.8, min(p.Margin, 0.01), p.Trust)
	if open <= p.Stop || ahead > 0 && open < min(carrot.minus(v.pose.point).norm()-0.03, p.Brake) {
		return wish{steering: math.Copysign(v.lock, left), trapped: true}
	}
	speed := min(max((open-p.Stop)/p.Brake, 0.15), 1)
	if k != 0 {
		speed = min(speed, max(1/(math.Abs(k)*p.Radius), 0.3))
	}
	if room := v.grid.gap(v.pose.body()); room < p.Room {
		speed = min(speed, max(room/p.Room, 0.3))
	}
	return wish{speed: speed * v.cruise, steering: v.angle(k)}
}
