package drive_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/suite"
	"fieldbrain/testbench/tier"
)

// TestB13Exploration drives the room for 300 s with the planner, without it, and
// by both baselines: with it the car covers more floor than any of the others, at
// least 0.45 of it and 1.1 times the vendor's rule, and touches no more than B1
// allows. Single runs differ by more than that.
func TestB13Exploration(t *testing.T) {
	tier.Heavy(t, "four drives of 300 s")
	seeds, length := tier.Count(t, "seeds", 1, 1, 20), 300*time.Second
	plain, planning := config.Default(), config.Default()
	plain.Brain.Explore, planning.Brain.Explore = false, true
	o := testbench.Options{Length: length}
	drivers := []suite.Driver{
		drive.Contestant(planning, "brain", o), drive.Contestant(plain, "brain", o), drive.Contestant(plain, "vendor", o), drive.Contestant(plain, "noise", o),
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
	room := cartest.Scenario(t, "room")
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
