package pilots

import (
	"math"
	"time"
)

// A window is the dynamic window approach (Fox, Burgard and Thrun, The dynamic
// window approach to collision avoidance, IEEE Robotics and Automation Magazine
// 4(1), 1997, doi 10.1109/100.580977) over the arcs of a steered car: among the
// speeds and steering angles that can be reached, and from which it can still
// stop, it takes the one that is best in
//
//	Heading (1 - |angle to the target after Predict s|/pi) + Clear dist + Fast v/cruise
//
// Its target is a point on A*'s way, as today's users of the approach give it.
type window struct {
	windowParams
	nav  *navigator
	next time.Duration
	last wish
}

// windowParams are the numbers of a window.
type windowParams struct {
	Heading float64
	Clear   float64
	Fast    float64
	Predict float64 // s
	Carrot  float64 // m along the way
	Brake   float64 // m/s2, for admissible speeds
	Margin  float64 // m
	Forget  float64 // s
	Trust   float64 // m that it drives onto ground not seen
}

func (p *windowParams) knobs() []knob {
	return []knob{
		{"heading", &p.Heading, 0.2, 4},
		{"clear", &p.Clear, 0, 2},
		{"fast", &p.Fast, 0, 2},
		{"predict_s", &p.Predict, 0.3, 2},
		{"carrot_m", &p.Carrot, 0.2, 1},
		{"brake_mps2", &p.Brake, 0.1, 1.5},
		{"margin_m", &p.Margin, -0.01, 0.08},
		{"forget_s", &p.Forget, 0.2, 4},
		{"trust_m", &p.Trust, 0.1, 1.5},
	}
}

func (p *windowParams) seat(v *view) driver {
	v.keepGrid(p.Forget)
	return &window{windowParams: *p, nav: newNavigator(v.grid, p.Margin)}
}

const (
	decideEvery = 50 * time.Millisecond
	windowArcs  = 17  // steering angles
	windowPaces = 4   // speeds
	windowSight = 0.8 // m of arc that is looked at
	speedRate   = 1.4 // m/s2, of the reflexes' ramp
)

func (d *window) drive(v *view) wish {
	d.nav.watch(v)
	d.nav.plan(v)
	if v.now < d.next {
		return d.last
	}
	d.next = v.now + decideEvery
	v.grid.measure(v.grid.around(v.pose.point, 1.2))
	target := d.nav.carrot(v, d.Carrot)
	d.last = d.best(v, target)
	return d.last
}

// best tries the window. Steering angles lie within what the servo reaches in a
// quarter of a second, speeds within what the ramp does.
func (d *window) best(v *view, target point) wish {
	const reach = 0.25 // s
	low := max(v.steering-float64(servoRate*reach), -v.lock)
	high := min(v.steering+float64(servoRate*reach), v.lock)
	choice := wish{trapped: true, steering: math.Copysign(v.lock, v.pose.bearing(target))}
	value := math.Inf(-1)
	for i := range windowArcs {
		angle := low + float64((high-low)*float64(i)/(windowArcs-1))
		k := v.curvature(angle)
		open := v.open(k, windowSight, min(d.Margin, 0.01), d.Trust)
		for j := range windowPaces {
			speed := float64(v.cruise * float64(j+1) / windowPaces)
			if math.Abs(speed-v.speed) > float64(speedRate*reach) || speed > math.Sqrt(float64(2*d.Brake*max(open-0.04, 0))) {
				continue
			}
			end := v.pose.roll(min(float64(speed*d.Predict), open), k)
			turn := math.Abs(end.bearing(target))
			if end.body().minus(target).norm() < 0.06 {
				turn = 0
			}
			g := float64(d.Heading*(1-turn/math.Pi)) + float64(d.Clear*open/windowSight) + float64(d.Fast*speed/v.cruise)
			if g > value {
				value, choice = g, wish{speed: speed, steering: angle}
			}
		}
	}
	return choice
}
