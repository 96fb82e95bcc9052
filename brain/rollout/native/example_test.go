//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"fmt"

	"fieldbrain/brain/rollout/native"
)

func Example() {
	_, ok := native.Find(native.ISAs()[0])
	_, unknown := native.Find("mmx")
	fmt.Println(ok, unknown, native.Block, native.Cells)
	// Output: true false 16 64
}
