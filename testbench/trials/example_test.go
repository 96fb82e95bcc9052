package trials_test

import (
	"context"
	"fmt"

	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/trials"
)

// The vendor's rule in two rooms of the train set.
func Example() {
	vendor := trials.Pilot{Name: "vendor", Drive: func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) (*testbench.Result, error) {
		return testbench.Run(sc, seed, testbench.Vendor, testbench.Options{Map: m})
	}}
	roster := &trials.Roster{
		Families: []string{"room"}, Profiles: []plant.Profile{plant.P0}, Worlds: 2,
		Set: family.Train, Pilots: []trials.Pilot{vendor}, Workers: 1,
	}
	journal, err := trials.Resume(nil, trials.Program{Sum: "example"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := trials.Run(context.Background(), roster, journal)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Drives, "drives, covered some floor:", report.Profiles[0].Sums[0].Coverage > 0.1)
	// Output: 2 drives, covered some floor: true
}
