//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"fmt"

	"fieldbrain/testbench/vector/native"
)

func Example() {
	fmt.Println(native.Block)
	// Output: 16
}
