//go:build cuda

package worker

import (
	"cmp"
	"slices"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
)

// A lack is an input that lacks a part of the frozen one, or has one more.
type lack struct {
	name   string
	change func(in *field.Input)
}

// lacks are what the preparation's tasks depend on, and the traces. The frozen input has
// no frame of the senses, which is one tick in two.
func lacks() []lack {
	return []lack{
		{"the body stands", func(in *field.Input) { in.Forward, in.Turn = 0, 0 }},
		{"no stimulus", func(in *field.Input) { in.NumTerms = 0 }},
		{"20 stimuli", func(in *field.Input) { in.NumTerms = min(in.NumTerms, 20) }},
		{"no beam", func(in *field.Input) { in.NumBeams = 0 }},
		{"one beam", func(in *field.Input) { in.NumBeams = min(in.NumBeams, 1) }},
		{"a frame of the senses", func(in *field.Input) { in.Senses.Frame = true }},
		{"traces rest", func(in *field.Input) { in.Tick |= 1 }},
	}
}

// pieces makes the subjects that show what the preparation and the evolve pass spend
// their time on: both with less to do. Behind each turn the preparation has run once
// more with the frozen input, which the rows after it expect.
func (r *rig) pieces(stages []bench.Stage) ([]bench.Stage, error) {
	var list []bench.Stage
	whole := map[string]bench.Stage{}
	for _, s := range stages {
		whole[s.Name] = s
	}
	for _, l := range lacks() {
		for _, of := range []string{bench.Prep, bench.Cycle} {
			if of == bench.Prep && l.name == "traces rest" {
				continue // it does the same
			}
			s := whole[of]
			s.Subject, s.Note = r.lacking(l, s.Subject, whole[bench.Prep].Subject), ""
			list = append(list, s)
		}
	}
	for _, some := range []struct {
		name string
		of   func(w kernels.Work) bool
		most int
	}{
		{"the longest block alone", func(kernels.Work) bool { return true }, 1},
		{"channels that interact", func(w kernels.Work) bool { return r.kind(w) == field.Amari }, len(r.program.Work)},
		{"linear channels", func(w kernels.Work) bool { return r.kind(w) == field.Linear }, len(r.program.Work)},
	} {
		s, err := r.blocks(some.name, some.of, some.most)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func (r *rig) kind(w kernels.Work) field.Kind {
	return field.Kind(r.program.Constants.Channels[w.Channel].Kind)
}

// lacking lets a subject take its turn with another input.
func (r *rig) lacking(l lack, of, prep *bench.Subject) *bench.Subject {
	return &bench.Subject{Name: of.Name + ", " + l.name, Turn: func() (float64, error) {
		in := r.frozen
		l.change(&in)
		r.seen().In = in
		us, err := of.Turn()
		r.freeze()
		if err != nil {
			return 0, err
		}
		_, err = prep.Turn()
		return us, err
	}}
}

// blocks makes the stage of an evolve pass with some of its blocks.
func (r *rig) blocks(name string, of func(kernels.Work) bool, most int) (bench.Stage, error) {
	var some []kernels.Work
	for _, w := range r.program.Work {
		if of(w) {
			some = append(some, w)
		}
	}
	if most < len(some) { // the order of the work pairs long ones with short ones
		slices.SortStableFunc(some, func(a, b kernels.Work) int { return cmp.Compare(r.program.Length(b), r.program.Length(a)) })
		some = some[:most]
	}
	bytes := len(some) * int(unsafe.Sizeof(some[0]))
	list, err := r.memory(bytes)
	if err != nil {
		return bench.Stage{}, err
	}
	if err := cu.MemcpyHtoD(cu.DevicePtr(list), unsafe.Pointer(&some[0]), int64(bytes)); err != nil {
		return bench.Stage{}, err
	}
	memory, err := r.variant(func(b *kernels.Memory) { b.Sums, b.Work = r.scratch+scratchSums, list })
	if err != nil {
		return bench.Stage{}, err
	}
	launch := r.program.Tick[1]
	launch.Blocks = len(some)
	subject, err := r.subject(bench.Evolve+", "+name, []node{{launch: launch, memory: memory}}, 1)
	moved := 0
	for _, w := range some {
		moved += 8 * r.program.Layout.Storage[w.Channel].Size() / int(w.Parts)
	}
	return bench.Stage{Subject: subject, Bytes: moved}, err
}
