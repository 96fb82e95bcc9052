package heap_test

import (
	"fmt"
	"testing"

	"fieldbrain/testbench/heap"
)

var kept [][]byte

func TestAllocations(t *testing.T) {
	kept = make([][]byte, 0, 10)
	for _, want := range []uint64{0, 1, 10} {
		allocate := func() {
			for range want {
				kept = append(kept[:0], make([]byte, 64))
			}
		}
		if n := heap.Allocations(allocate, allocate); n != want {
			t.Errorf("%d allocations counted, want %d", n, want)
		}
	}
}

func ExampleAllocations() {
	var list []int
	add := func() {
		for i := range 100 {
			list = append(list, i)
		}
	}
	reuse := func() { list = list[:0]; add() }
	fmt.Println(heap.Allocations(add, reuse))
	// Output: 0
}
