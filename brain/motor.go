package brain

import (
	"math"

	"fieldbrain/field"
	"fieldbrain/field/exact"
)

// limiter bounds the slew of the wanted speed and the change of that slew;
// reflexes come after it.
type limiter struct{ speed, slew float64 }

// The largest slew of the wanted speed, m/s per second, and its largest change,
// m/s per second twice.
const (
	slew = 1.2
	jerk = 18
)

// step moves the speed towards a wanted one. It slews no faster than it can stop
// slewing before it is there: slews s, s-k, s-2k .. of dt each, k = jerk dt, cover
// at most
//
//	s (s+k) / (2 jerk) + k dt/8 <= |to - speed|
func (l *limiter) step(to, dt float64) float64 {
	gap, k := to-l.speed, float64(jerk*dt)
	way := math.Abs(gap)
	rest := max(way-float64(k*dt/8), 0)
	most := math.Sqrt(float64(k*k/4)+float64(2*jerk*rest)) - float64(k/2)
	most = min(max(most, min(k, way/dt)), slew)
	l.slew += clip(math.Copysign(most, gap)-l.slew, -k, k)
	l.speed += float64(l.slew * dt)
	return l.speed
}

// wheels bounds the wanted steering angle and its rate, as the reflexes do, so
// that what they change is what a reflex wants and not what the mind forgot.
type wheels struct{ angle float64 }

func (w *wheels) step(to, limit, rate, dt float64) float64 {
	d := float64(rate * dt)
	w.angle += clip(clip(to, -limit, limit)-w.angle, -d, d)
	return w.angle
}

// gazeRange returns the ascent along the ranges of GAZE, in bins: 6 /s, and where
// there is no peak it stays.
func gazeRange() field.Ascent {
	a := field.Ascent{Width: 4, Gain: 6, Rate: 40, Low: 3, High: 28, Silent: 0.3}
	for y := range a.Coordinate {
		a.Coordinate[y] = float64(y)
	}
	return a
}

// The camera looks from cameraHeight at the floor where the gaze is, within what
// its servo can.
const (
	cameraHeight = 0.10 // m
	tiltDown     = -35 * deg
	tiltUp       = 65 * deg
)

// tilt is the camera's elevation for a range of the gaze in bins (B.5.4).
func tilt(bin float64) float64 {
	return clip(-exact.Atan2(cameraHeight, field.Range(bin)), tiltDown, tiltUp)
}

// planned is the factor on the wanted speed that PLAN_SPEED asks for: a plan may
// slow the car down to half, never hasten it and never turn it round.
func planned(out *field.Output, p *Params) float64 {
	m := &out.Marginals[planSpeed]
	mass, sum := 0.0, 0.0
	for y, q := range m.Y {
		f := float64(float64(q) / field.One)
		mass += f
		sum += float64(f * field.Throttle(float64(y)))
	}
	if mass < 0.5 {
		return 1
	}
	wanted := clip(float64(sum/mass*float64(p.Top))/float64(p.Cruise), 0.5, 1)
	return 1 - float64(min(1, mass/5)*(1-wanted))
}
