package guardbench_test

import (
	"fmt"
	"time"

	"fieldbrain/cmd/fieldbrain/guardbench"
)

// Deaths are judged by what comes after the silence that the guard allows.
func Example() {
	report := guardbench.Judge([]guardbench.Death{
		{Kind: "kill", After: 2 * time.Millisecond, Beyond: 2 * time.Millisecond, By: "guard"},
		{Kind: "stop", After: 153 * time.Millisecond, Beyond: 3 * time.Millisecond, By: "guard"},
	})
	for _, row := range report.Rows {
		fmt.Println(row.Kind, row.Limit, row.P100, row.Over)
	}
	// Output:
	// kill 0s 2ms 0
	// stop 150ms 3ms 0
}
