package tune_test

import (
	"fmt"

	"fieldbrain/testbench"
	"fieldbrain/testbench/tune"
)

// A drive that got half as far as the true map allows, without touching anything.
func ExampleCost() {
	share := 0.5
	fmt.Println(tune.Cost(&testbench.Result{Oracle: &share}, 40))
	fmt.Println(tune.Cost(&testbench.Result{Oracle: &share, Collisions: 1, Standing: 20}, 40))
	// Output:
	// 1
	// 2.5
}
