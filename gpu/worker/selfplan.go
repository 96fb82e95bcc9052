//go:build cuda

package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"fieldbrain/field"
	"fieldbrain/gpu"
)

// selfPlanHash is the hash of the answer to selfJob. The processor's side of it
// lives in brain/belief and brain/plan, which the card's program does not have:
// TestPlannerSelf holds the answer against them and the hash against the answer.
const selfPlanHash = 0x8a6fd39075c1c70d

// selfJob asks for everything at once: the benchmark's room, a scan of it, an
// overlay, fans of every kind, thirteen paths.
func selfJob(job *gpu.PlanJob) {
	benchJob(job)
	job.Parts |= gpu.PlanTakesScan | gpu.PlanTakesMotion | gpu.PlanGivesGrid
	for i := range job.Seen {
		job.Seen[i] = field.Mix(uint32(i)) & field.Mix(uint32(i)+1<<16)
	}
	for i := range job.Fans {
		f := &job.Fans[i]
		f.Stride = int32([]int{1, 2, 4, 8, 0}[i%5])
		f.Count = int32(gpu.PlanRows / max(f.Stride, 1))
	}
	s := &job.Scan
	s.Origin, s.First = job.Fans[6].Origin, 100
	for n := range uint32(700) {
		roll := field.Mix(n + 1<<20)
		row, c, echo := roll%gpu.PlanRows, roll>>5%gpu.PlanColumns, uint8(roll>>12&3)
		s.Rows[row], s.End[row][c], s.Echo[row][c] = 1, int32(roll>>14%(1<<17)+1), echo
		if s.Free[row][c] = s.End[row][c]; echo > 1 {
			s.Free[row][c] -= 4096
		}
	}
	m := &job.Motion
	m.From = gpu.PlanState{X: 0.3, Y: -1.7, Heading: 0.6435011, Speed: 0.2, Steering: -0.1}
	m.Cos, m.Sin, m.Grip, m.Slew, m.Curve, m.Ahead = 0.8, 0.6, 0.34, 0.26, 0.265, 0.05
	for i := range m.Angles {
		m.Angles[i] = float32(i-6) * 0.0625
		m.Speeds[i], m.Slopes[i] = float32(i%4)*0.125, m.Angles[i]
	}
}

// selfPlan runs selfJob on the card and holds its answer against what it must be.
func selfPlan(image []byte) (err error) {
	setup := gpu.Setup{Params: field.Default(), Step: field.Collapsed, Wait: gpu.WaitYield}
	r, err := openRig(&setup, image)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	selfJob(&r.window.page.Plan.Job)
	if err := r.begin(); err != nil {
		return err
	}
	if err := r.spare.Synchronize(); err != nil {
		return fmt.Errorf("worker: run a plan: %w", err)
	}
	r.window.relay(r.parts)
	if got := hashPlan(&r.window.page.Plan.Answer); got != selfPlanHash {
		return fmt.Errorf("%w: the plan's answer has hash %016x, want %016x", ErrDiffers, got, uint64(selfPlanHash))
	}
	return nil
}

// hashPlan is the hash of all that an answer says.
func hashPlan(a *gpu.PlanAnswer) uint64 {
	h := fnv.New64a()
	if err := binary.Write(h, binary.LittleEndian, a); err != nil { // every field has a fixed size
		panic(fmt.Sprintf("worker: hash a plan: %v", err))
	}
	return h.Sum64()
}
