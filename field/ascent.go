package field

import (
	"math"
	"time"

	"fieldbrain/field/exact"
)

// An Ascent moves an operating point up the gradient of a field's smoothed
// output along one axis (B.5.4). For a frozen output the potential
//
//	Phi(op) = sum_i f_i exp(-d_i^2 / 2 s^2),   d_i = coordinate_i - op
//
// never decreases, so the point comes to rest on a peak without limit cycles.
type Ascent struct {
	Coordinate [Side]float64 // of each bin: rad for X, throttle for Y
	Period     float64       // circumference of a periodic axis, or 0
	Width      float64       // s, width of the smoothing
	Gain       float64       // lambda, 1/s
	Rate       float64       // largest speed of the operating point, per second
	Low, High  float64       // operating range
	Relax      time.Duration // tau towards 0 when there is no peak; 0 stays
	Silent     float64       // output below which there is no peak, in cells
}

// HeadingAscent returns the ascent of the steering decision: s = 45 deg,
// lambda = 12 /s, at most 6 rad/s, within +-100 deg, back to 0 with 0.3 s.
func HeadingAscent() Ascent {
	const deg = math.Pi / 180
	a := Ascent{
		Period: 2 * math.Pi, Width: 45 * deg, Gain: 12, Rate: 6,
		Low: -100 * deg, High: 100 * deg, Relax: 300 * ms, Silent: 0.3,
	}
	for x := range a.Coordinate {
		a.Coordinate[x] = Bearing(float64(x))
	}
	return a
}

// SpeedAscent returns the ascent of the speed decision: s = 0.5 throttle,
// lambda = 10 /s, within -1..1.
func SpeedAscent() Ascent {
	a := Ascent{Width: 0.5, Gain: 10, Rate: 6, Low: -1, High: 1, Relax: 300 * ms, Silent: 0.3}
	for y := range a.Coordinate {
		a.Coordinate[y] = Throttle(float64(y))
	}
	return a
}

// GazeAscent returns the ascent of the gaze: lambda = 6 /s along the bearing.
func GazeAscent() Ascent {
	a := HeadingAscent()
	a.Gain = 6
	return a
}

// distance returns coordinate_i - op, around the circle on a periodic axis.
func (a *Ascent) distance(i int, op float64) float64 {
	d := a.Coordinate[i] - op
	if a.Period != 0 {
		d -= float64(a.Period * math.Floor(float64(d/a.Period)+0.5))
	}
	return d
}

// Gradient returns the derivative of the smoothed output at op, as a weighted
// reduction that never materialises it:
//
//	g = sum_i f_i d_i exp(-d_i^2 / 2 s^2) / max(1, sum_i f_i)
func (a *Ascent) Gradient(f *[Side]int32, op float64) float64 {
	sum, mass := 0.0, 0.0
	k := -1 / (2 * float64(a.Width*a.Width))
	for i, q := range f {
		if q == 0 {
			continue
		}
		v := float64(float64(q) / One)
		d := a.distance(i, op)
		mass += v
		sum += float64(float64(v*d) * exact.Exp(float64(float64(d*d)*k)))
	}
	return sum / max(1, mass)
}

// Potential returns Phi(op).
func (a *Ascent) Potential(f *[Side]int32, op float64) float64 {
	sum := 0.0
	k := -1 / (2 * float64(a.Width*a.Width))
	for i, q := range f {
		d := a.distance(i, op)
		sum += float64(float64(q) / One * exact.Exp(float64(float64(d*d)*k)))
	}
	return sum
}

// Step returns the operating point after dt: up the gradient where there is a
// peak, back to 0 where the field is silent.
func (a *Ascent) Step(m *[Side]int32, op float64, dt time.Duration) float64 {
	total := int64(0)
	for _, q := range m {
		total += int64(q)
	}
	if float64(total)/One <= a.Silent {
		if a.Relax > 0 {
			op -= float64(op * Alpha(dt, a.Relax))
		}
		return op
	}
	v := min(max(float64(a.Gain*a.Gradient(m, op)), -a.Rate), a.Rate)
	return min(max(op+float64(v*dt.Seconds()), a.Low), a.High)
}
