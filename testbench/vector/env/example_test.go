package env_test

import (
	"fmt"

	"fieldbrain/testbench/vector/env"
)

// Ten cars drive straight on until they touch something.
func Example() {
	e, err := env.New(env.Options{Task: env.Avoid, Cars: 10, Worlds: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	if err := e.ResetAll(1); err != nil {
		fmt.Println(err)
		return
	}
	m, touched := e.Memory(), 0
	for range 500 {
		for car := range 10 {
			m.Actions[env.ActionSize*car] = 0.3 // m/s
		}
		if err := e.Step(); err != nil {
			fmt.Println(err)
			return
		}
		for car := range 10 {
			if m.Terminated[car] == 1 && env.Cause(m.Causes[car]) == env.Contact {
				touched++
			}
		}
	}
	fmt.Println(len(e.Observations()), "numbers,", touched > 10, "contacts")
	// Output: 10 numbers, true contacts
}
