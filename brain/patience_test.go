package brain_test

import (
	"math"
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// ring is a closed line, on which a floor sensor repeats itself for longer than anything may
// stand on a line.
const ring = `
title = "Ring"
duration_s = 100
profile = "P1"
[start]
on_line = true
[world]
size = [5, 4]
walled = true
[world.floor]
tape = 750.0
[[world.floor.line]]
points = [[1, 0.8], [4, 0.8], [4.3, 1.1], [4.3, 2.9], [4, 3.2], [1, 3.2], [0.7, 2.9], [0.7, 1.1], [1, 0.8]]
width = 0.025
[brain]
cruise = 0.2
cliff = "on"
[[fault]]
kind = "frozen"
from_s = 5.0
until_s = 45.0
which = 1
`

// TestHeldIsNotPatience: a floor sensor that holds the car is nothing that stands on its line,
// and nothing that an order is given up for: the car waits, and goes on behind it.
func TestHeldIsNotPatience(t *testing.T) {
	tier.Compiled(t, "drives of a minute")
	for _, profile := range []string{"P0", "P1"} {
		sc, err := scenarios.Parse("ring.toml", []byte(strings.Replace(ring, "P1", profile, 1)))
		if err != nil {
			t.Fatal(err)
		}
		d := newTripIn(t, sc, 3, field.Default(), true)
		d.arm()
		e := d.give(brain.Order{Do: brain.DoLine}, 40)
		held := e.Way
		if e.Standing != brain.Waiting || held < 0.2 || held > 1.5 {
			t.Errorf("%s: held by a sensor: %v, %q, %.2f m", profile, e.Standing, e.Why, held)
		}
		d.wait(20)
		if e := d.brain.Remote().Status().Mission; e.Standing != brain.Underway || e.Way < held+1 {
			t.Errorf("%s: the sensor is back: %v, %q, %.2f m, %.2f before", profile, e.Standing, e.Why, e.Way, held)
		}
	}
}

// TestSlowIsSlow: strokes to and fro are no faster than the cruise speed, as far as the motors
// go so slowly.
func TestSlowIsSlow(t *testing.T) {
	tier.Compiled(t, "drives of a minute")
	sc, err := scenarios.Load("room-p0")
	if err != nil {
		t.Fatal(err)
	}
	d := newTripIn(t, sc, 4, field.Default(), false)
	if err := d.brain.Set(brain.Setting{Parameter: brain.ParameterCruise, Value: 0.05}); err != nil {
		t.Fatal(err)
	}
	d.arm()
	fastest, back := 0.0, 0.0
	d.after(func() {
		_, _, speed := d.truth()
		fastest, back = math.Max(fastest, math.Abs(speed)), math.Min(back, speed)
	})
	if d.wait(100); fastest > 0.09 || back > -0.05 {
		t.Errorf("up to %.3f m/s, backwards up to %.3f: want 0.08 for strokes, and strokes", fastest, back)
	}
}
