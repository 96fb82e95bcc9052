package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench"
)

// TestOneRun: the same five seconds in the room, whatever computes the field:
// every instruction set, one and two threads, both steps. Equal are the hash of
// the field and that of the way driven.
func TestOneRun(t *testing.T) {
	sc := loadScenario(t, "room")
	run := func(t *testing.T, e daemon.EngineConfig) (field, way string) {
		t.Helper()
		config := daemon.DefaultConfig()
		config.Engine = e
		d := newSimulated(config)
		d.crowded = true
		r, err := d.virtual(sc, 7, "brain", testbench.Options{Length: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return r.FieldHash, r.Trajectory
	}
	field, way := run(t, daemon.EngineConfig{Kind: cpu.PureGo, Threads: 1, Step: "collapsed"})
	isas := cpu.ISAs()
	for _, isa := range isas {
		for _, step := range []string{"collapsed", "dense"} {
			for _, threads := range []int{1, 2} {
				name := fmt.Sprintf("%s/%s/%d", isa, step, threads)
				// The slow ones are compared over 1,000 ticks of random input
				// in field/cpu anyway.
				if slow := step == "dense" && (isa == cpu.PureGo || isa == "sse" || threads == 2 || testing.Short()); slow && !fullSuite() {
					t.Logf("%s left out: FIELDBRAIN_FULL=1 runs it", name)
					continue
				}
				t.Run(name, func(t *testing.T) {
					f, w := run(t, daemon.EngineConfig{Kind: isa, Threads: threads, Step: step})
					if f != field || w != way {
						t.Errorf("field %s, way %s; want %s, %s", f, w, field, way)
					}
				})
			}
		}
	}
}

// spareOSThreads leaves n idle OS threads behind. The runtime starts another one
// whenever a C call lasts, and that costs seven allocations that are nobody's.
func spareOSThreads(n int) {
	var started, ended sync.WaitGroup
	release := make(chan struct{})
	started.Add(n)
	for range n {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			started.Done()
			<-release
		})
	}
	started.Wait()
	close(release)
	ended.Wait()
}

// TestNoAllocations drives 10^5 ticks at full quality and counts what the whole
// program allocated meanwhile: brain, engine, driver and bench together.
func TestNoAllocations(t *testing.T) {
	ticks := 100_000
	if testing.Short() {
		ticks = 5_000
		t.Logf("-short: %d ticks", ticks)
	}
	r := newRide(t, "room", 7, nil)
	const warmUp = 10 * time.Second // bring-up, first echoes, arming
	r.rig.AdvanceTo(warmUp / 2)
	if !r.armed {
		t.Fatal("never armed")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	spareOSThreads(16)
	r.rig.AdvanceTo(warmUp) // meanwhile what earlier tests left behind is finalised
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.rig.AdvanceTo(warmUp + time.Duration(ticks)*testbench.DefaultPeriod)
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n != 0 {
		t.Errorf("%d allocations, %d bytes, in %d ticks", n, after.TotalAlloc-before.TotalAlloc, ticks)
	}
	if result := r.rig.Result(); result.Distance < float64(ticks)*0.0005 {
		t.Errorf("drove only %.1f m: the test looked at a standing car", result.Distance)
	}
}
