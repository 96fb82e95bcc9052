//go:build cgo && linux && (amd64 || arm64)

package cpu

import "fieldbrain/field/cpu/native"

func nativeISAs() []string { return native.ISAs() }

// nativeBackend runs units in C++.
type nativeBackend struct{ kernel *native.Kernel }

func (n nativeBackend) evolve(unit, worker int) { n.kernel.Evolve(unit, worker) }
func (n nativeBackend) close()                  { n.kernel.Close() }

func newNative(e *Engine, isa string, threads int) (*store, backend, error) {
	k, err := native.New(isa, &e.params.Table, &e.layout, e.plan.units, threads)
	if err != nil {
		return nil, nil, err
	}
	s := &store{u: k.U, f: k.F, frame: k.Frame, marginals: k.Marginals, still: k.Still}
	return s, nativeBackend{k}, nil
}
