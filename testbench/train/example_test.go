package train_test

import (
	"context"
	"fmt"

	"fieldbrain/testbench/train"
)

// A policy learns for five short generations; nobody should expect much of it.
func Example() {
	options := train.Default()
	options.Hidden, options.Population, options.Worlds, options.Seconds, options.Generations = 2, 6, 2, 6, 5
	done, err := train.Run(context.Background(), options, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	saved, err := done.Saved()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(done.Curve), "generations,", saved.Hidden(), "units,", done.Ended)
	// Output: 5 generations, 2 units, its generations are over
}
