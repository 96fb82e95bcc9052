//go:build cgo && !cuda && linux && (amd64 || arm64)

package cpu

/*
#cgo CXXFLAGS: -O2 -g1 -std=c++17 -Wall
#cgo noescape fieldbrain_displace
#cgo nocallback fieldbrain_displace
#cgo noescape fieldbrain_carry
#cgo nocallback fieldbrain_carry
#cgo noescape fieldbrain_fade
#cgo nocallback fieldbrain_fade
#cgo noescape fieldbrain_look
#cgo nocallback fieldbrain_look
#cgo noescape fieldbrain_learn
#cgo nocallback fieldbrain_learn
#cgo noescape fieldbrain_expect
#cgo nocallback fieldbrain_expect
#cgo noescape fieldbrain_project
#cgo nocallback fieldbrain_project
#include "prep.h"
*/
import "C"

import (
	"unsafe"

	"fieldbrain/field"
)

// The C loops know the same sizes and read the same structs.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(field.Eye{})-C.sizeof_Eye]
	_ = [1]struct{}{}[unsafe.Sizeof(field.Glance{})-C.sizeof_Glance]
	_ = [1]struct{}{}[unsafe.Sizeof(field.Projection{})-C.sizeof_Projection]
	_ = [1]struct{}{}[field.NumSenses-C.NUM_SENSES]
	_ = [1]struct{}{}[field.One-C.ONE]
	_ = [1]struct{}{}[field.Regressors-C.REGRESSORS]
)

// fastLoops returns the preparation's loops in C++. Warp and maps are those of a frame
// in C memory.
func fastLoops() field.Loops {
	return field.Loops{Displace: displace, Carry: carry, Fade: fade, Look: look, Learn: learn, Expect: expect, Project: project}
}

func places(w *field.Warp) C.Places {
	return C.Places{
		x0: (*C.int32_t)(&w.X0[0]), y0: (*C.int32_t)(&w.Y0[0]), wx: (*C.float)(&w.WX[0]), wy: (*C.float)(&w.WY[0]),
	}
}

func planes(m *field.Maps) C.Planes {
	return C.Planes{
		obstacle: (*C.float)(&m.Obstacle[0]), hazard: (*C.float)(&m.Hazard[0]), visited: (*C.float)(&m.Visited[0]),
	}
}

func displace(w *field.Warp, tables *[3]field.Row, forward, shift float32) {
	to := places(w)
	row := func(i int) *C.float { return (*C.float)(&tables[i][0]) }
	C.fieldbrain_displace(&to, row(0), row(1), row(2), C.float(forward), C.float(shift))
}

func carry(m *field.Maps, w *field.Warp) {
	all, from := planes(m), places(w)
	C.fieldbrain_carry(&all, &from)
}

func fade(m *field.Maps, visit float32, keep *[3]float32) {
	all := planes(m)
	C.fieldbrain_fade(&all, C.float(visit), field.BodyBins, (*C.float)(&keep[0]))
}

func look(m *field.Maps, e *field.Eye, g *field.Glance) {
	all := planes(m)
	C.fieldbrain_look(&all, (*C.Eye)(unsafe.Pointer(e)), (*C.Glance)(unsafe.Pointer(g)))
}

func learn(w *[field.NumSenses * field.Regressors]float32, r *[field.Regressors]float32, gain, known *[field.NumSenses]float32) {
	C.fieldbrain_learn((*C.float)(&w[0]), (*C.float)(&r[0]), (*C.float)(&gain[0]), (*C.float)(&known[0]), field.Forgotten)
}

func expect(w *[field.NumSenses * field.Regressors]float32, r *[field.Regressors]float32, hat *[field.NumSenses]float32) {
	C.fieldbrain_expect((*C.float)(&w[0]), (*C.float)(&r[0]), (*C.float)(&hat[0]))
}

func project(dst *[field.Plane]float32, outputs []uint16, p *field.Projection) {
	C.fieldbrain_project((*C.float)(&dst[0]), (*C.uint16_t)(&outputs[0]), (*C.Projection)(unsafe.Pointer(p)))
}
