package brain_test

import (
	"math"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// hungLine is a bend whose floor sensors hang for four seconds.
const hungLine = `
title = "Hung floor sensors"
duration_s = 20
[start]
on_line = true
[world]
size = [4, 3]
walled = false
[[world.floor.line]]
points = [[0.5, 0.5], [2.2, 0.5], [2.6, 0.6], [2.9, 0.8], [3.1, 1.1], [3.2, 1.5], [3.2, 2.8]]
width = 0.025
[brain]
cruise = 0.2
[[fault]]
kind = "frozen"
from_s = 8.0
until_s = 12.0
`

// TestLineWhoseSensorsHang: a car that follows a line stands while its floor sensors repeat
// themselves, also without cliff detection, says so, and goes on.
func TestLineWhoseSensorsHang(t *testing.T) {
	tier.Compiled(t, "a drive of 18 s")
	sc, err := scenarios.Parse("hung.toml", []byte(hungLine))
	if err != nil {
		t.Fatal(err)
	}
	d := newTripIn(t, sc, 1, field.Default(), false)
	d.arm()
	d.give(brain.Order{Do: brain.DoLine}, 10)
	x, y, speed := d.truth()
	if s := d.brain.Remote().Status(); math.Abs(speed) > 0.001 || s.Safety.Causes&safety.FrozenSensor == 0 {
		t.Errorf("2 s after they hang: %.3f m/s, %v", speed, s.Safety.Causes)
	}
	d.give(brain.Order{Do: brain.DoLine}, 7)
	if farX, farY, _ := d.truth(); math.Hypot(farX-x, farY-y) < 0.5 {
		t.Errorf("5 s after they live again it is %.2f m farther on", math.Hypot(farX-x, farY-y))
	}
	if s := d.brain.Remote().Status(); s.Safety.Causes&safety.FrozenSensor != 0 || s.Mode != brain.Following {
		t.Errorf("after that: %v, mode %v", s.Safety.Causes, s.Mode)
	}
}
