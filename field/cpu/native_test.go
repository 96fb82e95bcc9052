//go:build cgo && linux && (amd64 || arm64)

package cpu_test

import (
	"testing"
	"unsafe"

	"fieldbrain/field"
	"fieldbrain/field/cpu/native"
)

// TestSharedStructs compares C's idea of the shared memory with Go's.
func TestSharedStructs(t *testing.T) {
	var f field.Frame
	want := [5]uintptr{
		unsafe.Sizeof(f), unsafe.Offsetof(f.Leads), unsafe.Offsetof(f.Warp), unsafe.Offsetof(f.Maps),
		unsafe.Sizeof(field.Marginal{}),
	}
	if got := native.Sizes(); got != want {
		t.Errorf("sizes and offsets in C %v, in Go %v", got, want)
	}
}
