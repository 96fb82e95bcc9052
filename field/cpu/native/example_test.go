//go:build cgo && !cuda && linux && (amd64 || arm64)

package native_test

import (
	"fmt"
	"strings"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu/native"
)

func ExampleNew() {
	p := field.Default()
	layout := field.NewLayout(&p.Table, field.Collapsed)
	units := make([][]int, field.Channels)
	for c := range units {
		units[c] = []int{c}
	}
	k, err := native.New(native.ISAs()[0], &native.Spec{Table: &p.Table, Layout: &layout, Units: units, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer k.Close()
	fmt.Println(len(k.U) == layout.Cells, len(k.F) == layout.Cells)
	// Output: true true
}

func TestUnknownInstructionSet(t *testing.T) {
	p := field.Default()
	layout := field.NewLayout(&p.Table, field.Collapsed)
	_, err := native.New("mmx", &native.Spec{Table: &p.Table, Layout: &layout})
	if err == nil || !strings.Contains(err.Error(), "mmx") {
		t.Errorf("error %v, want one that names mmx", err)
	}
}

// TestPeakCountsWhatItRuns checks the yardstick's arithmetic, not its speed.
func TestPeakCountsWhatItRuns(t *testing.T) {
	for _, isa := range native.ISAs() {
		one, two := native.Peak(isa, 1000), native.Peak(isa, 2000)
		if one <= 0 || two != 2*one {
			t.Errorf("%s: %v operations in 1,000 rounds and %v in 2,000", isa, one, two)
		}
	}
}
