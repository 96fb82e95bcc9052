package hat_test

import (
	"testing"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/tier"
)

func TestEqualBitsEverywhere(t *testing.T) {
	tier.Heavy(t, "compiles for arm64")
	found, err := exact.Fused("fieldbrain/testbench/hat")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 0 {
		t.Errorf("fused multiply-adds at %v", found)
	}
}
