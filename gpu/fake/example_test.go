package fake_test

import (
	"fmt"

	"fieldbrain/gpu/fake"
)

// A test's own main function becomes the child when the supervisor starts the test
// program again with fake.Env set.
func ExampleMain() {
	code, is := fake.Main()
	fmt.Println(code, is, fake.Env)
	// Output: 0 false FIELDBRAIN_FAKE_CHILD
}
