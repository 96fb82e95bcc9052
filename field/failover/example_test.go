package failover_test

import (
	"fmt"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/failover"
	"fieldbrain/field/fieldtest"
)

// The primary fails in its third step; the caller sees no error.
func Example() {
	engine := func() field.Engine {
		e, err := cpu.New(field.Default(), cpu.DefaultOptions())
		if err != nil {
			panic(err)
		}
		return e
	}
	f := failover.New(&fieldtest.Flaky{Engine: engine(), FailAt: 3}, engine(), 5*time.Millisecond)
	defer f.Close()
	in := field.Input{Quality: field.Full()}
	for range 4 {
		_, err := f.Step(&in)
		f.Mirror()
		in.Tick++
		fmt.Println(err, f.State().Standby, f.State().Err)
	}
	// Output:
	// <nil> false <nil>
	// <nil> false <nil>
	// <nil> true device lost
	// <nil> true device lost
}
