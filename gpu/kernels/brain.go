package kernels

import (
	"unsafe"

	"fieldbrain/field"
)

// An Address is a place in the device's memory.
type Address uint64

// A Brain is all that the kernels work on, as they read it (types.cuh). It is
// copied to the device once, before the first tick; every kernel's one argument
// is its address there.
type Brain struct {
	Constants, Frame Address
	Predictor        Address
	Library          Address
	Patterns         Address
	U, Half          [2]Address
	Moved            Address
	Marginals, Sums  Address
	Flip             Address
	Work, Children   Address
	In, Out          Address // field.Input and gpu.Answer, in pinned memory
	Request          Address // uint32: number of the order under way
	Answered         Address // uint64: where the last kernel stores it
	Cells            Address // one channel's cells
	Channel          Address // uint32: which channel
	NumWork          int32
	NumMoved         int32
	Halves, Dense    int32
	MovedChannels    [field.Channels]int32
}

// FrameBytes is the size of the kernels' Frame; a test compares it.
const FrameBytes = 0 +
	4*field.Channels + 40*field.Channels + 4 + 4 + // run, coef, key, moving
	4*(field.Channels+1) + 8*field.MaxRows + 4*3*field.Side*field.MaxRows + // terms
	4*field.MaxCouplings + 4*field.MaxCouplings*field.Plane + // couplings
	4*field.Channels + 3*4*field.Plane + 2*4*field.Side + 4 + 4 + // displaced, maps, heading, counts
	4*field.NumSenses/4 + 4*4 // cue

// A Region is a part of the device's memory that a Plan needs.
type Region struct {
	Name  string
	Bytes int
}

// Regions lists the memory that a Plan needs on the device, in the order of the
// arena. Parts that a later step fills have their place and no bytes yet.
func (q *Plan) Regions() []Region {
	half := 0
	if q.Half {
		half = 2 * q.Layout.Cells
	}
	moved := 0
	if len(q.Moved) > 0 {
		moved = 4 * q.Layout.Cells
	}
	return append([]Region{
		{"brain", int(unsafe.Sizeof(Brain{}))},
		{"constants", int(unsafe.Sizeof(field.Constants{}))},
		{"frame", FrameBytes},
		{"marginals", field.Channels * int(unsafe.Sizeof(field.Marginal{}))},
		{"sums", field.Channels * int(unsafe.Sizeof(field.Marginal{}))},
		{"flip", 4 * field.Channels},
		{"work", len(q.Work) * int(unsafe.Sizeof(Work{}))},
		{"children", 4 * len(q.Children)},
		{"activation 0", 4 * q.Layout.Cells},
		{"activation 1", 4 * q.Layout.Cells},
		{"half 0", half},
		{"half 1", half},
		{"displaced", moved},
		{"prediction", 4 * field.LearnedCells},
		{"library", int(unsafe.Sizeof(field.Library{}))},
		{"patterns", 4 * q.Patterns},
	}, planning()...)
}

// Brain fills in everything but the places of pinned memory. at returns where a
// region lies.
func (q *Plan) Brain(at func(region string) Address) Brain {
	b := Brain{
		Constants: at("constants"), Frame: at("frame"), Predictor: at("prediction"),
		Library: at("library"), Patterns: at("patterns"),
		U:     [2]Address{at("activation 0"), at("activation 1")},
		Half:  [2]Address{at("half 0"), at("half 1")},
		Moved: at("displaced"), Marginals: at("marginals"), Sums: at("sums"), Flip: at("flip"),
		Work: at("work"), Children: at("children"),
		NumWork: int32(len(q.Work)), NumMoved: int32(len(q.Moved)),
	}
	if q.Half {
		b.Halves = 1
	}
	if q.Layout.Step == field.Dense {
		b.Dense = 1
	}
	copy(b.MovedChannels[:], q.Moved)
	return b
}
