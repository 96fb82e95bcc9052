//go:build cgo && !cuda && linux && (amd64 || arm64)

package native

/*
#cgo CXXFLAGS: -O3 -g1 -std=c++17 -Wall
#cgo noescape vector_step
#cgo nocallback vector_step
#cgo noescape vector_count
#cgo nocallback vector_count
#include "dispatch.h"
*/
import "C"

import "fieldbrain/field/isa"

// Fields, Keys and Block are C's idea of a block, for the test that compares it with
// Go's.
const (
	Fields = C.F_FIELDS
	Keys   = C.K_KEYS
	Block  = C.BLOCK
	Params = C.PARAMS
)

// An ISA is an instruction set that this machine runs.
type ISA struct{ number C.int }

// Of returns the loops of an instruction set.
func Of(s isa.Set) ISA { return ISA{C.int(s)} }

// A Shape is what does not change between two calls.
type Shape struct {
	Cars, Movers int       // movers a car has room for
	Bearings     []float64 // rad, of the sonars, five at most
	Sensing      bool
}

// A Memory is that of the cars: testbench/vector says what is where. Feet may be
// empty.
type Memory struct {
	Fields, Feet, Numbers, Params []float64
	Keys                          []uint64
	Index, Common                 []int32
}

// Step lets the cars of the blocks first .. last-1 take n steps.
func (i ISA) Step(s *Shape, m *Memory, first, last, n int) {
	shape := s.c(m)
	C.vector_step(i.number, &shape, (*C.double)(&m.Fields[0]), (*C.uint64_t)(&m.Keys[0]), m.feet(),
		(*C.double)(&m.Numbers[0]), (*C.int32_t)(&m.Index[0]), (*C.int32_t)(&m.Common[0]), (*C.double)(&m.Params[0]),
		C.int32_t(first), C.int32_t(last), C.int32_t(n))
}

// Counts are instructions that a call took: all, and those that compute on registers of
// 256 bits or more, with SSE on 128.
type Counts struct{ All, Wide int }

// Count is Step and counts its instructions, a million in a second or two; false where
// it cannot (only Linux on amd64 can). No other thread may count then.
func (i ISA) Count(s *Shape, m *Memory, first, last, n int) (Counts, bool) {
	shape, c := s.c(m), C.Counts{}
	ok := C.vector_count(i.number, &shape, (*C.double)(&m.Fields[0]), (*C.uint64_t)(&m.Keys[0]), m.feet(),
		(*C.double)(&m.Numbers[0]), (*C.int32_t)(&m.Index[0]), (*C.int32_t)(&m.Common[0]), (*C.double)(&m.Params[0]),
		C.int32_t(first), C.int32_t(last), C.int32_t(n), &c)
	return Counts{int(c.all), int(c.wide)}, ok != 0
}

// Peak executes a multiple of n vector instructions, most of which wait for no other, and
// returns their number.
func (i ISA) Peak(n int) int {
	C.vector_peak(i.number, C.int32_t(n))
	return n * int(C.vector_peak_size(i.number))
}

// Errors measures how far the nearly right sines, cosines and normal numbers are off, in
// some n places.
func (i ISA) Errors(n int) (units, normals float64) {
	var u, v C.double
	C.vector_errors(i.number, C.int32_t(n), &u, &v)
	return float64(u), float64(v)
}

// c is the shape as C has it.
func (s *Shape) c(m *Memory) C.Shape {
	shape := C.Shape{
		cars: C.int32_t(s.Cars), most: C.int32_t(s.Movers), sonars: C.int32_t(len(s.Bearings)),
		shares: C.int32_t(len(m.Params) / (Params * Block)),
	}
	for k, b := range s.Bearings {
		shape.bearings[k] = C.double(b)
	}
	if s.Sensing {
		shape.sensing = 1
	}
	return shape
}

// feet are null without movers.
func (m *Memory) feet() *C.double {
	if len(m.Feet) == 0 {
		return nil
	}
	return (*C.double)(&m.Feet[0])
}
