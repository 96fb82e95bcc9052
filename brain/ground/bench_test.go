package ground

import (
	"testing"
)

// busy is a grid as a drive leaves it.
func busy(t testing.TB) *Grid {
	g := create(t)
	for n := range 64 {
		at := Pose{0, 0, float32(n) * 0.1}
		for range 5 {
			g.Beam(at, front(1.2+float32(n%3)*0.3))
		}
	}
	g.Drive(Pose{})
	return g
}

func BenchmarkBeam(b *testing.B) {
	g := busy(b)
	for b.Loop() {
		g.Beam(Pose{}, front(1.9))
	}
}

// BenchmarkSweeps is what a tick asks: 15 arcs forward and backward over 1 m.
func BenchmarkSweeps(b *testing.B) {
	for _, c := range []struct {
		name string
		grid *Grid
	}{{"room", busy(b)}, {"unknown", create(b)}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				for n := range 15 {
					k := float32(n-7) * 0.87
					_ = c.grid.Sweep(Pose{}, k, 1, false)
					_ = c.grid.Sweep(Pose{}, k, 1, true)
				}
			}
		})
	}
}

func BenchmarkForget(b *testing.B) {
	g := busy(b)
	for b.Loop() {
		g.Forget(0.005, 0.002, 0.005)
	}
}

func BenchmarkClearance(b *testing.B) {
	g := busy(b)
	for b.Loop() {
		_ = g.Clearance(0.1, 0.1)
	}
}
