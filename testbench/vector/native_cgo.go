//go:build cgo && !cuda && linux && (amd64 || arm64)

package vector

import (
	"runtime"

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
		shape, memory := f.native()
		loops.Step(&shape, &memory, first, last, n)
	}
}

// native returns a fleet as the loops see it.
func (f *Fleet) native() (native.Shape, native.Memory) {
	m := f.Memory()
	return native.Shape{Cars: m.Cars, Movers: m.Movers, Bearings: m.Bearings, Sensing: m.Sensing},
		native.Memory{
			Fields: m.Fields, Feet: m.Feet, Numbers: m.Numbers, Params: m.Params, Keys: m.Keys, Index: m.Index, Common: m.Common,
		}
}

// Count is Step and returns how many instructions it takes, and how many of them compute
// on registers of 256 bits or more, with SSE on 128; false, without a step, where nothing can count them:
// outside Linux on amd64 and in pure Go. It takes a second for a million, and counts for
// one fleet at a time.
func (f *Fleet) Count(n int) (all, wide int, ok bool) {
	set, found := isa.Find(f.isa)
	if !found || runtime.GOARCH != "amd64" {
		return 0, 0, false
	}
	shape, memory := f.native()
	c, ok := native.Of(set).Count(&shape, &memory, 0, (f.cars+Lanes-1)/Lanes, n)
	return c.All, c.Wide, ok
}

// Peak executes a multiple of n vector instructions, most of which wait for no other, and
// returns their number; 0 in pure Go.
func (f *Fleet) Peak(n int) int {
	set, found := isa.Find(f.isa)
	if !found {
		return 0
	}
	return native.Of(set).Peak(n)
}
