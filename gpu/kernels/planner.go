package kernels

import (
	"math"
	"unsafe"

	"fieldbrain/field/exact"
	"fieldbrain/gpu"
)

// Threads and blocks of the planner's kernels.
const (
	takeThreads = 256
	fanRows     = 4 // of a block
	giveBlocks  = 8 // of the last kernel, for the grid
)

// Rays are the tables of a ray: what package brain/belief computes for itself, by
// the same formulas. A test of gpu/worker holds the two against each other.
type Rays struct {
	Directions [3][gpu.PlanRows][gpu.PlanTurn + gpu.PlanColumns]int32 // t per cell of each axis, 4096/|n|, signed
	Entries    [64]uint32                                             // of a class: pass low, entropy high, Q15; from 32 on without entropy
}

// NewRays computes the tables.
func NewRays() *Rays {
	const turn = 2 * math.Pi / gpu.PlanTurn
	r := new(Rays)
	for row := range gpu.PlanRows {
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
	return float64(float64(row-downward)+0.5) * (highest / (gpu.PlanRows - downward))
}

func q15(v float64) uint32 { return uint32(math.Floor(float64(v*32767) + 0.5)) }

// A Planner is all that the planner's kernels work on, their one argument. Go
// writes the addresses; the rest is the kernels' own.
type Planner struct {
	Job     Address `c:"const PlanJob *"`       // a copy on the device
	Answer  Address `c:"volatile PlanAnswer *"` // pinned memory, this and the following
	Planned Address `c:"volatile uint64_t *"`
	Rays    Address `c:"const Rays *"`
	Belief  Address `c:"Belief *"`

	Sequence uint64 // of the job under way
	Parts    uint32
	NumFans  int32
	Ticket   uint32 // blocks of the answer that have finished
	_        uint32
	Fans     [gpu.PlanPoses]gpu.PlanFan
	Seen     [gpu.PlanSeen]uint32
	Visits   [gpu.PlanPoses][gpu.PlanRows][gpu.PlanColumns / 32]int32 // of a warp's rays, by their place in the fan
	Gains    [gpu.PlanPoses][gpu.PlanRows][gpu.PlanColumns]int32      // of a ray
}

// A Belief is the grid on the device.
type Belief struct {
	Marks [4][gpu.PlanSeen]uint32   // sets of cells, empty between two scans
	Odds  [gpu.PlanCells / 4]uint32 // int8, four to a word, z fastest
}

// RestGrid returns the grid in which everything is unknown.
func RestGrid() []int8 {
	grid := make([]int8, gpu.PlanCells)
	edge := func(i int) bool { return i%gpu.PlanPadded == 0 || i%gpu.PlanPadded == gpu.PlanPadded-1 }
	for i := range grid {
		if edge(i) || edge(i/gpu.PlanPadded) || edge(i/gpu.PlanPadded/gpu.PlanPadded) {
			grid[i] = gpu.PlanBorder
		}
	}
	return grid
}

// BeliefGrid is where the grid begins in the belief's memory.
const BeliefGrid = Address(unsafe.Offsetof(Belief{}.Odds))

// planning lists the memory that the planner needs.
func planning() []Region {
	return []Region{
		{"rays", int(unsafe.Sizeof(Rays{}))},
		{"belief", int(unsafe.Sizeof(Belief{}))},
		{"planner", int(unsafe.Sizeof(Planner{}))},
		{"job", int(unsafe.Sizeof(gpu.PlanJob{}))},
	}
}

// Stages of a job, in this order: the numbers of PlanLaunches.
const (
	StageTake = iota
	StagePropagate
	StageMark
	StageApply
	StageFans
	StagePlanned
)

// PlanLaunches returns how the stages of a job are started. Their one argument is
// the device address of a Planner.
func PlanLaunches() []Launch {
	return []Launch{
		{Kernel: "fieldbrain_take", Blocks: 16, Threads: takeThreads},
		{Kernel: "fieldbrain_propagate", Blocks: 1, Threads: 32},
		{Kernel: "fieldbrain_mark", Blocks: gpu.PlanRows, Threads: gpu.PlanColumns},
		{Kernel: "fieldbrain_apply", Blocks: (gpu.PlanCells + takeThreads - 1) / takeThreads, Threads: takeThreads},
		{Kernel: "fieldbrain_fans", Blocks: gpu.PlanPoses * gpu.PlanRows / fanRows, Threads: fanRows * gpu.PlanColumns},
		{Kernel: "fieldbrain_planned", Blocks: gpu.PlanPoses + giveBlocks, Threads: gpu.PlanColumns},
	}
}
