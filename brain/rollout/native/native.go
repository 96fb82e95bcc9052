//go:build cgo && !cuda && linux && (amd64 || arm64)

package native

/*
#cgo CXXFLAGS: -O3 -g1 -std=c++17 -Wall
#cgo noescape rollout_drive
#cgo nocallback rollout_drive
#cgo noescape rollout_gather
#cgo nocallback rollout_gather
#include "job.h"
*/
import "C"

import "fieldbrain/field/isa"

// Block and Cells are C's idea of a block and of a map's side, for the caller that
// compares them with Go's.
const (
	Block = C.BLOCK
	Cells = C.CELLS
)

// A Job is what does not change during a plan: brain/rollout says what it means.
type Job = C.Job

// Numbers are a job's floats in their order.
const Numbers = 36

// NewJob returns the job of its numbers.
func NewJob(n *[Numbers]float32, seed uint32, steps int) Job {
	f := func(i int) C.float { return C.float(n[i]) }
	return Job{
		x: f(0), y: f(1), cos: f(2), sin: f(3), speed: f(4), steering: f(5), turned: f(6), drove: f(7),
		gripped: f(8), slew: f(9), curve: f(10), dt: f(11), ahead: f(12), per_cell: f(13),
		keep: f(14), pulse_steer: f(15), pulse_speed: f(16), first_steer: f(17), first_speed: f(18),
		lock: f(19), back: f(20), fast: f(21), goal_x: f(22), goal_y: f(23),
		risk: f(24), lethal: f(25), crash: f(26), look: f(27), reach: f(28), goal: f(29),
		turn: f(30), reverse: f(31), backing: f(32), length: f(33), lean_steer: f(34), lean_speed: f(35),
		seed: C.uint32_t(seed), steps: C.int32_t(steps),
	}
}

// An ISA is an instruction set that this machine runs.
type ISA struct{ number C.int }

// Of returns the loops of an instruction set.
func Of(s isa.Set) ISA { return ISA{C.int(s)} }

// Blocks are the blocks First .. Last-1 of trajectories.
type Blocks struct{ First, Last int }

// Drive lets the trajectories of these blocks drive over a map and writes their costs.
func (i ISA) Drive(j *Job, cells []uint32, controls, costs []float32, b Blocks) {
	_, _, _ = cells[Cells*Cells-1], controls[2*j.steps-1], costs[Block*b.Last-1]
	C.rollout_drive(i.number, j, (*C.uint32_t)(&cells[0]), (*C.float)(&controls[0]), (*C.float)(&costs[0]), C.int(b.First), C.int(b.Last))
}

// Gather adds the weighted noise of these blocks to the sums.
func (i ISA) Gather(j *Job, controls, weights, sums []float32, b Blocks) {
	_, _, _ = controls[2*j.steps-1], weights[Block*b.Last-1], sums[2*Block*j.steps-1]
	C.rollout_gather(i.number, j, (*C.float)(&controls[0]), (*C.float)(&weights[0]), (*C.float)(&sums[0]), C.int(b.First), C.int(b.Last))
}
