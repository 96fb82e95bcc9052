package export_test

import (
	"fmt"
	"io"
	"strings"

	"fieldbrain/cmd/fieldbrain/export"
)

// Example writes the table of two seconds of driving.
func Example() {
	var table strings.Builder
	if err := export.Table(&table, &drive{end: io.EOF}); err != nil {
		fmt.Println(err)
		return
	}
	lines := strings.Split(table.String(), "\n")
	fmt.Println(lines[0][:37])
	fmt.Println(lines[400][:30])
	// Output:
	// tick,time_s,x_m,y_m,heading_rad,range
	// 399,1.995000,0.997500,0.000000
}
