package testbench

import (
	"math"
	"testing"

	"fieldbrain/testbench/world"
)

// TestBrinksOfALongDrive: a sensor past one side again and again leaves one note with the
// newest time, and room for the sides that are met late.
func TestBrinksOfALongDrive(t *testing.T) {
	var list []brink
	south := world.Vec{Y: -1}
	for i := range 100_000 {
		list = noted(list, brink{at: world.Vec{X: 0.01 * float64(i%100)}, out: south, when: float64(i)})
	}
	if most := int(math.Ceil(1/sideNear)) + 2; len(list) > most {
		t.Errorf("%d notes of 1 m of edge, want at most %d", len(list), most)
	}
	newest := 0.0
	for i := range list {
		newest = math.Max(newest, list[i].when)
	}
	if newest != 99_999 {
		t.Errorf("newest of %v s, want 99999", newest)
	}
	late := brink{at: world.Vec{X: 1, Y: 1}, out: world.Vec{X: 1}, when: 1e5}
	if list = noted(list, late); list[len(list)-1] != late {
		t.Error("a side that was met late is not noted")
	}
}
