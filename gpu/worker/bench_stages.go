//go:build cuda

package worker

import (
	"unsafe"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
)

// subject lets a load take turns: one run that is not timed and brings its
// memory back into the caches, then the one that counts. units of what is timed
// lie in the nodes.
func (r *rig) subject(name string, nodes []node, units int) (*bench.Subject, error) {
	l, err := r.load(nodes, max(1, r.burst/units))
	if err != nil {
		return nil, err
	}
	return &bench.Subject{Name: name, Turn: func() (float64, error) {
		us, err := l.span()
		return us / float64(units), err
	}}, nil
}

// ticks returns the nodes of one tick of a worker.
func (w *Worker) ticks() []node {
	var nodes []node
	for i, l := range w.program.Tick {
		nodes = append(nodes, node{launch: l, memory: w.Arena.Address("memory"), overlap: w.program.Overlap && i > 0})
	}
	return nodes
}

// stages makes the subjects of the table, the yardsticks first. Each stage alone
// works on sums, flips and marginals of its own, so that it can be
// repeated and the field stays as it is.
func (r *rig) stages() ([]bench.Stage, error) {
	var err error
	if r.scratch, err = r.memory(scratchBytes); err != nil {
		return nil, err
	}
	at := func(offset int) kernels.Address { return r.scratch + kernels.Address(offset) }
	two := func(b *kernels.Memory) { b.U = [2]kernels.Address{at(0), at(fieldBytes)} }
	sums := func(b *kernels.Memory) { b.Sums = at(scratchSums) }
	motor := func(b *kernels.Memory) {
		sums(b)
		b.Marginals, b.Flip = at(scratchSums+sumsBytes), at(scratchFlip)
	}
	program := r.program
	gradient := kernels.Launch{Kernel: "fieldbrain_gradient", Blocks: len(program.Work), Threads: 512}
	var stages []bench.Stage
	for _, s := range []struct {
		name   string
		launch kernels.Launch
		change func(*kernels.Memory)
		bytes  int
		note   string
	}{
		{bench.Copy, r.yardstick("fieldbrain_copy"), two, 2 * fieldBytes, ""},
		{bench.Scale, r.yardstick("fieldbrain_scale"), two, 2 * fieldBytes, ""},
		{bench.Prep, program.Tick[0], func(*kernels.Memory) {}, prepBytes(program), ""},
		{bench.Evolve, program.Tick[1], sums, program.Bytes(), "field evolution, gradient included"},
		{bench.Gradient, gradient, sums, gradientBytes(program), "in a pass of its own; inside evolve it costs no pass"},
		{bench.Motor, program.Tick[2], motor, motorBytes(), ""},
	} {
		at, err := r.variant(s.change)
		if err != nil {
			return nil, err
		}
		subject, err := r.subject(s.name, []node{{launch: s.launch, memory: at}}, 1)
		if err != nil {
			return nil, err
		}
		stages = append(stages, bench.Stage{Subject: subject, Bytes: s.bytes, Note: s.note})
	}
	pattern, _, err := r.matching()
	if err != nil {
		return nil, err
	}
	planner, err := r.planning()
	if err != nil {
		return nil, err
	}
	stages = append(stages, pattern, planner)
	cycle, err := r.subject(bench.Cycle, r.ticks(), 1)
	if err != nil {
		return nil, err
	}
	return append(stages, bench.Stage{Subject: cycle, Bytes: prepBytes(program) + program.Bytes() + motorBytes()}), nil
}

// yardstick launches a yardstick with a thread per four cells.
func (r *rig) yardstick(kernel string) kernels.Launch {
	const threads = field.Plane
	return kernels.Launch{Kernel: kernel, Blocks: fieldBytes / 16 / threads, Threads: threads}
}

// prepBytes is what K1 moves at least: the input, the frame, and the distinct
// cells that the body's motion displaces, each way.
func prepBytes(p *kernels.Program) int {
	n := int(unsafe.Sizeof(field.Input{})) + int(unsafe.Sizeof(kernels.Frame{}))
	for _, c := range p.Moved {
		n += 8 * p.Layout.Storage[c].Mask.Cells()
	}
	return n
}

// gradientBytes is what a pass over the outputs alone reads: half of what evolve
// moves, without the traces, which no block of it owns.
func gradientBytes(p *kernels.Program) int {
	n := 0
	for _, w := range p.Work {
		each := 4
		if k := field.Kind(p.Constants.Channels[w.Channel].Kind); p.Half && (k == field.Amari || k == field.Linear) {
			each = 2
		}
		n += each * p.Layout.Storage[w.Channel].Size() / int(w.Parts)
	}
	return n
}

// motorBytes is what K3 moves: sums, marginals and the answer.
func motorBytes() int { return 3*sumsBytes + int(unsafe.Sizeof(gpu.Answer{})) }
