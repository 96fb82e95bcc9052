package brain_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
)

// arm of the T-maze in which the car is, 1 left, -1 right, 0 neither.
func (d *trip) armOfMaze() (arm float64) {
	d.rig.Truth(func(c *plant.Car, _ *world.World) {
		if y := c.At.Y - 2.2; math.Abs(y) > 1 {
			arm = math.Copysign(1, y)
		}
	})
	return arm
}

// guide drives the car by hand through the stem and into an arm: towards a point 0.4 m
// on along the middle of both.
func (d *trip) guide(side float64) {
	for n := 0; d.armOfMaze() == 0 && n < 600; n++ {
		var turn float64
		d.rig.Truth(func(c *plant.Car, _ *world.World) {
			x, y := c.At.X+0.4, 2.2
			if c.At.X > 2.1 {
				x, y = 2.55, c.At.Y+0.4*side
			}
			turn = math.Remainder(math.Atan2(y-c.At.Y, x-c.At.X)-c.Heading, 2*math.Pi)
		})
		d.person(1, float32(max(min(turn/0.5, 1), -1)), word.Seconds())
	}
}

// lesson teaches a brain one arm by hand and label, then lets it drive and returns the
// arm that it took.
func lesson(t *testing.T, seed uint64, side float64, label float32) (arm float64) {
	t.Helper()
	sc, err := scenarios.Load("tmaze")
	if err != nil {
		t.Fatal(err)
	}
	f := field.Default()
	f.Recall = field.DefaultLibrary()
	d := newTripIn(t, sc, seed, f, false)
	d.arm()
	home := func() {
		d.brain.Disarm()
		_, begin, err := sc.Build(seed)
		if err != nil {
			t.Fatal(err)
		}
		d.rig.Lift(begin)
		d.wait(3)
		if err := d.brain.Arm(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		d.guide(side)
		if d.armOfMaze() != side {
			t.Fatalf("seed %d: the person did not get to the arm", seed)
		}
		d.brain.Remote().Outcome(label)
		d.wait(0.1)
		home()
	}
	d.brain.Remote().Steer(brain.ManualInput{Driver: brain.DriverBrain})
	for range 45 * int(time.Second/word) {
		if d.wait(word.Seconds()); d.armOfMaze() != 0 {
			break
		}
	}
	return d.armOfMaze()
}

// TestLabelsTeach: a brain that was driven into one arm of a T-maze and told that it was
// good goes there by itself, into either; one that was told that it was bad goes to
// the other. Of six lessons five are learned at least; a coin would learn three.
func TestLabelsTeach(t *testing.T) {
	tier.Compiled(t, "drives of some minutes")
	lessons, wrong := 0, 0
	sides := []float64{1, -1}[:tier.Count(t, "sides", 1, 2, 2)]
	for seed := range uint64(tier.Count(t, "seeds", 3, 3, 6)) {
		for _, side := range sides {
			for label, want := range map[float32]float64{1: side, -1: -side} {
				lessons++
				if arm := lesson(t, seed+1, side, label); arm != want {
					wrong++
					t.Logf("seed %d: shown %+g with label %+g, it went to %+g", seed, side, label, arm)
				}
			}
		}
	}
	if 6*wrong > lessons {
		t.Errorf("%d of %d lessons were not learned", wrong, lessons)
	}
}
