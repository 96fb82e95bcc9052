//go:build !cuda

package worker_test

import (
	"errors"
	"testing"

	"fieldbrain/brain/belief"
	"fieldbrain/field"
	"fieldbrain/gpu"
)

// Plans are asked of the card again and again while it steps the field.
type plans struct {
	job    gpu.PlanJob
	answer gpu.PlanAnswer
	want   [gpu.PlanPoses]belief.Fan
	given  int
	taken  int
	err    error
}

// newPlans makes a job and what its answer must be.
func newPlans(t *testing.T) *plans {
	t.Helper()
	b, err := belief.New("auto")
	if err != nil {
		t.Fatal(err)
	}
	p := &plans{job: gpu.PlanJob{Parts: gpu.PlanTakesGrid, NumFans: gpu.PlanPoses}}
	for n := range 12 { // walls around
		bearing := float32(n) * 0.5
		b.Sonar(new(belief.Scan), belief.Pose{}, belief.Beam{Bearing: bearing, Range: 0.4 + 0.1*float32(n), HalfWidth: 0.2, Height: 0.08})
	}
	b.Grid(&p.job.Grid)
	for i := range p.want {
		from := belief.Place{X: 0.1 * float32(i-6), Y: 0.03 * float32(i), Z: 0.08}
		at, part, _ := b.Locate(from)
		p.want[i] = belief.Fan{First: 19 * i, Stride: 1, Count: belief.Rows}
		b.Cast(from, nil, &p.want[i])
		p.job.Fans[i] = gpu.PlanFan{Origin: gpu.PlanOrigin{At: at, Part: part}, First: int32(19 * i), Stride: 1, Count: belief.Rows}
	}
	return p
}

// step gives a job if none is under way, steps, and takes the answer if it is there.
func (p *plans) step(e *gpu.Engine, in *field.Input) (*field.Output, error) {
	switch err := e.Plan(&p.job); {
	case err == nil:
		p.given++
	case !errors.Is(err, gpu.ErrBusy):
		p.err = err
	}
	out, err := e.Step(in)
	if e.Planned(&p.answer) {
		p.taken++
	}
	return out, err
}

// judge compares the newest answer with the belief's own.
func (p *plans) judge(t *testing.T) {
	t.Helper()
	t.Logf("%d plans given, %d answers taken", p.given, p.taken)
	if p.taken == 0 {
		t.Fatalf("no plan was answered: %v", p.err)
	}
	for i := range p.want {
		if got, want := &p.answer.Fans[i], &p.want[i]; got.Gain != want.Gain || got.Visits != want.Visits || want.Visits == 0 {
			t.Errorf("fan %d: %d cells of bits %d, want %d", i, got.Visits, got.Total, want.Visits)
		}
	}
}
