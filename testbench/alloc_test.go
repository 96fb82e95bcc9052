package testbench

import (
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/scenarios"
)

// The bench's own step allocates nothing: world, plant, HAT, scheduler,
// recorder and beacon over seconds of driving. The sonar sampler is a plain one
// here, so that the figure is the bench's and not the driver's. (This test is
// inside the package because it puts its sampler in the driver's place.)
func TestStepDoesNotAllocate(t *testing.T) {
	sc, err := scenarios.Load("goal")
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRig(sc, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	sonar := r.Board.Wire().Sonars[0]
	edge := new(picarx.Edge)
	edges := 0
	r.actors[sonarActor] = actor{run: func(now time.Duration) time.Duration {
		for sonar.Echo.Next(edge) {
			edges++
		}
		if high, _ := sonar.Echo.Level(); !high {
			_ = sonar.Trigger.Set(true)
			r.clock.SleepUntil(now + 10*time.Microsecond)
			_ = sonar.Trigger.Set(false)
		}
		return now + 40*time.Millisecond
	}}
	tick, err := Noise(r.Vehicle(DefaultPeriod))
	if err != nil {
		t.Fatal(err)
	}
	var s robot.State
	r.Drive(DefaultPeriod, func(now time.Duration) { r.Body().Sense(&s); tick(now) })
	r.AdvanceTo(time.Second) // bring-up may allocate
	next := time.Second
	n := testing.AllocsPerRun(10, func() {
		next += time.Second
		r.AdvanceTo(next)
	})
	if n != 0 {
		t.Errorf("%v allocations per virtual second of 200 ticks", n)
	}
	if edges < 100 || r.recorder.ticks < 2000 {
		t.Errorf("only %d edges and %d ticks: the test drove too little", edges, r.recorder.ticks)
	}
}
