//go:build cgo && !cuda && linux && (amd64 || arm64)

package rollout

import (
	"fieldbrain/brain/rollout/native"
	"fieldbrain/field/isa"
)

// Both languages have the same sizes: arrays of different lengths do not compile.
var (
	_ [block]struct{}   = [native.Block]struct{}{}
	_ [cells]struct{}   = [native.Cells]struct{}{}
	_ [numbers]struct{} = [native.Numbers]struct{}{}
)

func nativeISAs() []string { return isa.Names() }

// vectors runs the loops in C++.
type vectors struct {
	isa native.ISA
	job native.Job
}

// newNative returns the engine in C++ of an instruction set, nil when it is not there.
func newNative(name string) engine {
	set, ok := isa.Find(name)
	if !ok {
		return nil
	}
	return &vectors{isa: native.Of(set)}
}

func (v *vectors) prepare(j *job) {
	n := j.numbers()
	v.job = native.NewJob(&n, j.seed, j.steps)
}

func (v *vectors) drive(p *Planner, first, last int) {
	v.isa.Drive(&v.job, p.chart[:], p.mean, p.costs, native.Blocks{First: first, Last: last})
}

func (v *vectors) gather(p *Planner, first, last int) {
	v.isa.Gather(&v.job, p.mean, p.weights, p.sums, native.Blocks{First: first, Last: last})
}
