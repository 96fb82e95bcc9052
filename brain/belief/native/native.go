//go:build cgo && linux && (amd64 || arm64)

package native

/*
#cgo CXXFLAGS: -O3 -std=c++17 -Wall
#cgo noescape belief_fan
#cgo nocallback belief_fan
#cgo noescape belief_scan
#cgo nocallback belief_scan
#cgo noescape belief_settle
#cgo nocallback belief_settle
#include "dispatch.h"
*/
import "C"

import "unsafe"

// Shapes, equal to those of the package above; a test there compares results.
const (
	rows    = C.ROWS
	columns = C.COLUMNS
)

// An ISA is an instruction set of this build that this machine runs.
type ISA struct{ number C.int }

var names = [...]string{"sse", "avx2", "avx512", "neon"}

// ISAs returns the instruction sets of this build that this machine runs, best
// first.
func ISAs() []string {
	var list []string
	for _, name := range []string{"avx512", "avx2", "sse", "neon"} {
		if _, ok := Find(name); ok {
			list = append(list, name)
		}
	}
	return list
}

// Find returns an instruction set by its name, false when it is not there.
func Find(name string) (ISA, bool) {
	for i, n := range names {
		if n == name {
			return ISA{C.int(i)}, C.belief_supported(C.int(i)) != 0
		}
	}
	return ISA{}, false
}

// A Fan is a belief.Fan from an origin in the grid.
type Fan struct {
	At                        int32
	Part, Cell                [3]int32
	First, Row, Count, Stride int32
	_                         int32
	Visits                    int64 // result
}

// Fan adds up the gain of a fan's rays per azimuth. seen is empty or one bit per
// cell of odds; dirs are the belief's directions, axis by axis.
func (i ISA) Fan(odds []int8, seen []uint32, dirs []int32, classes *[32]uint32, f *Fan, gain *[columns]int32) {
	var overlay *C.uint32_t
	if len(seen) > 0 {
		overlay = (*C.uint32_t)(&seen[0])
	}
	f.Visits = int64(C.belief_fan(i.number, (*C.int8_t)(&odds[0]), overlay, (*C.int32_t)(&dirs[0]),
		(*C.uint32_t)(&classes[0]), (*C.Fan)(unsafe.Pointer(f)), (*C.int32_t)(&gain[0])))
}

// A Scan is a belief.Scan from an origin in the grid.
type Scan struct {
	At    int32
	Part  [3]int32
	Cell  [3]int32
	First int32
	Rows  [rows]int32
}

// Scan marks the cells that a scan's rays pass and stores where those with an
// echo end.
func (i ISA) Scan(mark []uint8, dirs []int32, s *Scan, free, end []int32, echo []uint8, hits *[rows * columns]int32) {
	C.belief_scan(i.number, (*C.uint8_t)(&mark[0]), (*C.int32_t)(&dirs[0]), (*C.Scan)(unsafe.Pointer(s)),
		(*C.int32_t)(&free[0]), (*C.int32_t)(&end[0]), (*C.uint8_t)(&echo[0]), (*C.int32_t)(&hits[0]))
}

// Settle moves every marked cell by its mark's weight and takes the marks away.
func (i ISA) Settle(odds []int8, mark []uint8, weights *[4]int8) {
	C.belief_settle(i.number, (*C.int8_t)(&odds[0]), (*C.uint8_t)(&mark[0]), C.int32_t(len(odds)), (*C.int8_t)(&weights[0]))
}

// Sizes returns C's idea of the shared structs, Fan and Scan, for the test that
// compares it with Go's.
func Sizes() [2]uintptr { return [2]uintptr{C.sizeof_Fan, C.sizeof_Scan} }
