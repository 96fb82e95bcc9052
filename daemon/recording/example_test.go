package recording_test

import (
	"bytes"
	"fmt"

	"fieldbrain/daemon/recording"
)

// Example writes two ticks into a file and reads them back.
func Example() {
	var file bytes.Buffer
	w, err := recording.NewWriter(&file, &recording.Head{Program: "example", Setup: []byte("{}")})
	if err != nil {
		panic(err)
	}
	for n := range uint64(2) {
		var e recording.Entry
		e.Input.Tick, e.Told.Speed = n, 0.1*float32(n)
		if err := w.Write(&e); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	r, err := recording.NewReader(&file)
	if err != nil {
		panic(err)
	}
	for t := new(recording.Tick); r.Next(t) == nil; {
		fmt.Printf("tick %d told %v m/s\n", t.Input.Tick, t.Told.Speed)
	}
	// Output:
	// tick 0 told 0 m/s
	// tick 1 told 0.1 m/s
}
