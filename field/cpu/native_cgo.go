//go:build cgo && !cuda && linux && (amd64 || arm64)

package cpu

import (
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu/native"
	"fieldbrain/field/isa"
)

func nativeISAs() []string { return isa.Names() }

// nativeBackend runs units in C++.
type nativeBackend struct{ kernel *native.Kernel }

func (n nativeBackend) evolve(unit, worker int)  { n.kernel.Evolve(unit, worker) }
func (n nativeBackend) cosines() field.MatchFunc { return n.kernel.Cosines }
func (n nativeBackend) loops() field.Loops       { return fastLoops() }
func (n nativeBackend) close()                   { n.kernel.Close() }

func (n nativeBackend) toil(unit int, ops *[field.Channels]float64) { n.kernel.Toil(unit, ops) }

func (n nativeBackend) time(on bool)      { n.kernel.Time(on) }
func (n nativeBackend) ticks() [4]float64 { return n.kernel.Ticks() }

// Peak returns how many 32-bit lane operations per second the instruction set
// does on this core when nothing stalls: the yardstick of the computed floor.
// The best of several short runs counts.
func Peak(name string) float64 {
	set, ok := isa.Find(name)
	if !ok {
		return 0
	}
	best := 0.0
	for range 15 {
		begin := time.Now()
		ops := native.Peak(set, 20_000)
		best = max(best, ops/time.Since(begin).Seconds())
	}
	return best
}

func scale(values []float32, by float32) { native.Scale(values, by) }

func newNative(e *Engine, name string, threads int) (*store, backend, error) {
	set, ok := isa.Find(name)
	if !ok {
		return nil, nil, ErrISA
	}
	k, err := native.New(set, &native.Spec{
		Table: &e.params.Table, Layout: &e.layout, Units: e.units, Workers: threads, Patterns: e.params.PatternCells(),
	})
	if err != nil {
		return nil, nil, err
	}
	s := &store{u: k.U, f: k.F, frame: k.Frame, marginals: k.Marginals, still: k.Still, patterns: k.Patterns}
	return s, nativeBackend{k}, nil
}
