package exercise_test

import (
	"fmt"
	"testing"

	"fieldbrain/field/exercise"
)

func ExampleSequence() {
	d := exercise.New(1)
	in := d.Next()
	fmt.Println(in.Tick, in.NumTerms, in.NumBeams)
	// Output: 1 77 5
}

func TestSameSeedSameInputs(t *testing.T) {
	a, b, other := exercise.New(5), exercise.New(5), exercise.New(6)
	differ := false
	for range 50 {
		x, y, z := a.Next(), b.Next(), other.Next()
		if *x != *y {
			t.Fatal("equal seeds gave different inputs")
		}
		differ = differ || x.Turn != z.Turn
	}
	if !differ {
		t.Error("different seeds gave equal inputs")
	}
}
