// Package isa names the instruction sets for which this module has vector loops, and
// says which of them this machine runs. The loops themselves lie beside what they
// compute: field/cpu/native, brain/belief/native, brain/rollout/native and
// testbench/vector/native.
//
// The operating system has a say as well: a set whose registers it does not save at
// a change of threads is not there.
package isa

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// A Set is an instruction set. Its number is the one that the choice of the loops in
// C++ knows (dispatch.cc).
type Set int32

// The sets.
const (
	SSE    Set = iota // SSE 4.1, 4 lanes of 32 bits
	AVX2              // with FMA, 8 lanes
	AVX512            // F, BW, DQ and VL, 16 lanes
	NEON              // 4 lanes
)

var names = [...]string{SSE: "sse", AVX2: "avx2", AVX512: "avx512", NEON: "neon"}

// String returns the set's name, as engines have it.
func (s Set) String() string { return names[s] }

// Names returns the names of the sets that this machine runs, best first.
func Names() []string {
	var list []string
	for _, s := range []Set{AVX512, AVX2, SSE, NEON} {
		if s.here() {
			list = append(list, s.String())
		}
	}
	return list
}

// Find returns a set by its name, false when there is none or this machine does not
// run it.
func Find(name string) (Set, bool) {
	for s, n := range names {
		if n == name {
			return Set(s), Set(s).here()
		}
	}
	return 0, false
}

// Dots reports whether this machine, in one instruction of the set, multiplies 16-bit
// lanes and adds neighbouring products to a sum: AVX512-VNNI, AVX-VNNI.
func (s Set) Dots() bool {
	return s == AVX512 && cpu.X86.HasAVX512VNNI || s == AVX2 && cpu.X86.HasAVXVNNI
}

// here reports whether this machine runs the set.
func (s Set) here() bool {
	x := &cpu.X86
	switch s {
	case SSE:
		return x.HasSSE41
	case AVX2:
		return x.HasAVX2 && x.HasFMA
	case AVX512:
		return x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	}
	return runtime.GOARCH == "arm64"
}
