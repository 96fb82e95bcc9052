package cpu_test

import (
	"math/rand/v2"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// filled returns a library of 100 random patterns and a random context.
func filled(rng *rand.Rand) *field.Library {
	l := new(field.Library)
	l.Reset(new(field.Shelf))
	for i := range l.Z {
		l.Z[i] = float32(rng.NormFloat64() / 8)
		for k := range field.MaxPatterns {
			l.Context[i][k] = float32(rng.NormFloat64() / 8)
			l.Version[k] = 1
		}
	}
	return l
}

// TestMatchEqual: every instruction set sums in the order of the plain loop.
func TestMatchEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			var got, want [field.PatternRow]float32
			l := filled(rng)
			e.Cosines()(&l.Context, &l.Z, &got)
			field.Cosines(&l.Context, &l.Z, &want)
			if [field.MaxPatterns]float32(got[:]) != [field.MaxPatterns]float32(want[:]) {
				t.Fatalf("%s: cosines %v, want %v", isa, got, want)
			}
		}
		e.Close()
	}
}

// BenchmarkMatch is the match of 100 patterns: the cosines alone, and with the
// best three, their weights and the ageing.
func BenchmarkMatch(b *testing.B) {
	l := filled(rand.New(rand.NewPCG(1, 2)))
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: 1})
		if err != nil {
			b.Fatal(err)
		}
		c := new([field.PatternRow]float32)
		m := &field.Matcher{Cosines: e.Cosines()}
		b.Run(isa+"/cosines", func(b *testing.B) {
			for b.Loop() {
				m.Cosines(&l.Context, &l.Z, c)
			}
		})
		b.Run(isa+"/match", func(b *testing.B) {
			for b.Loop() {
				l.Match(m, 1, 3)
			}
		})
		e.Close()
	}
}
