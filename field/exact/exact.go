package exact

import "math"

const (
	ln2Hi = 6.93147180369123816490e-01 // high 33 bits of ln 2
	ln2Lo = 1.90821492927058770002e-10 // the rest

	halfPiHi = 1.57079632673412561417e+00 // high 33 bits of pi/2
	halfPiLo = 6.07710050650619224932e-11 // the rest
)

// expTerms are 1/n! for n = 13 down to 0.
var expTerms = [...]float64{
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
	1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1,
}

// Exp returns e**x for |x| <= 700. Below -700 it returns 0, above 700 +Inf.
func Exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	if x > 700 {
		return math.Inf(1)
	}
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := float64(x-float64(k*ln2Hi)) - float64(k*ln2Lo)
	p := 0.0
	for _, c := range expTerms { // Taylor series in Horner form, |r| <= 0.35
		p = float64(p*r) + c
	}
	return math.Float64frombits(math.Float64bits(p) + uint64(int64(k))<<52) // p 2^k, a normal number
}

// Log returns the natural logarithm of a positive, normal x.
func Log(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1) // |s| <= 0.172: log m = 2 atanh s
	s2 := s * s
	p := 0.0
	for n := 23.0; n >= 3; n -= 2 {
		p = float64(s2*p) + 1/n
	}
	k := float64(e)
	return float64(k*ln2Hi) + (float64(2*s) + (float64(float64(2*s)*float64(s2*p)) + float64(k*ln2Lo)))
}

// Sin returns the sine of x radians for |x| <= 1e5.
func Sin(x float64) float64 { return quadrant(x, 0) }

// Cos returns the cosine of x radians for |x| <= 1e5.
func Cos(x float64) float64 { return quadrant(x, 1) }

// Tan returns the tangent of x radians for |x| <= 1e5.
func Tan(x float64) float64 { return Sin(x) / Cos(x) }

// quadrant returns sin(x + shift pi/2) by reduction to |r| <= pi/4.
func quadrant(x float64, shift int) float64 {
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := float64(x-float64(k*halfPiHi)) - float64(k*halfPiLo)
	q := (int(k) + shift) & 3
	r2 := float64(r * r)
	p, n := 1.0, 17.0 // sine: r (1 - r2/(2 3) (1 - r2/(4 5) (...)))
	if q&1 == 1 {
		n = 18 // cosine: 1 - r2/(1 2) (1 - r2/(3 4) (...))
	}
	for ; n >= 2; n -= 2 {
		p = 1 - float64(float64(r2/float64(n*(n-1)))*p)
	}
	if q&1 == 0 {
		p *= r
	}
	if q >= 2 {
		return -p
	}
	return p
}

// Atan2 returns the angle of the point (x, y) in (-pi, pi]. Atan2(0, 0) is 0.
func Atan2(y, x float64) float64 {
	if x == 0 && y == 0 {
		return 0
	}
	if math.Abs(y) > math.Abs(x) {
		if y > 0 {
			return math.Pi/2 - atan(x/y)
		}
		return -math.Pi/2 - atan(x/y)
	}
	a := atan(y / x)
	if x > 0 {
		return a
	}
	if y >= 0 {
		return a + math.Pi
	}
	return a - math.Pi
}

// atan returns the arc tangent of |t| <= 1 by halving the angle three times.
func atan(t float64) float64 {
	for range 3 {
		t /= 1 + math.Sqrt(1+float64(t*t))
	}
	t2 := float64(t * t)
	p := 0.0
	for n := 21.0; n >= 1; n -= 2 { // alternating series, |t| <= 0.0985
		p = 1/n - float64(t2*p)
	}
	return float64(8 * t * p)
}

// Hypot returns the length of (x, y) for values whose squares do not overflow.
func Hypot(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// Wrap returns the angle a, in radians, brought into [-pi, pi).
func Wrap(a float64) float64 {
	return a - float64(2*math.Pi*math.Floor(float64((a+math.Pi)/(2*math.Pi))))
}

// WrapQuarter returns the angle a, in radians, brought into [-pi/4, pi/4) by right angles.
func WrapQuarter(a float64) float64 {
	return a - float64(math.Pi/2*math.Floor(float64(a/(math.Pi/2))+0.5))
}

// Clip returns x within low..high; NaN stays what it is.
func Clip(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }
