package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/bench"
)

func Example() {
	r, err := bench.Run(bench.Options{Rounds: 1, Cars: []int{1}})
	fmt.Println(err, len(r.Rows) == 2*len(vector.ISAs()))
	// Output: <nil> true
}

func TestRows(t *testing.T) {
	r, err := bench.Run(bench.Options{Rounds: 1, Cars: []int{3, 40}})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		if row.Rate <= 0 || row.Gain < 0 {
			t.Errorf("row %+v", row)
		}
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil || strings.Count(text.String(), "\n") != len(r.Rows)+3 {
		t.Errorf("%v: %s", err, text.String())
	}
}
