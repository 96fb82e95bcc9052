//go:build cgo && !cuda && linux && (amd64 || arm64)

package vector

import (
	"fieldbrain/field/isa"
	"fieldbrain/testbench/vector/native"
)

// Both languages have the same block: arrays of different lengths do not compile.
var (
	_ [numFields]struct{} = [native.Fields]struct{}{}
	_ [numKeys]struct{}   = [native.Keys]struct{}{}
	_ [Lanes]struct{}     = [native.Block]struct{}{}
	_ [numParams]struct{} = [native.Params]struct{}{}
)

func nativeISAs() []string { return isa.Names() }

// newNative returns the engine in C++ of an instruction set, nil when it is not there.
func newNative(name string) stepper {
	set, ok := isa.Find(name)
	if !ok {
		return nil
	}
	loops := native.Of(set)
	return func(f *Fleet, first, last, n int) {
		shape := native.Shape{Cars: f.cars, Movers: f.most, Bearings: f.bearings, Sensing: f.sensing}
		memory := native.Memory{Fields: f.fields, Feet: f.feet, Numbers: f.numbers, Params: f.params, Keys: f.keys, Index: f.index, Common: f.common}
		loops.Step(&shape, &memory, first, last, n)
	}
}
