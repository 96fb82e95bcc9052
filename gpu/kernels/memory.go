package kernels

import (
	"unsafe"

	"fieldbrain/field"
)

// An Address is a place in the device's memory.
type Address uint64

// A Memory is all that the kernels work on, as they read it: its tags say what
// lies at an address. It is copied to the device once, before the first tick;
// every kernel's one argument is its address there.
//
// Each channel has two places for its activations and Flip says which holds the
// present ones: an update reads one and writes the other, so that no cell ever
// waits for its neighbours.
type Memory struct {
	Constants Address    `c:"const Constants *"`
	Frame     Address    `c:"Frame *"`
	Predictor Address    `c:"Predictor *"`
	Library   Address    `c:"Library *"`
	Patterns  Address    `c:"float *"`                   // MaxPatterns patterns, then MaxEpisodes episodes
	U         [2]Address `c:"float *"`                   // activations in the layout's order
	Half      [2]Address `c:"uint16_t *"`                // the same in half precision; traces and maps never are
	Moved     Address    `c:"float *"`                   // displaced distinct cells of egocentric channels, packed, from the channel's offset on
	Marginals Address    `c:"Marginal *"`                // of the present outputs, per distinct cell
	Sums      Address    `c:"Marginal *"`                // of the outputs under way, per stored cell
	Flip      Address    `c:"int32_t *"`                 // per channel
	Tasks     Address    `c:"const Task *"`              // per block of the preparation
	Work      Address    `c:"const Work *"`              // per block of the evolve pass
	Children  Address    `c:"int32_t *"`                 // traces that follow a channel, -1 behind the last
	In        Address    `c:"volatile const Input *"`    // pinned memory, this and the following
	Out       Address    `c:"volatile Answer *"`         //
	Request   Address    `c:"volatile const uint32_t *"` // number of the order under way
	Answered  Address    `c:"volatile uint64_t *"`       // where the last kernel stores it
	Cells     Address    `c:"volatile float *"`          // of one section, for reading and writing
	Channel   Address    `c:"volatile const uint32_t *"` // which one

	Halves, Dense int32 // 1: half precision is on; the step is dense
	Overlap       int32 // 1: the evolve pass may begin while the preparation runs
	Together      int32 // 1: all blocks of the preparation run at once

	Stamps Address `c:"Stamp *"` // where a diagnostic build notes the time, see Stamp
}

// Stages of a tick whose blocks are counted (Frame.Began, Ended): the preparation, the
// evolve pass; and of the preparation's blocks those that displace channels, whose end the
// interaction there waits for, and that which learns to predict, whose end the tick's does.
const (
	stagePrep = iota
	stageEvolve
	stageMove
	stageLearn
	stages
)

// A Frame carries the preparation's results to the evolve pass and to the end of the
// tick. It stays on the device: Go only makes room for it.
type Frame struct {
	Tick                      uint64         // number of the input, and of the request that it came with
	Began, Ended              [stages]uint64 // blocks that ever began, and ended, by stage
	Brought                   uint64         // how often one of them has brought the input
	Input                     field.Input
	Request                   uint32
	Run                       [field.Channels]int32
	Coef                      [field.Channels]field.Coef
	TickKey                   uint32
	Moving                    int32                     // the body moved: egocentric channels lie in Memory.Moved
	Start                     [field.Channels + 1]int32 // terms of channel c: Index[Start[c]:Start[c+1]]
	Index                     [field.MaxRows]int32
	Amp                       [field.MaxRows]float32
	Rows                      [field.MaxRows][3]field.Row
	Weight                    [field.MaxCouplings]float32 // 0 marks a silent source
	Proj                      [field.MaxCouplings][field.Plane]float32
	MovedSum                  [field.Channels][field.Side]int32 // summed outputs of a displaced channel, by the part that a block has
	Obstacle, Hazard, Visited [field.Plane]float32
	Blocked, Heading          field.Row
	NotFinite                 int32
	Cue                       Cue
}

// A Stamp is what a block of a tick's kernels notes of itself in a diagnostic build
// (make stamps), Memory.Stamps[kernel][block].
type Stamp struct {
	Clock     [StampPhases]uint64 // cycles of its multiprocessor's clock behind each phase, 0: it had none
	Began     uint64              // ns of the card's timer
	Processor uint32              // which multiprocessor
	_         uint32
}

// Sizes of Memory.Stamps.
const (
	StampPhases = 10
	StampBlocks = 256
)

// A Cue is the part of the input that the end of the tick needs.
type Cue struct {
	Marks   [field.NumSenses / 4]float32 // entries 32..47 of the context
	Due     int32                        // 1: a context is to be made
	Phase   int32                        // ticks since the newest episode began
	Most    int32                        // how many patterns are recalled
	Outcome float32
}

// A Region is a part of the device's memory that a Program needs.
type Region struct {
	Name  string
	Bytes int
}

// Regions lists the memory that a Program needs on the device, in the order of the
// arena. Parts that a later step fills have their place and no bytes yet.
func (q *Program) Regions() []Region {
	half := 0
	if q.Half {
		half = 2 * q.Layout.Cells
	}
	moved := 0
	if len(q.Moved) > 0 {
		moved = 4 * q.Layout.Cells
	}
	return append([]Region{
		{"memory", int(unsafe.Sizeof(Memory{}))},
		{"constants", int(unsafe.Sizeof(field.Constants{}))},
		{"frame", int(unsafe.Sizeof(Frame{}))},
		{"marginals", field.Channels * int(unsafe.Sizeof(field.Marginal{}))},
		{"sums", field.Channels * int(unsafe.Sizeof(field.Marginal{}))},
		{"flip", 4 * field.Channels},
		{"tasks", len(q.Tasks) * int(unsafe.Sizeof(Task{}))},
		{"work", len(q.Work) * int(unsafe.Sizeof(Work{}))},
		{"children", 4 * len(q.Children)},
		{"activation 0", 4 * q.Layout.Cells},
		{"activation 1", 4 * q.Layout.Cells},
		{"half 0", half},
		{"half 1", half},
		{"displaced", moved},
		{"prediction", 4 * field.PredictorCells},
		{"library", int(unsafe.Sizeof(field.Library{}))},
		{"patterns", 4 * q.Patterns},
	}, planning()...)
}

// Memory fills in everything but the places of pinned memory. at returns where a
// region lies.
func (q *Program) Memory(at func(region string) Address) Memory {
	b := Memory{
		Constants: at("constants"), Frame: at("frame"), Predictor: at("prediction"),
		Library: at("library"), Patterns: at("patterns"),
		U:     [2]Address{at("activation 0"), at("activation 1")},
		Half:  [2]Address{at("half 0"), at("half 1")},
		Moved: at("displaced"), Marginals: at("marginals"), Sums: at("sums"), Flip: at("flip"),
		Tasks: at("tasks"), Work: at("work"), Children: at("children"),
	}
	if q.Half {
		b.Halves = 1
	}
	if q.Layout.Step == field.Dense {
		b.Dense = 1
	}
	if q.Overlap {
		b.Overlap = 1
	}
	if q.Together {
		b.Together = 1
	}
	return b
}
