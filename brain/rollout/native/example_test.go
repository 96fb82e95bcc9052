//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"fmt"

	"fieldbrain/brain/rollout/native"
)

func Example() {
	fmt.Println(native.Block, native.Cells)
	// Output: 16 64
}
