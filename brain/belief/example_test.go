package belief

import (
	"fmt"
	"testing"
)

func BenchmarkCast(bench *testing.B) {
	for _, isa := range ISAs() {
		for _, fill := range []struct {
			name              string
			occupied, unknown int
		}{{"empty", 0, 0}, {"2%", 20, 0}, {"half", 0, 16}} {
			bench.Run(isa+"/"+fill.name, func(bench *testing.B) {
				b, d := create(bench, isa), dice(1)
				litter(b, &d, fill.occupied, fill.unknown)
				var f Fan
				for bench.Loop() {
					f = Fan{Count: Rows}
					b.Cast(Place{0.01, 0.02, 1.5}, nil, &f)
				}
				bench.ReportMetric(float64(f.Visits)/MaxRays, "cells/ray")
			})
		}
	}
}

func BenchmarkInsert(bench *testing.B) {
	for _, isa := range ISAs() {
		bench.Run(isa, func(bench *testing.B) {
			b, s := create(bench, isa), new(Scan)
			for r := range Rows {
				for c := range Columns {
					s.Put(r, c, 1.2, Hit)
				}
			}
			for bench.Loop() {
				b.Insert(Place{0.01, 0.02, 1.5}, s)
			}
		})
	}
}

func Example() {
	b, err := New("auto")
	if err != nil {
		fmt.Println(err)
		return
	}
	look := func() float64 {
		f := Fan{First: Ahead(0), Count: Rows}
		b.Cast(Place{0, 0, 0.08}, nil, &f)
		return float64(f.Gain[Columns/2]) / One / Rows
	}
	fmt.Printf("straight ahead: %.1f bits per ray\n", look())
	for range 8 {
		b.Sonar(new(Scan), Pose{}, Beam{Range: 0.8, HalfWidth: 0.2, Height: 0.08})
	}
	fmt.Printf("free up to a wall: %.1f\n", look()) // the look reaches the floor behind it
	// Output:
	// straight ahead: 2.0 bits per ray
	// free up to a wall: 2.5
}
