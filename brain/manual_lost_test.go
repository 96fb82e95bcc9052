package brain_test

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/testbench/tier"
)

// TestLostBeforeATick: a source that takes the wheel and is gone before any tick has heard
// it has taken it all the same: the car stands, and says who drove.
func TestLostBeforeATick(t *testing.T) {
	tier.Compiled(t, "a drive of some seconds")
	d := newTrip(t, empty, 1)
	d.arm()
	if err := d.brain.Go(brain.Order{Do: brain.DoExplore}); err != nil {
		t.Fatal(err)
	}
	d.wait(2)
	if _, _, v := d.truth(); v < 0.05 {
		t.Fatalf("%.3f m/s by order", v)
	}
	d.say(0, 0)
	d.brain.Remote().Steer(brain.ManualInput{Driver: brain.DriverLost, Source: brain.Source{'p', 'a', 'd'}})
	d.wait(0.5)
	if _, _, v := d.truth(); v > standing || d.brain.DriverState().Driver != brain.DriverLost || d.brain.DriverState().Source.String() != "pad" {
		t.Errorf("%.3f m/s, %+v", v, d.brain.DriverState())
	}
}

// TestOrderFromSilence: an order that comes in the tick in which a silent source loses the
// wheel is carried out.
func TestOrderFromSilence(t *testing.T) {
	tier.Compiled(t, "a drive of some seconds")
	d := newTrip(t, empty, 1)
	d.arm()
	d.person(0.5, 0, 0.5)
	done := make(chan error, 1)
	go func() { done <- d.brain.Remote().Go(brain.Order{Do: brain.DoExplore}) }()
	for !d.brain.Asked() { // it waits for the next tick
		time.Sleep(50 * time.Microsecond)
	}
	d.brain.Remote().Steer(brain.ManualInput{Driver: brain.DriverLost})
	d.wait(3)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, _, v := d.truth(); v < 0.05 || d.brain.DriverState().Driver != brain.DriverBrain {
		t.Errorf("%.3f m/s, %v three seconds after an order", v, d.brain.DriverState().Driver)
	}
}
