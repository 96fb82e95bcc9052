//go:build cgo && !cuda && linux && (amd64 || arm64)

package native

/*
#cgo CXXFLAGS: -O2 -g1 -std=c++17 -Wall
#cgo noescape fieldbrain_run
#cgo nocallback fieldbrain_run
#cgo noescape fieldbrain_toil
#cgo nocallback fieldbrain_toil
#cgo noescape fieldbrain_match
#cgo nocallback fieldbrain_match
#include <stdlib.h>
#include "dispatch.h"
*/
import "C"

import (
	"errors"
	"unsafe"

	"fieldbrain/field"
	"fieldbrain/field/isa"
)

// A Kernel is the evolve pass of one instruction set over one field, with its
// memory, which is C's. U, F, Frame, Marginals, Still and Patterns are views of
// it.
type Kernel struct {
	U         []float32
	F         []uint16
	Frame     *field.Frame
	Marginals *[field.Channels]field.Marginal
	Still     *[field.Channels]int32
	Patterns  []float32

	isa     C.int
	field   *C.Field
	scratch []*C.Scratch
	blocks  []unsafe.Pointer

	rare      unsafe.Pointer // patterns: pages of their own, there once they are touched
	rareBytes C.size_t
}

// A Spec says what field a kernel works on.
type Spec struct {
	Table    *[field.Channels]field.Channel
	Layout   *field.Layout
	Units    [][]int // channels that one worker computes after each other
	Workers  int
	Patterns int // cells of patterns and episodes
}

// New allocates a field and what its workers need. Nothing is allocated afterwards.
func New(set isa.Set, spec *Spec) (*Kernel, error) {
	l, patterns := spec.Layout, spec.Patterns
	k := &Kernel{isa: C.int(set)}
	var failed error
	block := func(size uintptr) unsafe.Pointer {
		p := C.fieldbrain_alloc(C.size_t(size))
		if p == nil {
			failed = errors.New("native: out of memory")
			return nil
		}
		k.blocks = append(k.blocks, p)
		return p
	}
	k.field = (*C.Field)(block(C.sizeof_Field))
	u := block(uintptr(l.Cells) * 4)
	f := block(uintptr(l.Cells) * 2)
	frame := block(unsafe.Sizeof(field.Frame{}))
	marginals := block(unsafe.Sizeof([field.Channels]field.Marginal{}))
	still := block(field.Channels * 4)
	list := block(field.Channels * 4)
	for range spec.Workers {
		k.scratch = append(k.scratch, (*C.Scratch)(block(C.sizeof_Scratch)))
	}
	if patterns > 0 {
		if k.rare = C.fieldbrain_reserve(C.size_t(patterns) * 4); k.rare == nil {
			failed = errors.New("native: out of memory for patterns")
		}
	}
	if failed != nil {
		k.Close()
		return nil, failed
	}
	k.rareBytes = C.size_t(patterns) * 4
	k.Patterns = unsafe.Slice((*float32)(k.rare), patterns)
	k.U = unsafe.Slice((*float32)(u), l.Cells)
	k.F = unsafe.Slice((*uint16)(f), l.Cells)
	k.Frame = (*field.Frame)(frame)
	k.Marginals = (*[field.Channels]field.Marginal)(marginals)
	k.Still = (*[field.Channels]int32)(still)
	c := k.field
	c.u, c.f = (*C.float)(u), (*C.uint16_t)(f)
	c.marginals, c.still = (*C.Marginal)(marginals), (*C.int32_t)(still)
	c.frame, c.units = (*C.Frame)(frame), (*C.int32_t)(list)
	c.patterns = (*C.float)(k.rare)
	c.workers, c.count = C.int32_t(spec.Workers), C.int32_t(len(spec.Units))
	if set.Dots() {
		c.dots = 1
	}
	c.subnormals_slow = C.int32_t(C.fieldbrain_subnormals_slow())
	if l.Step == field.Dense {
		c.dense = 1
	}
	*(*[field.Channels]field.PlacedChannel)(unsafe.Pointer(&c.channels)) = field.PlacedChannels(spec.Table, l)
	k.split(spec.Units)
	return k, nil
}

func (k *Kernel) split(units [][]int) {
	list := unsafe.Slice(k.field.units, field.Channels)
	n := 0
	for i, unit := range units {
		k.field.first[i] = C.int32_t(n)
		for _, c := range unit {
			list[n] = C.int32_t(c)
			n++
		}
		k.field.first[i+1] = C.int32_t(n)
	}
}

// Evolve advances one unit with the scratch of one worker.
func (k *Kernel) Evolve(unit, worker int) {
	C.fieldbrain_run(k.isa, k.field, k.scratch[worker], C.int32_t(unit))
}

// Toil does the work of one unit and nothing of what it is for: it moves the field's memory
// and computes as much, and changes no bit. ops are lane operations per cell of every channel, 0
// for one that does not run.
func (k *Kernel) Toil(unit int, ops *[field.Channels]float64) {
	var list [field.Channels]C.int64_t
	for c, n := range ops {
		list[c] = C.int64_t(n * 1024)
	}
	C.fieldbrain_toil(k.isa, k.field, C.int32_t(unit), &list[0])
}

// Subnormals says whether subnormal products shall be left out where no bit depends on
// them, instead of what New found about the machine, and returns what it found.
func (k *Kernel) Subnormals(leaveOut bool) (found bool) {
	found = k.field.subnormals_slow != 0
	k.field.subnormals_slow = 0
	if leaveOut {
		k.field.subnormals_slow = 1
	}
	return found
}

// Cosines is the field.MatchFunc of the instruction set.
func (k *Kernel) Cosines(
	contexts *[field.NumSenses][field.PatternRow]float32, z *[field.NumSenses]float32,
	cosine *[field.PatternRow]float32,
) {
	C.fieldbrain_match(k.isa, (*C.float)(&contexts[0][0]), (*C.float)(&z[0]), (*C.float)(&cosine[0]))
}

// Scale multiplies values in place.
func Scale(values []float32, by float32) {
	if len(values) > 0 {
		C.fieldbrain_scale((*C.float)(&values[0]), C.int64_t(len(values)), C.float(by))
	}
}

// Peak runs rounds of independent vector operations and returns how many
// 32-bit lane operations that were.
func Peak(set isa.Set, rounds int) (laneOps float64) {
	var lanes C.int32_t
	if C.fieldbrain_peak(C.int(set), C.int32_t(rounds), &lanes) < 0 {
		return 0 // the sum of positive numbers is never negative
	}
	return float64(rounds) * 24 * float64(lanes)
}

// Time switches the counting of ticks per stage on or off and clears it.
func (k *Kernel) Time(on bool) {
	for _, s := range k.scratch {
		s.timing = 0
		if on {
			s.timing = 1
		}
		s.ticks = [4]C.uint64_t{}
	}
}

// Ticks returns the processor clock's ticks of displacement, lateral sums, update
// and traces, all workers together. Only the shares mean something.
func (k *Kernel) Ticks() (sum [4]float64) {
	for _, s := range k.scratch {
		for i, t := range s.ticks {
			sum[i] += float64(t)
		}
	}
	return sum
}

// Close frees the memory; the views must not be used afterwards.
func (k *Kernel) Close() {
	for _, p := range k.blocks {
		C.free(p)
	}
	k.blocks = nil
	if k.rare != nil {
		C.fieldbrain_release(k.rare, k.rareBytes)
		k.rare = nil
	}
}
