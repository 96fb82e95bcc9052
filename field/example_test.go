package field_test

import (
	"fmt"
	"strings"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// A peak forms in the LINE channel under a stimulus at bin 20: for a while the
// activation creeps up unseen, then it crosses zero and supports itself.
func Example() {
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	in := field.Input{Quality: field.Full()}
	in.Add(field.At(field.Line, 6, 20, 2)) // 6 units at bearing 45 deg, 2 bins wide
	for in.Tick = range 41 {
		out, err := e.Step(&in)
		if err != nil {
			fmt.Println(err)
			return
		}
		if in.Tick%5 == 0 {
			fmt.Printf("after %3d ms |%s|\n", 5*in.Tick+5, draw(&out.Marginals[field.Line].X))
		}
	}
	// Output:
	// after   5 ms |                                |
	// after  30 ms |                   .:.          |
	// after  55 ms |                  .+*+.         |
	// after  80 ms |                  :%@%:         |
	// after 105 ms |                  =@@@=         |
	// after 130 ms |                  =@@@=         |
	// after 155 ms |                  =@@@=         |
	// after 180 ms |                  +@@@+         |
	// after 205 ms |                  +@@@+         |
}

// draw shows outputs of 0..1 as characters.
func draw(row *[field.Side]int32) string {
	var b strings.Builder
	for _, q := range row {
		b.WriteByte(" .:-=+*#%@"[q*9/field.One])
	}
	return b.String()
}
