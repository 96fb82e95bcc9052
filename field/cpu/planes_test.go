package cpu_test

import (
	"fmt"
	"math"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/testbench/heap"
	"fieldbrain/testbench/tier"
)

// reduced returns the parameters of the one-hash test with so many planes.
func reduced(planes int) field.Params {
	p := remembering()
	field.Reduce(&p.Table, planes)
	return p
}

// TestOneHashOfFewerPlanes: with 16 or 8 planes every instruction set, thread count and
// step has the same bits, which are those of no other number of planes.
func TestOneHashOfFewerPlanes(t *testing.T) {
	tier.Alone(t, "the workers are those of TestOneHash")
	seen := map[uint64]int{}
	for _, planes := range field.Planes() {
		first := uint64(0)
		for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
			for _, isa := range cpu.ISAs() {
				o := cpu.Options{ISA: isa, Threads: 1 + int(step), Step: step}
				if slow(o) {
					continue
				}
				t.Run(fmt.Sprintf("%d/%s/%s", planes, isa, step), func(t *testing.T) {
					got := hashAfter(t, reduced(planes), o, tier.Count(t, "ticks", 60, 300, 1000))
					if first == 0 {
						first = got
					}
					if got != first {
						t.Errorf("field and motors have the hash %#x, the first engine's have %#x", got, first)
					}
				})
			}
		}
		if other := seen[first]; other != 0 {
			t.Errorf("%d planes have the bits of %d", planes, other)
		}
		seen[first] = planes
	}
}

// hashAfter returns the hash of the field and of all marginals after some ticks.
func hashAfter(t *testing.T, p field.Params, o cpu.Options, ticks int) uint64 {
	t.Helper()
	e, err := cpu.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d, buf := exercise.New(7), make([]float32, field.Cells)
	sum := uint64(0)
	for range ticks {
		out, err := e.Step(d.Next())
		if err != nil {
			t.Fatal(err)
		}
		for c := range out.Marginals {
			sum = sum*31 + uint64(out.Marginals[c].Total)
		}
	}
	e.Read(field.TargetSeen, buf)
	if buf[0] == p.Table[field.TargetSeen].Regime.Resting {
		t.Error("TARGET never moved")
	}
	return sum ^ field.Hash(e)
}

// TestMarginalsOfFewerPlanes: the sums are those of the field that Read shows.
func TestMarginalsOfFewerPlanes(t *testing.T) {
	tier.Alone(t, "one goroutine steps engines without workers")
	for _, planes := range field.Planes()[1:] {
		start := exerciseCells(t, planes)
		for _, isa := range cpu.ISAs() {
			p := reduced(planes)
			e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			d, buf := exercise.New(3), make([]float32, field.Cells)
			e.Write(field.TargetSeen, start)
			var out *field.Output
			for range 20 {
				out, _ = e.Step(d.Next())
			}
			for c := range field.Channels {
				e.Read(field.Section(c), buf)
				if got, want := out.Marginals[c], plainMarginal(&p.Table[c], buf); got != want {
					t.Errorf("%s, %d planes, %s: total %d, want %d", isa, planes, p.Table[c].Name, got.Total, want.Total)
				}
			}
			if out.Marginals[field.TargetSeen].Total == 0 {
				t.Error("TARGET is silent: nothing was compared")
			}
		}
	}
}

// TestPlanesAreMeansOfBins: from a field whose bins are equal plane by plane, one tick of
// fewer planes gives the mean of what a tick of all 32 gives the bins of each.
func TestPlanesAreMeansOfBins(t *testing.T) {
	tier.Alone(t, "one goroutine steps engines without workers")
	term := field.Term{Channel: field.TargetSeen, A: 5, Centre: [3]float32{12, 20, 13.4}, Sigma: [3]float32{2, 2, 2}}
	for _, planes := range field.Planes()[1:] {
		start := exerciseCells(t, planes)
		after := func(planes int) []float32 {
			e, err := cpu.New(reduced(planes), cpu.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			in := field.Input{Quality: field.Full()}
			in.Add(term)
			e.Write(field.TargetSeen, start)
			if _, err := e.Step(&in); err != nil {
				t.Fatal(err)
			}
			u := make([]float32, field.Cells)
			e.Read(field.TargetSeen, u)
			return u
		}
		few, all := after(planes), after(field.Side)
		thick, worst, moved := field.Side/planes, 0.0, 0.0
		for at := 0; at < field.Cells; at += thick {
			mean := 0.0
			for _, v := range all[at:][:thick] {
				mean += float64(v) / float64(thick)
			}
			worst = max(worst, math.Abs(mean-float64(few[at])))
			moved = max(moved, math.Abs(mean-float64(start[at])))
		}
		if worst > 2e-3 || moved < 0.1 {
			t.Errorf("%d planes: %v from the mean of the bins, which moved by %v", planes, worst, moved)
		}
	}
}

// exerciseCells returns a channel with a peak, equal within each plane.
func exerciseCells(t *testing.T, planes int) []float32 {
	t.Helper()
	e, err := cpu.New(reduced(planes), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	in := field.Input{Quality: field.Full()}
	in.Add(field.Term{Channel: field.TargetSeen, A: 8, Centre: [3]float32{14, 18, 16}, Sigma: [3]float32{2, 2, 2}})
	for range 80 {
		if _, err := e.Step(&in); err != nil {
			t.Fatal(err)
		}
		in.Tick++
	}
	u := make([]float32, field.Cells)
	e.Read(field.TargetSeen, u)
	return u
}

// TestFewerPlanesAllocateNothing, as no tick does.
func TestFewerPlanesAllocateNothing(t *testing.T) {
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(reduced(8), cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		d := exercise.New(5)
		ticks := func() {
			for range 20 {
				_, _ = e.Step(d.Next())
			}
		}
		if n := allocations(ticks); n != 0 {
			t.Errorf("%s: %d allocations in 20 ticks", e.Name(), n)
		}
	}
}

// allocations is how often f allocates each time: what the runtime does once by the way on a
// busy machine, such as starting a thread, does not come again.
func allocations(f func()) (least uint64) {
	least = math.MaxUint64
	for try := 0; try < 4 && least > 0; try++ {
		least = min(least, heap.Allocations(f, f))
	}
	return least
}

// TestHalves: an engine that rounds holds nothing that half precision does not have,
// except in traces and maps, stays near the one that does not, and keeps one hash.
func TestHalves(t *testing.T) {
	tier.Alone(t, "one goroutine steps engines without workers")
	p := remembering()
	first := uint64(0)
	for _, isa := range cpu.ISAs() {
		got := hashAfter(t, p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed, Half: true}, 60)
		if first == 0 {
			first = got
		}
		if got != first {
			t.Errorf("%s: hash %#x, the first engine has %#x", isa, got, first)
		}
	}
	if whole := hashAfter(t, p, cpu.DefaultOptions(), 60); whole == first {
		t.Error("halves have the bits of the whole field")
	}
	e, err := cpu.New(p, cpu.Options{ISA: "auto", Threads: 1, Step: field.Collapsed, Half: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d, buf := exercise.New(7), make([]float32, field.Cells)
	for range 60 {
		_, _ = e.Step(d.Next())
	}
	for c := range p.Table {
		e.Read(field.Section(c), buf)
		for i, v := range buf {
			if p.Table[c].Halved() && (field.Half(v, 0) != v || field.Half(v, 0x1fff) != v) {
				t.Fatalf("%s, cell %d: %v is no half", p.Table[c].Name, i, v)
			}
		}
	}
}
