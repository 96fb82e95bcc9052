package field_test

import (
	"math"
	"testing"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// mirrored returns the bin on the other side of straight ahead.
func mirrored(x int) int { return (field.Side - x) % field.Side }

// TestHeadingMirror: a mirrored world gives the mirrored heading input.
func TestHeadingMirror(t *testing.T) {
	rng := fresh(t)
	for range tier.Fewer(t, "worlds", 100, 15) {
		var in field.Input
		randomInput(rng, &in)
		in.Quality = field.Full()
		var s [2]field.Row
		for side, sign := range []float32{1, -1} {
			q := prepare(field.Default())
			q.in = in
			q.in.Turn *= sign
			for i := range q.in.Beams {
				q.in.Beams[i].Bearing *= sign
			}
			d := &q.in.Drive
			d.Goal, d.Line, d.Side = d.Goal*sign, d.Line*sign, d.Side*sign
			if sign < 0 {
				q.in.Edges[0], q.in.Edges[2] = q.in.Edges[2], q.in.Edges[0]
			}
			// Recalled and planned headings, mirrored too.
			for c, at := range map[int]float64{field.HeadPref: 20, field.PlanHead: 9} {
				for x := range field.Side {
					to := x
					if sign < 0 {
						to = mirrored(x)
					}
					d := float64(x) - at
					q.outputs[q.layout.Storage[c].Index(to, 0, 0)] = uint16(field.One / 2 * math.Exp(-d*d/8))
				}
			}
			for range 20 {
				q.Tick(&q.in)
			}
			s[side] = q.Out.Heading
		}
		for x, v := range s[0] {
			if m := s[1][mirrored(x)]; !(math.Abs(float64(v-m)) <= 1e-4) {
				t.Fatalf("bin %d has %v, its mirror %v", x, v, m)
			}
		}
	}
}

// TestHeadingInput checks each part of B.5.3 alone.
func TestHeadingInput(t *testing.T) {
	const deg = math.Pi / 180
	at := func(psi float64) int { return int(math.Round(field.BearingBin(psi * deg))) }
	gauss := func(d, width float64) float64 { return math.Exp(-d * d / (2 * width * width)) }
	for _, tt := range []struct {
		name  string
		why   string
		drive field.Drive
		psi   float64 // deg, a multiple of 11.25
		want  float64
	}{
		{"ahead", "A_fwd = 6", field.Drive{}, 0, 6},
		{"ahead, 45 deg", "one width away", field.Drive{}, 45, 6 * gauss(1, 1)},
		{"behind", "-10 beyond 100 deg", field.Drive{}, 180, 6*gauss(4, 1) - 10},
		{"on a line", "A_fwd = 2", field.Drive{OnLine: true}, 0, 2},
		{"goal", "A_goal = 5, 22.5 deg wide", field.Drive{OnLine: true, Goal: -90 * deg, GoalWeight: 1}, -67.5, 5*gauss(1, 1) + 2*gauss(1.5, 1)},
		{"half a goal", "the weight scales it", field.Drive{OnLine: true, Goal: -90 * deg, GoalWeight: 0.5}, -90, 2.5 + 2*gauss(2, 1)},
		{"line", "A_line = 7, together clipped at 7", field.Drive{OnLine: true, LineWeight: 1}, 0, 7},
		{"memory left", "5 at side 70 deg, 30 deg wide", field.Drive{OnLine: true, Side: 1, Memory: 1}, 67.5, 5*gauss(2.5/30, 1) + 2*gauss(1.5, 1)},
		{"memory right", "mirrored", field.Drive{OnLine: true, Side: -1, Memory: 1}, -67.5, 5*gauss(2.5/30, 1) + 2*gauss(1.5, 1)},
		{"broken goal", "NaN is no goal", field.Drive{Goal: float32(math.NaN()), GoalWeight: 1}, 0, 6},
		{"broken weight", "weights end at 1", field.Drive{OnLine: true, Goal: 90 * deg, GoalWeight: 1e30}, 90, 5 + 2*gauss(2, 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := prepare(field.Default())
			q.in.Drive = tt.drive
			q.Tick(&q.in)
			if got := float64(q.Out.Heading[at(tt.psi)]); !(math.Abs(got-tt.want) <= 1e-5) {
				t.Errorf("S at %v deg = %v, want %v: %s", tt.psi, got, tt.want, tt.why)
			}
		})
	}
}

// TestHeadingRepelled: an obstacle pushes its bearing down and its neighbours
// less, near ones more than far ones, and the gate holds back a pattern's pull behind it.
func TestHeadingRepelled(t *testing.T) {
	look := func(r float32, recall bool) (field.Row, field.Row) {
		q := prepare(field.Default())
		if r > 0 {
			q.in.NumBeams, q.in.Beams[0] = 1, field.Beam{Range: r, Bearing: float32(field.Bearing(20))}
		}
		if recall {
			q.outputs[q.layout.Storage[field.HeadPref].Index(20, 0, 0)] = field.One
		}
		for range 100 {
			q.Tick(&q.in)
		}
		return q.Out.Heading, q.Out.Blocked
	}
	free, _ := look(0, false)
	far, _ := look(1.0, false)
	near, blocked := look(0.25, false)
	if !(near[20] < far[20] && far[20] < free[20]) {
		t.Errorf("S at the obstacle: near %v, far %v, free %v", near[20], far[20], free[20])
	}
	push := func(x int) float32 { return free[x] - near[x] }
	if !(push(20) > push(23) && push(23) > push(26) && push(26) > push(4)) {
		t.Errorf("push at and beside the obstacle: %v, %v, %v, opposite %v", push(20), push(23), push(26), push(4))
	}
	if !(blocked[20] > 0.9) || blocked[4] != 0 {
		t.Errorf("O = %v at the obstacle and %v opposite", blocked[20], blocked[4])
	}
	recalled, _ := look(0, true)
	gated, _ := look(0.25, true)
	if !(recalled[20] > free[20]) {
		t.Error("a recalled heading has no effect where the way is free")
	}
	if !(gated[20]-near[20] < 0.2*8) {
		t.Errorf("a recalled heading adds %v behind an obstacle", gated[20]-near[20])
	}
}

// TestHeadingClose: a share of the obstacles' push is waived, bit for bit as if obstacles
// repelled by that much less; what is no share waives none, more than all waives all.
func TestHeadingClose(t *testing.T) {
	look := func(repel, closeness float32) field.Row {
		p := field.Default()
		p.Heading.Repel = repel
		q := prepare(p)
		q.in.NumBeams, q.in.Beams[0] = 1, field.Beam{Range: 0.3, Bearing: float32(field.Bearing(20))}
		q.in.Drive.Close = closeness
		for range 100 {
			q.Tick(&q.in)
		}
		return q.Out.Heading
	}
	for _, tt := range []struct{ closeness, as float32 }{
		{0, 8}, {0.375, 5}, {1, 0}, {7, 0}, {-1, 8}, {float32(math.NaN()), 8}, {float32(math.Inf(1)), 0},
	} {
		if got, want := look(8, tt.closeness), look(tt.as, 0); got != want {
			t.Errorf("close %v: S = %v, want that of a gain of %v, %v", tt.closeness, got, tt.as, want)
		}
	}
	if look(8, 0) == look(8, 0.375) {
		t.Error("nothing is waived")
	}
}

// TestPunishedWayRepels: a punished way pushes the heading as far as a rewarded one
// pulls it, and no further than its bound. Without a
// library the channel is as any other and counts by its output.
func TestPunishedWayRepels(t *testing.T) {
	with := field.Default()
	with.Recall = field.DefaultLibrary()
	look := func(p field.Params, u float32) float32 {
		q := prepare(p)
		cells := make([]float32, len(q.outputs))
		cells[q.layout.Storage[field.HeadPref].Index(20, 0, 0)] = u
		q.Recalls(cells, make([]float32, p.PatternCells()))
		q.Tick(&q.in)
		return q.Out.Heading[20]
	}
	gain := with.Heading.Recall
	rest := look(with, 0)
	for _, tt := range []struct {
		p       field.Params
		u, want float32
	}{
		{with, 0.1, 0.1 * gain},
		{with, -0.1, -0.1 * gain},
		{with, -1, -gain},
		{with, -3, -gain},
		{field.Default(), -1, 0},
	} {
		if got := look(tt.p, tt.u) - rest; math.Abs(float64(got-tt.want)) > 1e-5 {
			t.Errorf("recall %v, activation %v: the heading's input moves by %v, want %v", tt.p.Recall.Match, tt.u, got, tt.want)
		}
	}
}
