//go:build cuda

package worker

/*
#cgo noescape worker_begin
#cgo nocallback worker_begin
#include "planner.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// equip puts the planner's tables and its kernels into place. Its jobs run on the
// stream of lowest priority, beside the ticks.
func (w *Worker) equip(*Options) error {
	rays, grid := kernels.NewRays(), kernels.RestGrid()
	planner := kernels.Planner{Rays: w.Arena.Address("rays"), Belief: w.Arena.Address("belief")}
	planner.Job = w.Arena.Address("job")
	planner.Answer, planner.Planned = w.window.plan()
	for _, c := range []struct {
		what  string
		to    kernels.Address
		from  unsafe.Pointer
		bytes uintptr
	}{
		{"rays", planner.Rays, unsafe.Pointer(rays), unsafe.Sizeof(*rays)},
		{"empty belief", planner.Belief + kernels.BeliefGrid, unsafe.Pointer(&grid[0]), uintptr(len(grid))},
		{"planner", w.Arena.Address("planner"), unsafe.Pointer(&planner), unsafe.Sizeof(planner)},
	} {
		if err := cu.MemcpyHtoD(cu.DevicePtr(c.to), c.from, int64(c.bytes)); err != nil {
			return fmt.Errorf("worker: copy the %s to the device: %w", c.what, err)
		}
	}
	if err := cu.Synchronize(); err != nil { // the planner's stream waits for no other
		return fmt.Errorf("worker: copy to the device: %w", err)
	}
	w.planner = newLauncher(w.spare, w.Arena.Address("planner"), gpu.WaitBlock)
	w.later(func() error {
		return errors.Join(w.spare.Synchronize(), w.planner.free()) // a job may be under way
	})
	launches := kernels.PlanLaunches()
	if len(launches) > C.FIELDBRAIN_KERNELS {
		return fmt.Errorf("worker: the planner has %d kernels, at most %d have room", len(launches), C.FIELDBRAIN_KERNELS)
	}
	for i := range launches {
		if err := fill(&w.planner.c.kernels[i], w.module, &launches[i]); err != nil {
			return err
		}
	}
	w.planner.c.count = C.uint32_t(len(launches))
	return nil
}

// stages returns what a job needs, a bit per kernel.
func stages(job *gpu.PlanJob) uint32 {
	which := uint32(1<<kernels.StageTake | 1<<kernels.StagePlanned)
	if job.Parts&gpu.PlanTakesMotion != 0 {
		which |= 1 << kernels.StagePropagate
	}
	if job.Parts&gpu.PlanTakesScan != 0 {
		which |= 1<<kernels.StageMark | 1<<kernels.StageApply
	}
	if job.NumFans > 0 {
		which |= 1 << kernels.StageFans
	}
	return which
}

// begin starts the job in the page and returns. It refuses a job that the client
// could not mean.
func (w *Worker) begin() error {
	job := &w.window.page.Plan.Job
	if err := job.Validate(); err != nil {
		return err
	}
	if done := w.window.planned(); done != w.begun {
		return fmt.Errorf("worker: plan %d while plan %d is under way", job.Sequence, w.begun)
	}
	w.window.propose()
	w.begun, w.parts = job.Sequence, job.Parts
	from := unsafe.Pointer(&w.window.seen.Plan.Job) // no memory of Go's
	return fault("begin a plan", C.worker_begin(w.planner.c, C.uint32_t(stages(job)),
		C.CUdeviceptr(w.Arena.Address("job")), from, C.size_t(unsafe.Sizeof(*job))))
}

// plan is where the device finds the answer and the answer's number.
func (w *window) plan() (answer, planned kernels.Address) {
	var p gpu.Page
	at := w.device + kernels.Address(unsafe.Offsetof(p.Plan))
	return at + kernels.Address(unsafe.Offsetof(p.Plan.Answer)), at + kernels.Address(unsafe.Offsetof(p.Plan.Planned))
}

// planned is the number of the newest finished job.
func (w *window) planned() uint64 { return atomic.LoadUint64(&w.seen.Plan.Planned) }

// propose hands a job to the device.
func (w *window) propose() {
	if !w.registered() {
		w.seen.Plan.Job.Copy(&w.page.Plan.Job)
	}
}

// relay hands the client the answer to a job with these parts, if there is a new
// one: where the device does not see the page, with the next order after it.
func (w *window) relay(parts uint32) {
	if w.registered() {
		return
	}
	if done := w.planned(); done != w.page.Plan.Planned {
		w.page.Plan.Answer.Copy(&w.seen.Plan.Answer, parts)
		atomic.StoreUint64(&w.page.Plan.Planned, done)
	}
}
