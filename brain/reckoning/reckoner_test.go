package reckoning_test

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/reckoning"
	"fieldbrain/field/exact"
)

const deg = math.Pi / 180

// TestFrame: x is ahead and y to the left at the start, wherever the car
// looks later; a goal's bearing is from the car's own heading.
func TestFrame(t *testing.T) {
	var o reckoning.Reckoner
	for range 400 {
		o.Update(0.5*0.005, 0) // 1 m ahead
	}
	for range 400 {
		o.Update(0.1*0.005, math.Pi/4*0.005) // a quarter turn to the left
	}
	p := o.Fix()
	if math.Abs(p.Heading-math.Pi/2) > 1e-9 || p.X < 1 || p.X > 1.2 || p.Y < 0.05 || p.Y > 0.3 {
		t.Errorf("after 1 m and a turn to the left: %+v", p)
	}
	bearing, distance := p.Toward(p.X, p.Y+2)
	if math.Abs(bearing) > 1e-9 || math.Abs(distance-2) > 1e-9 {
		t.Errorf("2 m farther to the left of the start: %v rad, %v m, want straight ahead", bearing, distance)
	}
	if bearing, _ = p.Toward(p.X+1, p.Y); math.Abs(bearing+math.Pi/2) > 1e-9 {
		t.Errorf("1 m farther ahead at the start: %v rad, want to the right", bearing)
	}
}

// TestDoubt: the doubt grows with way and with turns, and driving back the
// way one came takes back what the unknown shares of speed and turn did.
func TestDoubt(t *testing.T) {
	var straight reckoning.Reckoner
	last := 0.0
	for range 10 {
		for range 200 {
			straight.Update(0.3*0.005, 0)
		}
		p := straight.Fix()
		if p.Off <= last || p.Off < 0.05*p.X {
			t.Fatalf("after %.1f m: off by %.3f m, %.3f before", p.X, p.Off, last)
		}
		last = p.Off
	}
	out := straight.Fix().Off
	for range 2000 {
		straight.Update(-0.3*0.005, 0)
	}
	if home := straight.Fix(); home.Off > 0.75*out || math.Abs(home.X) > 1e-9 {
		t.Errorf("back home: off by %.3f m, %.3f m away from it", home.Off, out)
	}
	var curved reckoning.Reckoner
	for range 2000 {
		curved.Update(0.3*0.005, 1*0.005)
	}
	if p := curved.Fix(); p.Astray < 0.08*10*0.99 {
		t.Errorf("after turning by 10 rad the heading is off by %.3f rad only", p.Astray)
	}
}

// TestRetract: what the wheels turned in vain is taken back in the frame of the
// start as in the odometry's, which begins elsewhere, and leaves doubt.
func TestRetract(t *testing.T) {
	var o reckoning.Reckoner
	x, y, turn := 3.0, -2.0, 2.0
	axle := func() ground.Pose { return ground.Pose{X: float32(x), Y: float32(y), Heading: float32(turn)} }
	drive := func(way, bend float64) {
		for range 200 {
			sin, cos := math.Sincos(turn + bend/2)
			x, y, turn = x+way*cos, y+way*sin, turn+bend
			o.Update(way, bend)
		}
	}
	drive(0.3*0.005, 0.4*0.005)
	want, from := o.Fix(), axle()
	drive(0.2*0.005, 0.9*0.005) // against something
	o.Retract(axle(), from)
	got := o.Fix()
	if math.Abs(got.X-want.X) > 1e-6 || math.Abs(got.Y-want.Y) > 1e-6 || math.Abs(exact.Wrap(got.Heading-want.Heading)) > 1e-6 {
		t.Errorf("%+v after a way in vain, want %+v", got, want)
	}
	if got.Off < want.Off+0.04 || got.Astray < 4*deg {
		t.Errorf("off by %.3f m and %.3f rad, %.3f m and %.3f rad before: 0.2 m in vain leave more doubt", got.Off, got.Astray, want.Off, want.Astray)
	}
	if o.Retract(from, from); o.Fix() != got {
		t.Error("nothing to take back changed it")
	}
}

// TestForget: a car that was carried is at its start, sure of it, and has driven as far as before.
func TestForget(t *testing.T) {
	var o reckoning.Reckoner
	for range 200 {
		o.Update(-0.005, 0.01)
	}
	o.Forget()
	if o.Fix() != (reckoning.Fix{}) || math.Abs(o.Way()-1) > 1e-9 {
		t.Errorf("at %+v after %.2f m, want the start after 1 m", o.Fix(), o.Way())
	}
}
