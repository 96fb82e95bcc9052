package cpu_test

import (
	"math/rand/v2"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// between returns the projection from a channel that stores the given axes, outermost
// first, planes of thick bins along Z, to one localised on others, and how many cells the
// source stores.
func between(stored []int, to [3]bool, thick int32) (p field.Projection, cells int) {
	p, cells = field.Projection{Thick: thick, Scale: 1}, 1
	var has [3]int32
	for i := len(stored) - 1; i >= 0; i-- {
		axis := stored[i]
		if has[axis] = field.Side; axis == 2 {
			has[axis] /= thick
		}
		p.Stride[axis] = int32(cells)
		cells *= int(has[axis])
	}
	for axis := range 3 {
		p.Extent[axis], p.Sum[axis] = 1, 1
		if to[axis] {
			p.Extent[axis] = field.Side
		} else if has[axis] > 0 {
			if p.Sum[axis] = has[axis]; axis == 2 {
				p.Scale = thick
			}
		}
	}
	return p, cells
}

// TestProject: the engine's projections are the plain ones, from every order in which a
// channel may be stored to all axes of a target that a plane holds.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	plain, fast := field.PlainLoops().Project, e.Prep().Loops.Project
	some := 0
	for _, stored := range [][]int{{}, {0}, {1}, {2}, {0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for to := range 7 { // not all three: a plane would not hold it
			for _, thick := range []int32{1, 2, 4} {
				p, cells := between(stored, [3]bool{to&1 != 0, to&2 != 0, to&4 != 0}, thick)
				outputs := make([]uint16, cells)
				for i := range outputs {
					if rng.IntN(60) == 0 { // few, or every sum is more than 1
						outputs[i] = uint16(rng.IntN(field.One + 1))
					}
				}
				var want, got [field.Plane]float32
				plain(&want, outputs, &p)
				fast(&got, outputs, &p)
				if want != got {
					t.Errorf("from %v to axes %03b, planes of %d: other bits", stored, to, thick)
				}
				for _, v := range want {
					if v > 0 && v < 1 {
						some++
					}
				}
			}
		}
	}
	if some < 10000 {
		t.Errorf("only %d cells were neither 0 nor 1", some)
	}
}

// BenchmarkProject is the projection of a whole cube onto its X and Y, as of a target
// that is seen, plain and the engine's.
func BenchmarkProject(b *testing.B) {
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	p, cells := between([]int{0, 1, 2}, [3]bool{true, true, false}, 1)
	outputs := make([]uint16, cells)
	for i := range outputs {
		outputs[i] = uint16(i % 5 * 100)
	}
	var dst [field.Plane]float32
	for name, f := range map[string]field.ProjectFunc{"plain": field.PlainLoops().Project, "engine": e.Prep().Loops.Project} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f(&dst, outputs, &p)
			}
		})
	}
}
