package testbench_test

import (
	"testing"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

func TestVendorDrivesTheRoom(t *testing.T) {
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		began := time.Now()
		r, err := testbench.Run(sc, seed+1, testbench.Vendor, testbench.Options{Length: 60 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(began), "\n", r.Summary())
	}
}
