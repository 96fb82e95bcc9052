package worth_test

import (
	"context"
	"fmt"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/worth"
)

// One echo that is not there: whose heading swerves less?
func Example() {
	report, err := worth.Run(context.Background(), worth.Options{
		Field:  func(p field.Params) (field.Engine, error) { return cpu.New(p, cpu.DefaultOptions()) },
		Period: 5 * time.Millisecond, Only: []string{"deceiving"}, Seeds: 2, Workers: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	row := report.Questions[0].Rows[0]
	fmt.Println(row.Measure, row.Field.N, len(row.Others))
	// Output: swerve_deg 2 3
}
