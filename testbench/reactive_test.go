package testbench_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
)

// TestReactiveIsAnHonestBaseline: the driver that the field is compared with is a
// good one. It holds every limit of the worlds that its sensors are enough for.
func TestReactiveIsAnHonestBaseline(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	names := []string{"deadend", "goal", "cliff", "room", "corridor", "line"}
	for _, name := range names[:tier.Count(t, "worlds", 3, 6, 6)] {
		for seed := uint64(11); seed <= 12; seed++ { // not among those that are judged
			r := run(t, load(t, name), seed, testbench.Reactive, 0)
			for _, v := range r.Verdicts {
				holds := name == "cliff" && v.Metric == "standing_s"        // without a memory it trembles at the edge
				holds = holds || v.Metric == "coverage" && v.Over == "mean" // one drive is no mean
				holds = holds || name == "room" && v.Metric == "circling_s" // nor does it know that it has been there
				if !v.Pass && !holds {
					t.Errorf("%s seed %d: %v\n%s", name, seed, v, r.Summary())
				}
			}
		}
	}
}

// TestReactiveMirrors: it prefers no side. In a mirrored corridor it drives the
// mirrored way, as far as the sensors' noise lets it.
func TestReactiveMirrors(t *testing.T) {
	final := func(side float64) float64 {
		sc := load(t, "corridor")
		sc.Start.Y, sc.Start.SpreadY, sc.Start.SpreadHeading = 0.4+side*0.1, 0, 0
		sc.Car.RangeNoise, sc.Car.DropOut = 0, 0
		r := run(t, sc, 1, testbench.Reactive, 3*time.Second)
		return r.Track.Trail[len(r.Track.Trail)-1].Pose.At.Y - 0.4
	}
	left, right := final(1), final(-1)
	if math.Abs(left+right) > 0.01 {
		t.Errorf("started 0.1 m left it is at %.3f m, started right at %.3f m", left, right)
	}
	if math.Abs(left) > 0.06 {
		t.Errorf("still %.3f m from the middle after 3 s", left)
	}
}

// TestLift: a car that somebody carries stands at its new place, unhurt, and
// drives on from there.
func TestLift(t *testing.T) {
	rig, err := testbench.NewRig(load(t, "room"), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	tick, err := testbench.Vendor(rig.Vehicle(testbench.DefaultPeriod))
	if err != nil {
		t.Fatal(err)
	}
	rig.Drive(testbench.DefaultPeriod, tick)
	rig.AdvanceTo(5 * time.Second)
	to := plant.Pose{At: world.Vec{X: 0.6, Y: 1.5}, Heading: 1}
	rig.Lift(to)
	var odometer float64
	rig.Truth(func(c *plant.Car, _ *world.World) {
		if c.Pose != to || c.Speed != 0 || c.Contact || c.Gap < 0.2 {
			t.Errorf("lifted to %+v: at %+v with %v m/s, contact %v, gap %v", to, c.Pose, c.Speed, c.Contact, c.Gap)
		}
		odometer = c.Odometer
	})
	rig.AdvanceTo(7 * time.Second)
	rig.Truth(func(c *plant.Car, _ *world.World) {
		if d := c.Odometer - odometer; d < 0.2 || c.At.Sub(to.At).Norm() > d+1e-6 {
			t.Errorf("drove %.2f m and is %.2f m from where it was put", d, c.At.Sub(to.At).Norm())
		}
	})
}
