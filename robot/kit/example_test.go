package kit_test

import (
	"fmt"

	"fieldbrain/robot/kit"
)

// A car whose owner measured another wheelbase has a sheet of its own.
func Example() {
	car := kit.PiCarX()
	car.Wheelbase = 0.097
	light, dark := car.LineReferences()
	fmt.Printf("%.0f mm between the axles, %.0f mm between the wheels\n", 1000*car.Wheelbase, 1000*car.WholeTrack())
	fmt.Printf("floor %.2f, line %.2f\n", light[0], dark[0])
	// Output:
	// 97 mm between the axles, 117 mm between the wheels
	// floor 0.29, line 0.10
}
