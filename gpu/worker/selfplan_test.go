//go:build cuda

package worker

import (
	"math"
	"testing"

	"fieldbrain/brain/belief"
	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// TestPlannerSelf holds the answer to the self-test's job against packages belief
// and plan, and its hash against the one that the card's program knows.
func TestPlannerSelf(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	d, job := open(t, setup(field.Collapsed)), new(gpu.PlanJob)
	selfJob(job)
	a := d.plan(job)
	b, scan := judged(t, job)
	b.Insert(placed(&job.Scan.Origin), scan)
	var grid [belief.GridCells]int8
	if b.Grid(&grid); a.Grid != grid {
		t.Error("the grid after the scan differs")
	}
	seen := belief.Seen(job.Seen)
	for i := range job.Fans {
		f := &job.Fans[i]
		if f.Stride == 0 {
			if rows := a.Fans[i].Rows; rows < 4 || rows >= f.Count {
				t.Errorf("adaptive fan %d has %d rows", i, rows)
			}
			continue // TestPlannerAdaptive
		}
		want := belief.Fan{First: int(f.First), Row: int(f.Row), Stride: int(f.Stride), Count: int(f.Count)}
		b.Cast(placed(&f.Origin), &seen, &want)
		wantFan(t, "fan of the self-test", &a.Fans[i], &want, int(f.Count))
	}
	end := &a.Paths.End[12]
	if got := math.Hypot(float64(end.X-job.Motion.From.X), float64(end.Y-job.Motion.From.Y)); got > 0.05 || end.Steering != job.Motion.Angles[12] {
		t.Errorf("the last action, to stand still, ends at %+v", end)
	}
	if got := hashPlan(a); got != selfPlanHash {
		t.Errorf("hash %#016x, the self-test wants %#016x", got, uint64(selfPlanHash))
	}
}

// judged is a belief of a job's grid, and its scan.
func judged(t *testing.T, job *gpu.PlanJob) (*belief.Belief, *belief.Scan) {
	t.Helper()
	b, err := belief.New("auto")
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range job.Grid {
		p := placed(&gpu.PlanOrigin{At: int32(i)})
		b.Set(p.X, p.Y, i%gpu.PlanPadded, int(v)) // outside it does nothing
	}
	s := &belief.Scan{First: int(job.Scan.First)}
	for r := range job.Scan.End {
		for c, end := range job.Scan.End[r] {
			s.Put(r, c, float32(end)/32768, job.Scan.Echo[r][c])
		}
	}
	return b, s
}

// placed is the place of an origin around the world's own: a cell has an eighth of
// a metre.
func placed(o *gpu.PlanOrigin) belief.Place {
	along := func(cell, part, first int32) float32 { return (float32(cell-first) + float32(part)/1024) / 8 }
	return belief.Place{
		X: along(o.At/gpu.PlanPadded/gpu.PlanPadded, o.Part[0], 17), Y: along(o.At/gpu.PlanPadded%gpu.PlanPadded, o.Part[1], 17),
		Z: along(o.At%gpu.PlanPadded, o.Part[2], belief.Body),
	}
}
