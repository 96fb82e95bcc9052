//go:build cgo && !cuda && linux && (amd64 || arm64)

package cpu

import (
	"fmt"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/testbench/tier"
)

// TestSubnormals steps with subnormal products and without them: the machine that runs
// the other tests computes in one of the two ways only.
func TestSubnormals(t *testing.T) {
	tier.Alone(t, "one goroutine steps engines without workers")
	ticks := tier.Count(t, "ticks", 20, 100, 1000)
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, set := range nativeISAs() {
			t.Run(fmt.Sprintf("%s/%s", set, step), func(t *testing.T) {
				var engines [2]*Engine
				var drives [2]*exercise.Sequence
				for i := range engines {
					e, err := New(field.Default(), Options{ISA: set, Threads: 1, Step: step})
					if err != nil {
						t.Fatal(err)
					}
					defer e.Close()
					e.backend.(nativeBackend).kernel.Subnormals(i == 1)
					engines[i], drives[i] = e, exercise.New(11)
				}
				for tick := range tier.Fewer(t, "ticks", ticks, 10) {
					for i, e := range engines {
						if _, err := e.Step(drives[i].Next()); err != nil {
							t.Fatal(err)
						}
					}
					if tick%10 != 9 {
						continue
					}
					if a, b := field.Hash(engines[0]), field.Hash(engines[1]); a != b {
						t.Fatalf("tick %d: field %#x with subnormal products, %#x without", tick, a, b)
					}
				}
			})
		}
	}
}
