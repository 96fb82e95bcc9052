package reference_test

import (
	"fmt"

	"fieldbrain/field"
	"fieldbrain/field/reference"
)

// A stimulus at bin 20 of LINE makes a peak there.
func Example() {
	r := reference.New(field.Default())
	in := field.Input{Quality: field.Full()}
	in.Add(field.At(field.Line, 12, 20, 2))
	for range 25 {
		r.Step(&in)
		in.Tick++
	}
	best := 0
	for x := range field.Side {
		if r.Activation(field.Line, x, 0, 0) > r.Activation(field.Line, best, 0, 0) {
			best = x
		}
	}
	fmt.Println(best, r.Output(field.Line, best, 0, 0), r.Output(field.Line, 4, 0, 0))
	// Output: 20 1 0
}
