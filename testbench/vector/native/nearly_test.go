//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"testing"

	"fieldbrain/field/isa"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector/native"
)

// TestNearly holds what is nearly right to half of the bounds that whoever uses it
// counts on; the other half is for roundings.
func TestNearly(t *testing.T) {
	n := tier.Count(t, "places", 200_000, 3_000_000, 30_000_000)
	for _, name := range isa.Names() {
		set, _ := isa.Find(name)
		units, normals := native.Of(set).Errors(n)
		if units == 0 || units > 0x1p-51 {
			t.Errorf("%v: sine or cosine off by %g, the bound is %g", set, units, 0x1p-51)
		}
		if normals == 0 || normals > 2.5e-7 {
			t.Errorf("%v: a normal number off by %g, the bound is %g", set, normals, 2.5e-7)
		}
	}
}
