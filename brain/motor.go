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
	l.slew += exact.Clip(math.Copysign(most, gap)-l.slew, -k, k)
	l.speed += float64(l.slew * dt)
	return l.speed
}

// wheels bounds the wanted steering angle and its rate, as the reflexes do, so
// that every change they make is a reflex's and none repairs an oversight here.
type wheels struct{ angle float64 }

func (w *wheels) step(to, limit, rate, dt float64) float64 {
	d := float64(rate * dt)
	w.angle += exact.Clip(exact.Clip(to, -limit, limit)-w.angle, -d, d)
	return w.angle
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
	return exact.Clip(-exact.Atan2(cameraHeight, field.Range(bin)), tiltDown, tiltUp)
}
