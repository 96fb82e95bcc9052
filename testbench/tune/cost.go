package tune

import (
	"fieldbrain/testbench"
	"fieldbrain/testbench/trials"
)

// Cost judges one drive of length seconds; 0 is a drive that could not be better,
// and about 8 one that could not be worse. The worth of a drive to a goal or out
// of a region is a half for the arrival and a half for the least time that the
// world allows over the time it took; without an arrival it is half of the share
// of the way that is behind it. The worth of any other drive is the share of the
// coverage that the true map allows.
func Cost(r *testbench.Result, length float64) float64 {
	cost := float64(min(r.Collisions, 3)) + 3*float64(min(r.Falls, 1))
	cost += float64(2 * (1 - worth(r)))
	return cost + min((r.Standing+r.Circling)/length, 1)
}

// RecordCost is Cost of a drive of package trials, over the length that it might take.
func RecordCost(r *trials.Record) float64 { return Cost(result(r), r.Length) }

// result returns of a record what Cost reads.
func result(r *trials.Record) *testbench.Result {
	return &testbench.Result{
		Collisions: r.Contacts, Falls: r.Falls, Standing: r.Standing, Circling: r.Circling,
		Goal: r.Arrived, Least: r.Least, Progress: r.Progress, Oracle: &r.Oracle,
	}
}

func worth(r *testbench.Result) float64 {
	took := r.Goal
	if took == nil {
		took = r.Exit
	}
	switch {
	case took != nil && r.Least != nil:
		return 0.5 + min(0.5**r.Least/max(*took, 0.1), 0.5)
	case took != nil:
		return 0.75 // a way that nobody measured
	case r.Progress != nil:
		return 0.5 * min(max(*r.Progress, 0), 1)
	case r.Oracle != nil:
		return min(max(*r.Oracle, 0), 1)
	}
	return 0
}
