package vector_test

import (
	"testing"

	"fieldbrain/testbench/vector"
)

// TestSample: a car that stands at its start knows nothing yet; after a sample it
// does, on every engine the same, and it samples on at the same steps.
func TestSample(t *testing.T) {
	for _, isa := range vector.ISAs() {
		f, twin := mixed(t, 24, isa), mixed(t, 24, isa)
		blind := f.Read(21)
		f.Sample(21)
		if seen := f.Read(21); blind.Range[0] != -1 || seen == blind || seen.Floor[0] == 0 {
			t.Errorf("%s: before %v, after %v", isa, blind, seen)
		}
		if f.Read(20) != twin.Read(20) || f.Truth(21).Pose != twin.Truth(21).Pose {
			t.Errorf("%s: a sample moves a car or wakes another", isa)
		}
		changed := 0
		for range 2 * vector.PingSteps {
			before, other := f.Read(21), twin.Read(21)
			f.Step(1)
			twin.Step(1)
			now := f.Read(21)
			if (now.Floor != before.Floor) != (twin.Read(21).Floor != other.Floor) {
				t.Fatalf("%s: the floor is read at other steps", isa)
			}
			if now.Range != before.Range {
				changed++
			}
			if f.Truth(20) != twin.Truth(20) {
				t.Fatalf("%s: another car drives otherwise", isa)
			}
		}
		if changed > 2 {
			t.Errorf("%s: the sonars pinged %d times in 80 ms", isa, changed)
		}
	}
}
