package freeze_test

import (
	"fmt"

	"fieldbrain/brain/freeze"
)

// A counter goes on where another one was.
func Example() {
	type counter struct {
		name string
		n    int64
	}
	of := func(c *counter) *freeze.Copier {
		copier, err := freeze.New(c, freeze.Options{Leave: []string{"name"}})
		if err != nil {
			panic(err)
		}
		return copier
	}
	first, second := &counter{"first", 41}, &counter{"second", 0}
	data := make([]byte, of(first).Size())
	err := of(first).Copy(data)
	fmt.Println(err, of(second).Put(data), second.name, second.n+1)
	// Output:
	// <nil> <nil> second 42
}
