//go:build cuda

package worker

import (
	"math"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/testbench/tier"
)

// TestEqualShapes: channels of other shapes are displaced and coupled, in one part
// and in many: a volume that turns with the body, a line, sources and targets that
// share all axes, some and none.
func TestEqualShapes(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		s := setup(step)
		table := &s.Params.Table
		volume, line := &table[field.TargetSeen], &table[field.FirstUser]
		volume.Egocentric, line.Egocentric = true, true
		line.Regime = field.MEM1()
		s.Params.Couplings = []field.Coupling{
			{From: field.TargetSeen, To: field.FirstUser, Weight: 2},
			{From: field.TargetSeen, To: field.Speed, Weight: 2},
			{From: field.TargetSeen, To: field.Body, Weight: 0.5},
			{From: field.TargetSeen, To: field.Mode, Weight: 0.5},
			{From: field.Mode, To: field.FirstUser + 1, Weight: 1},
			{From: field.Ground, To: field.GoalMem, Weight: 3},
			{From: field.Body, To: field.RangeSeen, Weight: -1},
			{From: field.TargetSeen, To: field.GoalMem, Weight: 4},
		}
		got, want, d := open(t, s), newJudge(t, &s), exercise.New(3)
		seen := [field.Channels]bool{}
		ticks := 6 // until the volume has a peak, and a displaced one drives a coupling
		if step == field.Collapsed {
			ticks = tier.Count(t, "ticks", 8, 8, 60)
		}
		for tick := range ticks {
			in := d.Next()
			in.Forward, in.Turn = 0.01*float32(tick%3), 0.1*float32(tick%5-2)
			in.Add(field.Term{Channel: field.TargetSeen, A: 12, Centre: [3]float32{9, 12, 20}, Sigma: [3]float32{2, 2, 2}})
			in.Add(field.At(field.FirstUser, 12, 5.5, 2))
			together(t, got, want, in)
			in.NumTerms -= 2
			for c := range seen {
				seen[c] = seen[c] || got.out.Marginals[c].Total > 0
			}
		}
		for _, c := range []int{field.TargetSeen, field.FirstUser} {
			if !seen[c] {
				t.Errorf("%v: %s was silent: nothing to displace and to couple", step, table[c].Name)
			}
		}
	}
}

// TestEqualHuge: a stimulus may be anywhere that a number can say, and as narrow or
// as wide; what lies outside of the field leaves no trace in it.
func TestEqualHuge(t *testing.T) {
	s := setup(field.Collapsed)
	got, want, d := open(t, s), newJudge(t, &s), exercise.New(8)
	centres := []float32{1e9, -1e9, 3e38, -3e38, 1 << 24, 1 << 31, -1 << 31, 1 << 52, 1e18, 31.5, -0.5, 1e-40, 40, -9}
	sigmas := []float32{1.5, 1e-3, 1e-30, 1e6, 3e38}
	for i, sigma := range sigmas {
		in := d.Next()
		in.NumTerms = 0
		for j, c := range centres {
			for k, at := range [][3]float32{{c, 12, 0}, {7, c, 0}, {c, c, c}} {
				channel := []int{field.RangeSeen, field.GoalMem, field.TargetSeen}[(i+j+k)%3]
				if !in.Add(field.Term{Channel: channel, A: 3, Centre: at, Sigma: [3]float32{sigma, sigma, sigma}}) {
					t.Fatalf("the input has no room for a stimulus at %v", at)
				}
			}
		}
		in.NumBeams = 2
		in.Beams[0] = field.Beam{Bearing: 1e30, Range: 1, HalfWidth: sigma}
		in.Beams[1] = field.Beam{Bearing: float32(math.Pi), Range: 3e38, HalfWidth: -1}
		in.Drive.Goal, in.Drive.GoalWeight = -1e20, 1
		in.Drive.Close = []float32{0.375, 1e9, -1, float32(math.NaN()), 0.9}[i]
		together(t, got, want, in)
	}
	sameField(t, got, want)
}
