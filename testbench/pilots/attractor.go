package pilots

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
	"fieldbrain/testbench/noise"
)

// An attractor drives by the dynamics of its heading phi, without any field
// (Bicho, Mallet and Schoener, Target representation on an autonomous vehicle
// with low-level sensors, International Journal of Robotics Research 19(5),
// 2000, doi 10.1177/02783640022066950): every sensor i that sees d_i at theta_i
// repels, the target attracts,
//
//	dphi/dt = sum_i Strong exp(-d_i/Decay) (-theta_i) exp(-theta_i^2/(2 sigma_i^2))
//	          - Pull sin(phi - target) + noise
//	sigma_i = atan(tan(dtheta/2) + R/(R + d_i))
//	v       = min(cruise, d_front/Time)
//
// The paper's car has seven sensors, 30 degrees apart; these are read from the
// own grid, and from a beam where one looks there. Rates are in 1/s; the car's
// own turning rate is what the steering angle makes of them.
type attractor struct {
	attractorParams
	nav  *navigator
	dice noise.Stream
	push float64 // rad/s, the noise of this decision
	next time.Duration
	wish wish
}

// attractorParams are the numbers of an attractor.
type attractorParams struct {
	Strong float64 // 1/s, repulsion of a touching obstacle
	Decay  float64 // m
	Pull   float64 // rad/s of the target at 90 deg
	Noise  float64 // rad/s
	Time   float64 // s to an obstacle ahead
	Forget float64 // s
}

func (p *attractorParams) knobs() []knob {
	return []knob{
		{"strong_ps", &p.Strong, 2, 60},
		{"decay_m", &p.Decay, 0.05, 0.6},
		{"pull_rps", &p.Pull, 0.3, 5},
		{"noise_rps", &p.Noise, 0, 1},
		{"time_s", &p.Time, 0.3, 2.5},
		{"forget_s", &p.Forget, 0.2, 4},
	}
}

func (p *attractorParams) seat(v *view) driver {
	v.keepGrid(p.Forget)
	return &attractor{attractorParams: *p, nav: newNavigator(v.grid, 0.02), dice: noise.New(v.seed, "attractor")}
}

const (
	attractorEyes  = 7
	attractorApart = math.Pi / 6 // rad
	attractorFar   = 1.2         // m, what an eye sees at most
)

func (a *attractor) drive(v *view) wish {
	a.nav.watch(v)
	if v.now < a.next {
		return a.wish
	}
	a.next = v.now + decideEvery
	a.push = float64(a.Noise * a.dice.Normal())
	rate := a.push
	nearest := attractorFar
	for i := range attractorEyes {
		theta := float64((float64(i) - (attractorEyes-1)/2) * attractorApart)
		d := a.eye(v, theta)
		if math.Abs(theta) < 1.5*attractorApart {
			nearest = min(nearest, d)
		}
		width := exact.Atan2(exact.Tan(attractorApart/2)+bodyRadius/(bodyRadius+d), 1)
		strength := float64(a.Strong * exact.Exp(-d/a.Decay))
		rate -= float64(strength * theta * exact.Exp(-float64(theta*theta)/float64(2*width*width)))
	}
	if bearing, is := a.target(v); is {
		rate += float64(a.Pull * exact.Sin(bearing))
	}
	speed := min(max(nearest/a.Time, 0.25*v.cruise), v.cruise)
	// On a car the heading turns by driving: the rate is a curvature.
	a.wish = wish{speed: speed, steering: v.angle(rate / max(speed, 0.1)), trapped: a.eye(v, 0) < 0.05}
	return a.wish
}

// target is the bearing of what attracts.
func (a *attractor) target(v *view) (bearing float64, is bool) {
	if v.goal.known {
		return v.goal.bearing, true
	}
	found := a.nav.plan(v)
	return v.pose.bearing(a.nav.target), found
}

// eye returns the free way of the body at an angle from the heading, in m: from
// the grid, and from the beam that looks there.
func (a *attractor) eye(v *view, theta float64) float64 {
	from, d := v.pose.body(), 0.0
	for d < attractorFar {
		p := from.toward(v.heading+theta, d+bodyRadius)
		if v.grid.odds[v.grid.index(p)] >= solid {
			break
		}
		d += cell / 2
	}
	for i := range robot.NumSectors {
		b := &v.beams[i]
		if b.ok && b.echo && math.Abs(float64(robot.SectorBearing(i))-theta) < 0.1 {
			d = min(d, max(b.r-(bodyRadius+bodyAhead-v.face), 0))
		}
	}
	return d
}
