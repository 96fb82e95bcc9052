//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"fmt"
	"testing"
	"unsafe"

	"fieldbrain/brain/belief/native"
	"fieldbrain/field/isa"
)

func ExampleISA() {
	best, _ := isa.Find(isa.Names()[0])
	odds, mark := make([]int8, 64), make([]uint8, 64)
	mark[5], mark[6] = 1, 3 // a ray passed, an echo came from here
	native.Of(best).Apply(odds, mark, &[4]int8{0, -8, 8, 24})
	fmt.Println(odds[4:8], mark[5])
	// Output: [0 -8 24 0] 0
}

// TestSizes compares C's idea of the shared structs with Go's.
func TestSizes(t *testing.T) {
	want := [2]uintptr{unsafe.Sizeof(native.Fan{}), unsafe.Sizeof(native.Scan{})}
	if have := native.Sizes(); have != want {
		t.Errorf("C has sizes %v, Go %v", have, want)
	}
}
