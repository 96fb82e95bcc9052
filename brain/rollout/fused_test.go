package rollout

import (
	"testing"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/tier"
)

func TestNothingIsFused(t *testing.T) {
	tier.Heavy(t, "compiles for arm64")
	at, err := exact.Fused("fieldbrain/brain/rollout")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range at {
		t.Errorf("fused multiply-add at %s: wrap the product in float32(...)", p)
	}
}
