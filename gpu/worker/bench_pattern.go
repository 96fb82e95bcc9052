//go:build cuda

package worker

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
)

const patternKey = 0x70617474

// fullLibrary is a library in which every place is taken, by contexts of length 1
// in all directions, and that has seen situations enough to tell them apart.
func fullLibrary(shelf *field.Shelf) *field.Library {
	l := new(field.Library)
	l.Reset(shelf)
	l.Count[0] = 500
	for i := range l.Variance {
		l.Variance[i] = 0.1
	}
	for k := range field.MaxPatterns {
		l.Version[k], l.Score[k], l.Fresh[k] = float32(k+1), 0.5, 1
		for i := range l.Context {
			l.Context[i][k] = -0.125
			if field.Mix(uint32(k*len(l.Context)+i)^patternKey)&1 == 0 {
				l.Context[i][k] = 0.125
			}
		}
	}
	return l
}

// matching makes the row of the library: context, whitening, cosines with all
// patterns, the best three. Its library is its own.
func (r *rig) matching() (bench.Stage, kernels.Address, error) {
	const size = int(unsafe.Sizeof(field.Library{}))
	at, err := r.memory(size)
	if err != nil {
		return bench.Stage{}, 0, err
	}
	shelf := field.NewShelf(&r.options.Setup.Params.Table)
	if err := cu.MemcpyHtoD(cu.DevicePtr(at), unsafe.Pointer(fullLibrary(&shelf)), int64(size)); err != nil {
		return bench.Stage{}, 0, fmt.Errorf("worker: copy a library to the device: %w", err)
	}
	memory, err := r.variant(func(b *kernels.Memory) { b.Library = at })
	if err != nil {
		return bench.Stage{}, 0, err
	}
	launch := kernels.Launch{Kernel: "fieldbrain_match", Blocks: 1, Threads: field.Plane}
	subject, err := r.subject(bench.Pattern, []node{{launch: launch, memory: memory}}, 1)
	const contexts = 4 * field.NumSenses * field.MaxPatterns
	return bench.Stage{
		Subject: subject, Bytes: contexts, Note: "100 contexts of 64; in a tick nobody waits for it",
	}, at, err
}
