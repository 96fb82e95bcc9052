package drive_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench"
	"fieldbrain/testbench/heap"
	"fieldbrain/testbench/tier"
)

// TestOneRun: the same seconds in the room on every engine: every instruction
// set, one and two threads, both steps. All end with the same hash of the field
// and the same hash of the way driven.
func TestOneRun(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc := cartest.Scenario(t, "room")
	length := time.Duration(tier.Count(t, "seconds", 2, 5, 5)) * time.Second
	run := func(t *testing.T, e config.Engine) (field, way string) {
		t.Helper()
		settings := config.Default()
		settings.Engine = e
		r, err := drive.Contestant(settings, "brain", testbench.Options{Length: length}).Run(sc, 7)
		if err != nil {
			t.Fatal(err)
		}
		return r.FieldHash, r.Trajectory
	}
	field, way := run(t, config.Engine{Kind: cpu.PureGo, Threads: 1, Step: "collapsed"})
	isas := cpu.ISAs()
	for _, isa := range isas {
		for _, step := range []string{"collapsed", "dense"} {
			for _, threads := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s/%s/%d", isa, step, threads), func(t *testing.T) {
					if step == "dense" { // field/cpu compares it over 1,000 ticks of random input
						tier.Heavy(t, "the dense step")
					}
					if step == "dense" && (isa == cpu.PureGo || isa == "sse" || threads == 2) {
						tier.Long(t, "the dense step on the slower engines")
					}
					f, w := run(t, config.Engine{Kind: isa, Threads: threads, Step: step})
					if f != field || w != way {
						t.Errorf("field %s, way %s; want %s, %s", f, w, field, way)
					}
				})
			}
		}
	}
}

// TestSideBySide: two drives at once share nothing that either writes, and each
// goes the way that it goes alone.
func TestSideBySide(t *testing.T) {
	sc := cartest.Scenario(t, "room")
	var ways [3]string
	run := func(i int) {
		r, err := drive.Contestant(config.Default(), "brain", testbench.Options{Length: 2 * time.Second}).Run(sc, 7)
		if err != nil {
			t.Error(err)
			return
		}
		ways[i] = r.FieldHash + r.Trajectory
	}
	var both sync.WaitGroup
	both.Go(func() { run(0) })
	both.Go(func() { run(1) })
	both.Wait()
	if run(2); ways[0] != ways[2] || ways[1] != ways[2] {
		t.Errorf("side by side %q, alone %q", ways[:2], ways[2])
	}
}

// TestNoAllocations drives up to 10^5 ticks at full quality and counts the allocations
// of the whole program meanwhile: brain, engine, driver and bench together.
func TestNoAllocations(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	ticks := tier.Count(t, "ticks", 3_000, 20_000, 100_000)
	r := cartest.NewRide(t, "room", 7, nil)
	const warmUp = 10 * time.Second // bring-up, first echoes, arming
	r.Rig.AdvanceTo(warmUp / 2)
	if !r.Armed {
		t.Fatal("never armed")
	}
	drive := func(until time.Duration) func() { return func() { r.Rig.AdvanceTo(until) } }
	if n := heap.Allocations(drive(warmUp), drive(warmUp+time.Duration(ticks)*testbench.DefaultPeriod)); n != 0 {
		t.Errorf("%d allocations in %d ticks", n, ticks)
	}
	if result := r.Rig.Result(); result.Distance < float64(ticks)*0.0005 {
		t.Errorf("drove only %.1f m: the test looked at a standing car", result.Distance)
	}
}
