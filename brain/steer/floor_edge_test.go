package steer

import (
	"math"
	"testing"
)

// TestFloorEdges: no wheel comes past a floor edge, however the car goes, but square on, where the
// bar sees it first; who is past one may go along it and away.
func TestFloorEdges(t *testing.T) {
	at := func(turn, far float64) []FloorEdge {
		return []FloorEdge{{X: math.Cos(turn), Y: math.Sin(turn), Far: far}}
	}
	ends := func(l []FloorEdge, low, high float64) []FloorEdge { l[0].Low, l[0].High = low, high; return l }
	for _, c := range []struct {
		name      string
		lines     []FloorEdge
		bend      float64 // 1/m
		back      bool
		low, high float64 // m
	}{
		{"none", nil, 0, false, 0.7, 0.7},
		{"square on", at(0, 0.3), 0, false, 0.7, 0.7},
		{"45 deg", at(45*deg, 0.3), 0, false, 0.24, 0.30}, // (0.3 - (0.094 + 0.0585) sin 45) / cos 45
		{"beside it", at(90*deg, 0.1), 0, false, 0.7, 0.7},
		{"beside it, to it", at(90*deg, 0.1), 6, false, 0.02, 0.10},
		{"beside it, away", at(90*deg, 0.1), -6, false, 0.7, 0.7},
		{"past it, away", at(90*deg, 0.03), -6, false, 0.7, 0.7},
		{"45 deg, it reaches as far", ends(at(45*deg, 0.3), -0.3, 0.5), 0, false, 0.24, 0.30},
		{"45 deg, it ends before", ends(at(45*deg, 0.3), 0, 0.5), 0, false, 0.7, 0.7}, // the axle is 0.17 m to its right there
		{"45 deg, the other way, it ends before", ends(at(-45*deg, 0.3), -0.5, 0), 0, false, 0.7, 0.7},
		{"behind", at(180*deg, 0.2), 0, true, 0.17, 0.21},
	} {
		b := floorEdges{long: 0.094, half: 0.0585}
		b.take(c.lines)
		if got := b.free(spot{}, c.bend, 0.7, c.back); got < c.low || got > c.high {
			t.Errorf("%s: %.3f m, want %.2f to %.2f", c.name, got, c.low, c.high)
		}
	}
}
