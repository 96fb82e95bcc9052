package vector_test

import (
	"runtime"
	"testing"

	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
)

// TestCount: cars whose instructions are counted drive as others, and more steps are
// more instructions.
func TestCount(t *testing.T) {
	tier.Native(t, "no emulator traps")
	for _, isa := range vector.ISAs() {
		f, twin := mixed(t, 16, isa), mixed(t, 16, isa)
		few, _, ok := f.Count(1)
		if !ok {
			if isa != vector.Go && runtime.GOARCH == "amd64" {
				t.Errorf("%s is not counted", isa)
			}
			continue
		}
		many, wide, _ := f.Count(6)
		twin.Step(7)
		if f.Hash() != twin.Hash() {
			t.Errorf("%s: a fleet that is counted drives otherwise", isa)
		}
		if few < 100 || many < 3*few || wide >= many || wide < few {
			t.Errorf("%s: %d instructions in a step, %d in six, %d of them wide", isa, few, many, wide)
		}
		fused := map[bool]int{true: 2, false: 1}[isa == "sse"] // instructions of a product and a sum
		if n := f.Peak(10); n != 10*(8*fused+6) {
			t.Errorf("%s: %d vector instructions", isa, n)
		}
	}
}
