//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"fmt"
	"testing"
	"unsafe"

	"fieldbrain/brain/belief/native"
)

func ExampleFind() {
	isa, ok := native.Find(native.ISAs()[0])
	odds, mark := make([]int8, 64), make([]uint8, 64)
	mark[5], mark[6] = 1, 3 // a ray passed, an echo came from here
	isa.Apply(odds, mark, &[4]int8{0, -8, 8, 24})
	fmt.Println(ok, odds[4:8], mark[5])
	// Output: true [0 -8 24 0] 0
}

// TestSizes compares C's idea of the shared structs with Go's.
func TestSizes(t *testing.T) {
	want := [2]uintptr{unsafe.Sizeof(native.Fan{}), unsafe.Sizeof(native.Scan{})}
	if have := native.Sizes(); have != want {
		t.Errorf("C has sizes %v, Go %v", have, want)
	}
}

func TestUnknownInstructionSet(t *testing.T) {
	if _, ok := native.Find("mmx"); ok {
		t.Error("mmx is found")
	}
}
