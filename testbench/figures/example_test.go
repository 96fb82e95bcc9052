package figures_test

import (
	"bytes"
	"fmt"
	"image/png"

	"fieldbrain/testbench/figures"
)

func Example() {
	fmt.Println(figures.Names())
	var b bytes.Buffer
	if err := figures.Write(&b, "png", "peak"); err != nil {
		fmt.Println(err)
		return
	}
	img, err := png.DecodeConfig(&b)
	fmt.Println(img.Width, "x", img.Height, err)
	// Output:
	// [peak detection selection memory axes]
	// 862 x 397 <nil>
}
