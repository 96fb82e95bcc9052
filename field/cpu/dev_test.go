package cpu_test

import (
	"testing"
	"time"
	"fmt"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

func input(rnd *uint32, in *field.Input) {
	next := func() float32 { *rnd = field.Mix(*rnd + 0x9E3779B9); return float32(*rnd>>8) / (1 << 24) }
	in.NumTerms = 0
	for c := 0; c < 64; c++ {
		in.Add(field.Term{Channel: c, A: next()*8 - 1, Centre: [3]float32{next() * 32, next() * 32, next() * 32}, Sigma: [3]float32{2, 2, 2}})
	}
	in.Forward = next() * 0.002
	in.Turn = (next() - 0.5) * 0.01
	in.NumBeams = 3
	for i := range 3 {
		in.Beams[i] = field.Beam{Bearing: next()*2 - 1, Range: next() * 3, HalfWidth: 0.2}
	}
	in.Edges = [3]bool{next() > 0.9, false, next() > 0.9}
	in.Drive = field.Drive{Goal: next(), GoalWeight: next(), Line: next(), LineWeight: next(), Side: 1, Memory: next()}
}

func TestDev(t *testing.T) {
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, isa := range cpu.ISAs() {
			for _, th := range []int{1, 2} {
				e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: th, Step: step})
				if err != nil {
					t.Fatal(err)
				}
				in := field.Input{Quality: field.Full()}
				rnd := uint32(7)
				n := 30
				t0 := time.Now()
				for i := range n {
					in.Tick = uint64(i)
					if i%7 == 0 { input(&rnd, &in) }
					e.Step(&in)
				}
				d := time.Since(t0)
				fmt.Printf("%s %.3f ms/tick hash %016x\n", e.Name(), d.Seconds()*1000/float64(n), field.Hash(e))
				e.Close()
			}
		}
	}
}
