//go:build cgo && !cuda && linux && (amd64 || arm64)

package native

/*
#cgo CXXFLAGS: -O3 -g1 -std=c++17 -Wall
#cgo noescape belief_fan
#cgo nocallback belief_fan
#cgo noescape belief_scan
#cgo nocallback belief_scan
#cgo noescape belief_apply
#cgo nocallback belief_apply
#include "dispatch.h"
*/
import "C"

import (
	"unsafe"

	"fieldbrain/field/isa"
)

// Shapes, equal to those of the package above; a test there compares results.
const (
	rows    = C.ROWS
	columns = C.COLUMNS
)

// An ISA is an instruction set that this machine runs.
type ISA struct{ number C.int }

// Of returns the loops of an instruction set.
func Of(s isa.Set) ISA { return ISA{C.int(s)} }

// A Fan is a belief.Fan from an origin in the grid.
type Fan struct {
	At                        int32
	Part, Cell                [3]int32
	First, Row, Count, Stride int32
	_                         int32
	Visits                    int64 // result
}

// A Grid is what rays are cast through.
type Grid struct {
	Odds       []int8
	Seen       []uint32    // one bit per cell that counts as known, or empty
	Directions []int32     // the belief's, axis by axis
	Classes    *[32]uint32 // of log-odds
}

// Fan adds up the gain of a fan's rays per azimuth.
func (i ISA) Fan(g Grid, f *Fan, gain *[columns]int32) {
	var overlay *C.uint32_t
	if len(g.Seen) > 0 {
		overlay = (*C.uint32_t)(&g.Seen[0])
	}
	f.Visits = int64(C.belief_fan(i.number, (*C.int8_t)(&g.Odds[0]), overlay, (*C.int32_t)(&g.Directions[0]),
		(*C.uint32_t)(&g.Classes[0]), (*C.Fan)(unsafe.Pointer(f)), (*C.int32_t)(&gain[0])))
}

// A Scan is a belief.Scan from an origin in the grid.
type Scan struct {
	At    int32
	Part  [3]int32
	Cell  [3]int32
	First int32
	Rows  [rows]int32
}

// Rays are what a scan measured, row by row.
type Rays struct {
	Free, End []int32 // t up to which a ray is free, t of its end, 0 for no ray
	Echo      []uint8 // mark of the cell at its end
}

// Scan marks the cells that a scan's rays pass and stores where those with an
// echo end.
func (i ISA) Scan(mark []uint8, dirs []int32, s *Scan, r Rays, hits *[rows * columns]int32) {
	C.belief_scan(i.number, (*C.uint8_t)(&mark[0]), (*C.int32_t)(&dirs[0]), (*C.Scan)(unsafe.Pointer(s)),
		(*C.int32_t)(&r.Free[0]), (*C.int32_t)(&r.End[0]), (*C.uint8_t)(&r.Echo[0]), (*C.int32_t)(&hits[0]))
}

// Apply moves every marked cell by its mark's weight and takes the marks away.
func (i ISA) Apply(odds []int8, mark []uint8, weights *[4]int8) {
	C.belief_apply(i.number, (*C.int8_t)(&odds[0]), (*C.uint8_t)(&mark[0]), C.int32_t(len(odds)), (*C.int8_t)(&weights[0]))
}

// Sizes returns C's idea of the shared structs, Fan and Scan, for the test that
// compares it with Go's.
func Sizes() [2]uintptr { return [2]uintptr{C.sizeof_Fan, C.sizeof_Scan} }
