package table_test

import (
	"fmt"
	"math"

	"fieldbrain/brain/table"
	"fieldbrain/robot"
)

// The car comes square on to the edge of a table, and goes back.
func Example() {
	var m table.Map
	for range 500 { // half a metre
		m.Update(&table.Look{Way: 0.001})
	}
	edge := [robot.NumFloor]bool{true, true, true}
	for _, way := range []float64{0.001, 0.001, 0.001, -0.002, -0.002} { // it stops behind the edge
		m.Update(&table.Look{Way: way, Edges: edge})
	}
	m.Update(&table.Look{Way: -0.002})
	left, ok := m.Wants(&table.View{Nose: 1})
	fmt.Println("a side was met:", m.Met(), "a way:", ok)
	fmt.Printf("%.2f m back, then %.0f deg to the left\n", m.Back(), left*180/math.Pi)
	fmt.Println("a goal 1 m ahead lies over the edge:", m.OverEdge(0, 1, 0.1))
	// Output:
	// a side was met: true a way: true
	// 0.68 m back, then 110 deg to the left
	// a goal 1 m ahead lies over the edge: true
}
