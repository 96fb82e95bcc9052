package ablation_test

import (
	"fmt"
	"math"

	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/field/cpu"
)

// build returns a field without a part of itself.
func build(k ablation.Kind) field.Engine {
	p := field.Default()
	k.Prepare(&p)
	e, err := cpu.New(p, cpu.DefaultOptions())
	if err != nil {
		panic(err)
	}
	return k.Wrap(e, &p)
}

// A goal at 40 degrees draws every heading to its side.
func Example() {
	for _, kind := range ablation.Kinds()[:4] {
		e := build(kind)
		in := field.Input{Quality: field.Full()}
		in.Drive.Goal, in.Drive.GoalWeight = 40*math.Pi/180, 1
		var left bool
		for range 200 {
			out, err := e.Step(&in)
			if err != nil {
				panic(err)
			}
			in.Tick++
			x, mass := field.Centroid(&out.Marginals[field.Heading].X)
			left = mass > 3 && field.Bearing(x) > 0
		}
		fmt.Println(kind, left)
		e.Close()
	}
	// Output:
	// neural true
	// attractor true
	// argmax true
	// lowpass true
}
