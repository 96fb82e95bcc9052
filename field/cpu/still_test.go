package cpu_test

import (
	"slices"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

// TestReleaseAfterStandstill holds a stimulus until the activation repeats bit
// for bit and then takes it away: a channel that stood still under an input has
// not come to rest, and the collapsed step must not skip it.
func TestReleaseAfterStandstill(t *testing.T) {
	tier.Alone(t, "one goroutine steps engines without workers")
	for _, tt := range []struct {
		name string
		why  string
		term field.Term
	}{
		{"stimulus", "a term that was there and is gone", field.At(60, 6, 20, 2)},
		{"coupling", "the source falls silent and its target must follow", field.At(59, 6, 20, 2)},
	} {
		p := field.Default()
		p.Couplings = []field.Coupling{{From: 59, To: 61, Weight: 6}}
		for _, isa := range cpu.ISAs() {
			t.Run(isa+"/"+tt.name, func(t *testing.T) {
				e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				in := field.Input{Quality: field.Full()}
				in.Add(tt.term)
				for in.Tick = range 3000 {
					if in.Tick == 2000 {
						in.NumTerms = 0
					}
					if _, err := e.Step(&in); err != nil {
						t.Fatal(err)
					}
				}
				u := make([]float32, field.Cells)
				for c := 59; c <= 61; c++ {
					e.Read(field.Section(c), u)
					if top := slices.Max(u); top > -4.9 {
						t.Errorf("channel %d is still at %.2f five seconds after its input went: %s", c, top, tt.why)
					}
				}
			})
		}
	}
}
