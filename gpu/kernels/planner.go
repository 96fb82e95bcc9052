package kernels

import (
	"math"
	"unsafe"

	"fieldbrain/field/exact"
)

// The shape of the belief's rays and grid (planner.cuh).
const (
	poses      = 13
	rayRows    = 32
	rayColumns = 128
	azimuths   = 256
	padded     = 34
	gridCells  = padded * padded * padded
	seenWords  = (gridCells + 31) / 32

	takeThreads = 256
	fanRows     = 4 // of a block
	giveBlocks  = 8
)

// Rays are the tables of a ray: what package brain/belief computes for itself, by
// the same formulas. A test of gpu/worker holds the two against each other.
type Rays struct {
	Directions [3][rayRows][azimuths + rayColumns]int32 // t per cell of each axis, 4096/|n|, signed
	Entries    [64]uint32                               // of a class: pass low, entropy high, Q15; from 32 on without entropy
}

// NewRays computes the tables.
func NewRays() *Rays {
	const turn = 2 * math.Pi / azimuths
	r := new(Rays)
	for row := range rayRows {
		up := elevation(row)
		for a := range r.Directions[0][row] {
			n := [3]float64{
				float64(exact.Cos(up) * exact.Cos((float64(a)+0.5)*turn)),
				float64(exact.Cos(up) * exact.Sin((float64(a)+0.5)*turn)),
				exact.Sin(up),
			}
			for i, v := range n {
				r.Directions[i][row][a] = int32(math.Floor(4096/v + 0.5))
			}
		}
	}
	for c := 1; c < 32; c++ { // class 0, the border, lets nothing pass
		p := 1 / (1 + exact.Exp(-float64(8*c-128)/32))
		entropy := -(float64(p*exact.Log(p)) + float64((1-p)*exact.Log(1-p))) / math.Ln2
		r.Entries[c] = q15(1-p) | q15(entropy)<<16
		r.Entries[c+32] = q15(1 - p)
	}
	return r
}

// elevation is that of a row in rad: rows that look down meet the floor at equal
// distances from each other, the others share the sonar's cone.
func elevation(row int) float64 {
	const downward, highest = 24, 12 * math.Pi / 180
	if row < downward {
		return -exact.Atan2(0.08, 0.15+float64(float64(row)*0.1))
	}
	return float64(float64(row-downward)+0.5) * (highest / (rayRows - downward))
}

func q15(v float64) uint32 { return uint32(math.Floor(float64(v*32767) + 0.5)) }

// A Planner is where the planner's kernels find things, as they read it
// (planner.cuh); what they keep to themselves follows it.
type Planner struct {
	Job, Answer, Planned Address // gpu.PlanJob, gpu.PlanAnswer, uint64, in pinned memory
	Rays, Belief         Address
}

// Sizes of the kernels' structs; a test compares them.
const (
	PlannerBytes = 5*8 + 8 + 4*4 + poses*32 + 4*seenWords +
		4*poses*rayRows*(rayColumns/32) + 4*poses*rayRows*rayColumns + 4 // rounded up to a multiple of 8
	BeliefBytes = 4*4*seenWords + gridCells
)

// RestGrid returns the grid in which everything is unknown.
func RestGrid() []int8 {
	grid := make([]int8, gridCells)
	edge := func(i int) bool { return i%padded == 0 || i%padded == padded-1 }
	for i := range grid {
		if edge(i) || edge(i/padded) || edge(i/padded/padded) {
			grid[i] = -128
		}
	}
	return grid
}

// BeliefGrid is where the grid begins in the belief's memory.
const BeliefGrid = 4 * 4 * seenWords

// planning lists the memory that the planner needs.
func planning() []Region {
	return []Region{{"rays", int(unsafe.Sizeof(Rays{}))}, {"belief", BeliefBytes}, {"planner", PlannerBytes}}
}

// Stages of a job, in this order: the numbers of PlanLaunches.
const (
	StageTake = iota
	StagePropagate
	StageMark
	StageSettle
	StageFans
	StagePlanned
)

// PlanLaunches returns how the stages of a job are started. Their one argument is
// the device address of a Planner.
func PlanLaunches() []Launch {
	return []Launch{
		{Kernel: "fieldbrain_take", Blocks: 16, Threads: takeThreads},
		{Kernel: "fieldbrain_propagate", Blocks: 1, Threads: 32},
		{Kernel: "fieldbrain_mark", Blocks: rayRows, Threads: rayColumns},
		{Kernel: "fieldbrain_settle", Blocks: (gridCells + takeThreads - 1) / takeThreads, Threads: takeThreads},
		{Kernel: "fieldbrain_fans", Blocks: poses * rayRows / fanRows, Threads: fanRows * rayColumns},
		{Kernel: "fieldbrain_planned", Blocks: poses + giveBlocks, Threads: rayColumns},
	}
}
