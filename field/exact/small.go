package exact

// SmallTurn rotates a unit vector by a small angle, at most 0.4 rad: within 1e-6 of the
// true place.
func SmallTurn(c, s, a float32) (float32, float32) {
	q := float32(a * a)
	sin := float32(a * (1 - float32(float32(q*(1.0/6))*(1-float32(q*(1.0/20))))))
	cos := 1 - float32(float32(0.5*q)*(1-float32(float32(q*(1.0/12))*(1-float32(q*(1.0/30))))))
	return float32(c*cos) - float32(s*sin), float32(s*cos) + float32(c*sin)
}

// SmallTan is the tangent of at most 0.6 rad, within 2e-5.
func SmallTan(a float32) float32 {
	q := float32(a * a)
	p := float32(q*(1382.0/155925)) + 62.0/2835
	p = float32(q*p) + 17.0/315
	p = float32(q*p) + 2.0/15
	p = float32(q*p) + 1.0/3
	return a + float32(float32(a*q)*p)
}
