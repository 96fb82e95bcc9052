package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// strip is floor that has carried the car: the way it came and went back on.
func strip(x, y float64) bool { return x >= -0.3 && x <= 0.4 && math.Abs(y) <= 0.0685 }

// TestTurnsRoundOnATable: back from an edge the car turns round in strokes, each longer
// than what counts as standing, ends those backwards by itself while its rear wheels
// are on floor that has carried it, and comes no farther than it went back.
func TestTurnsRoundOnATable(t *testing.T) {
	const dt, lag, half = 0.005, 0.12, 0.0585
	for _, to := range []float64{180 * deg, -170 * deg, 130 * deg} {
		l := law()
		s := here(floor(t, 1))
		s.Dt, s.AimWeight, s.Sides = dt, 1, true
		x, y, h, v := 0.0, 0.0, 0.0, 0.0
		at := func(ahead, left float32) (px, py float64) {
			a, b := float64(ahead), float64(left)
			return x + a*math.Cos(h) - b*math.Sin(h), y + a*math.Sin(h) + b*math.Cos(h)
		}
		s.Carried = func(ahead, left float32) bool {
			px, py := at(ahead, left)
			return strip(px, py)
		}
		ax, ay, stood, longest, i := x, y, 0.0, 0.0, 0
		for ; i < 3000; i++ {
			s.Pose, s.Speed = ground.Pose{X: float32(x), Y: float32(y), Heading: float32(h)}, v
			s.Aim = math.Remainder(to-h, 2*math.Pi)
			s.Heading = s.Aim
			o := l.Decide(s)
			if !l.Active() && i > 0 {
				break
			}
			s.Wheels += exact.Clip(o.Steering-s.Wheels, -5.2*dt, 5.2*dt)
			v += (o.Speed - v) * dt / lag
			h = math.Remainder(h+v*dt*math.Tan(s.Wheels)/0.094, 2*math.Pi)
			x, y = x+v*dt*math.Cos(h), y+v*dt*math.Sin(h)
			if stood += dt; math.Hypot(x-ax, y-ay) > 0.05 {
				ax, ay, stood = x, y, 0
			}
			longest = max(longest, stood)
			if v < -0.01 && (!s.Carried(0, half-0.01) || !s.Carried(0, 0.01-half)) {
				t.Fatalf("to %.0f deg: a rear wheel at %.2f, %.2f m leaves the floor that carried the car", to/deg, x, y)
			}
			if nx, _ := at(0.095, 0); nx > 0.27 {
				t.Fatalf("to %.0f deg: its nose is %.2f m ahead", to/deg, nx)
			}
		}
		if rest := math.Abs(math.Remainder(to-h, 2*math.Pi)); rest > roundUntil || float64(i)*dt > 12 || longest >= 2 {
			t.Errorf("to %.0f deg: %.0f deg are left after %.1f s; stood %.1f s at most", to/deg, rest/deg, float64(i)*dt, longest)
		}
	}
}

// TestGoesBackBeforeItTurns: where it is to go back first it does so on the way it came;
// between two blocked strokes it turns to the other side.
func TestGoesBackBeforeItTurns(t *testing.T) {
	l := law()
	s := here(floor(t, 1))
	s.AimWeight, s.Sides, s.Carried = 1, true, func(float32, float32) bool { return true }
	for x := float32(0); x < 0.5; x += 0.01 { // it comes
		s.Pose, s.Speed = ground.Pose{X: x}, 0.1
		l.Decide(s)
	}
	s.Aim, s.Heading, s.Back, s.Speed = 90*deg, 90*deg, 0.2, 0
	if o := l.Decide(s); !l.Active() || o.Speed >= 0 || math.Abs(o.Steering) > 1e-6 {
		t.Errorf("%+v, active %v: want straight back", o, l.Active())
	}
	var u turn
	for _, ahead := range []bool{true, false} {
		for m := range move(moves) {
			if m%3 == 1 {
				continue
			}
			u.move = m
			was := u.spin()
			if u.otherSide(ahead); u.spin() != -was || (u.move.gear() > 0) != ahead {
				t.Errorf("move %d, ahead %v: the other side is move %d", m, ahead, u.move)
			}
		}
	}
}
