//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"fmt"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu/native"
	"fieldbrain/field/isa"
)

func ExampleNew() {
	p := field.Default()
	layout := field.NewLayout(&p.Table, field.Collapsed)
	units := make([][]int, field.Channels)
	for c := range units {
		units[c] = []int{c}
	}
	best, _ := isa.Find(isa.Names()[0])
	k, err := native.New(best, &native.Spec{Table: &p.Table, Layout: &layout, Units: units, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer k.Close()
	fmt.Println(len(k.U) == layout.Cells, len(k.F) == layout.Cells)
	// Output: true true
}

// TestPeakCountsWhatItRuns checks the yardstick's arithmetic, not its speed.
func TestPeakCountsWhatItRuns(t *testing.T) {
	for _, name := range isa.Names() {
		set, _ := isa.Find(name)
		one, two := native.Peak(set, 1000), native.Peak(set, 2000)
		if one <= 0 || two != 2*one {
			t.Errorf("%s: %v operations in 1,000 rounds and %v in 2,000", name, one, two)
		}
	}
}
