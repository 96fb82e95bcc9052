//go:build cuda

package worker

import (
	"fmt"
	"unsafe"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
)

// The grid of the benchmark: a room whose walls stand a metre and a half from its
// middle, some furniture in it, all else free.
const (
	benchWall      = 12 // cells from the middle
	benchFree      = -64
	benchFurniture = 8 // of 1024 cells
	benchKey       = 0x706c616e
)

// benchJob asks for all rays of all poses, from around the middle of the room.
func benchJob(job *gpu.PlanJob) {
	*job = gpu.PlanJob{Sequence: 1, Parts: gpu.PlanTakesGrid | gpu.PlanTakesSeen, NumFans: gpu.PlanPoses}
	const middle = gpu.PlanPadded / 2
	for i := range job.Grid {
		x, y := i/gpu.PlanPadded/gpu.PlanPadded-middle, i/gpu.PlanPadded%gpu.PlanPadded-middle
		switch {
		case x == benchWall || x == -benchWall || y == benchWall || y == -benchWall, i%gpu.PlanPadded == 1:
			job.Grid[i] = gpu.PlanLimit
		case field.Mix(uint32(i)^benchKey)%1024 < benchFurniture:
			job.Grid[i] = gpu.PlanLimit / 2
		default:
			job.Grid[i] = benchFree
		}
	}
	for i := range job.Fans {
		x, y := int32(middle+i%4-2), int32(middle+i/4-2)
		job.Fans[i] = gpu.PlanFan{
			Origin: gpu.PlanOrigin{At: (x*gpu.PlanPadded+y)*gpu.PlanPadded + 2, Part: [3]int32{512, 300, 700}},
			First:  int32(gpu.PlanTurn * i / gpu.PlanPoses), Stride: 1, Count: gpu.PlanRows,
		}
	}
}

// planning makes the row of a whole job: the grid from the page, all rays, their
// sums into the page. Nobody else plans while the benchmark runs.
func (r *rig) planning() (bench.Stage, error) {
	benchJob(&r.seen().Plan.Job)
	job := &r.seen().Plan.Job
	nodes := []node{{memory: r.Arena.Address("job"), from: unsafe.Pointer(job), bytes: unsafe.Sizeof(*job)}}
	for stage, l := range kernels.PlanLaunches() {
		if stages(&r.seen().Plan.Job)>>stage&1 != 0 {
			nodes = append(nodes, node{launch: l, memory: r.Arena.Address("planner")})
		}
	}
	subject, err := r.subject(bench.Planner, nodes, 1)
	if err != nil {
		return bench.Stage{}, err
	}
	if _, err := subject.Turn(); err != nil { // to know how far the rays go
		return bench.Stage{}, err
	}
	const rays = gpu.PlanPoses * gpu.PlanRows * gpu.PlanColumns
	visits := int64(0)
	for i := range r.seen().Plan.Answer.Fans {
		visits += r.seen().Plan.Answer.Fans[i].Visits
	}
	moved := len(job.Grid) + int(unsafe.Sizeof(job.Seen)) + int(unsafe.Sizeof(gpu.PlanGain{}))*gpu.PlanPoses
	return bench.Stage{
		Subject: subject, Bytes: moved, Rays: rays,
		Note: fmt.Sprintf("13 poses, 4096 rays each, %.1f cells per ray; page to page", float64(visits)/rays),
	}, nil
}
