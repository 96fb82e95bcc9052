package plan_test

import (
	"testing"

	"fieldbrain/field/exact"
)

func TestNothingIsFused(t *testing.T) {
	at, err := exact.Fused("fieldbrain/brain/plan")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range at {
		t.Errorf("fused multiply-add at %s: wrap the product in float64(...)", p)
	}
}
