package main

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/testbench"
	"fieldbrain/testbench/suite"
)

// TestB13Exploration drives the room for 300 s with the planner, without it, and
// by both baselines: with it the car covers more floor than any of the others, at
// least 0.45 of it and 1.1 times the vendor's rule, and touches no more than B1
// allows. Four seeds, or with FIELDBRAIN_FULL=1 twenty; -short drives one seed for
// 120 s, which shows that plans change the drive and that it is one, not what is
// gained: single runs differ by more than that.
func TestB13Exploration(t *testing.T) {
	seeds, length := 4, 300*time.Second
	switch {
	case fullSuite():
		seeds = 20
	case testing.Short():
		seeds, length = 1, 120*time.Second
		t.Log("-short: one seed for 120 s, which says nothing of the gain")
	default:
		t.Log("four seeds; FIELDBRAIN_FULL=1 drives twenty")
	}
	plain, planning := daemon.DefaultConfig(), daemon.DefaultConfig()
	plain.Brain.Explore, planning.Brain.Explore = false, true
	o := testbench.Options{Length: length}
	drivers := []suite.Driver{
		contestant(planning, "brain", o), contestant(plain, "brain", o), contestant(plain, "vendor", o), contestant(plain, "noise", o),
	}
	names := []string{"planner", "no planner", "vendor", "white noise"}
	results := driveRoom(t, drivers, seeds)
	var cover, touch [4]float64
	for d := range drivers {
		for _, r := range results[d] {
			cover[d] += r.Coverage / float64(seeds)
			touch[d] += float64(r.Collisions) * 120 / r.Seconds / float64(seeds)
		}
		t.Logf("%-11s coverage %.3f, %.2f contacts in 120 s", names[d], cover[d], touch[d])
	}
	if testing.Short() && !fullSuite() {
		if cover[0] == cover[1] || cover[0] < 2*cover[3] {
			t.Errorf("with the planner %.3f of the floor, without it %.3f, at random %.3f", cover[0], cover[1], cover[3])
		}
		return
	}
	if cover[0] <= cover[1] {
		t.Errorf("with the planner %.3f of the floor, without it %.3f", cover[0], cover[1])
	}
	if cover[0] < 0.45 || cover[0] < 1.1*cover[2] || cover[0] < 1.1*cover[3] {
		t.Errorf("coverage %.3f, want 0.45 and 1.1 times the baselines' %.3f and %.3f", cover[0], cover[2], cover[3])
	}
	if touch[0] > 0.2 {
		t.Errorf("%.2f contacts in 120 s, B1 allows 0.2", touch[0])
	}
}

// driveRoom runs every driver with every seed.
func driveRoom(t *testing.T, drivers []suite.Driver, seeds int) [][]*testbench.Result {
	t.Helper()
	results := make([][]*testbench.Result, len(drivers))
	for d := range results {
		results[d] = make([]*testbench.Result, seeds)
	}
	room := loadScenario(t, "room")
	jobs := make(chan [2]int)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for j := range jobs {
				r, err := drivers[j[0]].Run(room, uint64(j[1]+1))
				if err != nil {
					t.Error(err)
					r = &testbench.Result{Seconds: 1}
				}
				results[j[0]][j[1]] = r
			}
		})
	}
	for d := range drivers {
		for s := range seeds {
			jobs <- [2]int{d, s}
		}
	}
	close(jobs)
	workers.Wait()
	return results
}
