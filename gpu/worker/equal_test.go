//go:build cuda

package worker

import (
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/field/fieldtest"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// compare steps a worker and the processor's engine through the same exercise and
// wants equal answers in every tick and equal hashes in the end. quality may
// change with the tick.
func compare(t *testing.T, s gpu.Setup, ticks int, quality func(tick int) field.Quality) {
	compareWith(t, s, Options{}, ticks, quality)
}

// compareWith does so with what o says of blocks and of the kernels' order.
func compareWith(t *testing.T, s gpu.Setup, o Options, ticks int, quality func(tick int) field.Quality) {
	got, want := openWith(t, s, o), newJudge(t, &s)
	d := exercise.New(11)
	for tick := range ticks {
		in := d.Next()
		if quality != nil {
			in.Quality = quality(tick)
		}
		together(t, got, want, in)
	}
	if a, b := field.Hash(got), field.Hash(want); a != b {
		t.Errorf("after %d ticks the field's hash is %#x, the processor has %#x", ticks, a, b)
		sameField(t, got, want)
	}
}

// TestEqualCollapsed is the central test: one hash for the processor and the
// CUDA sources.
func TestEqualCollapsed(t *testing.T) {
	compare(t, setup(field.Collapsed), tier.Fewer(t, "ticks", 100, 15), nil)
}

// TestEqualDense does the same at full size.
func TestEqualDense(t *testing.T) {
	compare(t, setup(field.Dense), tier.Count(t, "ticks", 2, 10, 100), nil)
}

// mixed are qualities that change while the field runs.
func mixed(tick int) field.Quality {
	periods := []int{1, 2, 4, 8}
	return field.Quality{
		Perception: periods[tick/8%4], Traces: periods[tick/16%4], Associative: periods[(tick/24+1)%4],
	}
}

// TestEqualBlocks: the blocks of a large card, half as long and in another order, give
// the same field; its number of processors, too, decides nothing but the order.
func TestEqualBlocks(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	s := setup(field.Dense)
	compareWith(t, s, Options{Planes: 8}, tier.Count(t, "ticks", 2, 4, 60), nil)
}

// TestEqualSerial: where kernels cannot overlap, as on cards before Hopper, sums that
// interact come after what the preparation found instead of before, to the same field.
func TestEqualSerial(t *testing.T) {
	for _, serial := range []bool{false, true} {
		s := setup(field.Collapsed)
		w := openWith(t, s, Options{Serial: serial})
		if w.worker.program.Overlap == serial {
			t.Fatalf("Serial is %v and kernels overlap: %v", serial, w.worker.program.Overlap)
		}
	}
	compareWith(t, setup(field.Collapsed), Options{Serial: true}, tier.Count(t, "ticks", 12, 24, 64), mixed)
	compareWith(t, setup(field.Dense), Options{Serial: true}, tier.Count(t, "dense ticks", 1, 3, 20), nil)
}

// TestEqualTogether: where a card has a multiprocessor for every block of the preparation,
// one of them does nothing but bring the input; elsewhere it is whoever begins first.
func TestEqualTogether(t *testing.T) {
	for _, processors := range []string{"16", "132"} {
		t.Setenv("SOFTCUDA_MULTIPROCESSORS", processors) // a card has what it has
		w := openWith(t, setup(field.Collapsed), Options{Planes: 16}).worker
		if got, want := w.program.Together, w.Device.Processors >= len(w.program.Tasks); got != want {
			t.Fatalf("%d multiprocessors and %d blocks: together %v, want %v", w.Device.Processors, len(w.program.Tasks), got, want)
		}
		compareWith(t, setup(field.Collapsed), Options{}, tier.Count(t, "ticks", 6, 12, 60), mixed)
		compareWith(t, setup(field.Collapsed), Options{Serial: true}, tier.Count(t, "serial ticks", 3, 6, 20), mixed)
	}
}

// TestEqualQuality lets channels skip ticks, at fixed and at changing periods.
func TestEqualQuality(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	for _, period := range []int{2, 4, 8} {
		q := field.Quality{Perception: period, Traces: period, Associative: period}
		compare(t, setup(field.Collapsed), 3*period+1, func(int) field.Quality { return q })
	}
	compare(t, setup(field.Collapsed), 64, mixed)
}

// TestEqualMotion turns and drives in every tick, forwards and backwards, far
// and hardly at all, and stands.
func TestEqualMotion(t *testing.T) {
	s := setup(field.Collapsed)
	got, want, d := open(t, s), newJudge(t, &s), exercise.New(5)
	for _, m := range [][2]float32{
		{0, 0},
		{0.001, 0},
		{0, 0.02},
		{-0.002, -0.03},
		{0, 0},
		{0.3, 1.5},
		{-0.9, -3},
		{1e-9, 0},
		{0, -1e-9},
		{0.02, 0.1},
		{5, 50},
		{0, 0},
		{0.01, -0.2},
		{0.01, -0.2},
	} {
		in := d.Next()
		in.Forward, in.Turn = m[0], m[1]
		together(t, got, want, in)
	}
	sameField(t, got, want)
}

// TestEqualKeys: other noise, other parameters' seeds.
func TestEqualKeys(t *testing.T) {
	s := setup(field.Collapsed)
	s.Params.Key = 0xfeedbeef
	s.Params.Period *= 2
	compare(t, s, tier.Fewer(t, "ticks", 20, 4), nil)
}

// TestWait runs a few ticks with every way to wait.
func TestWait(t *testing.T) {
	for _, w := range []gpu.Wait{gpu.WaitSpin, gpu.WaitYield, gpu.WaitBlock} {
		t.Run(string(w), func(t *testing.T) {
			s := setup(field.Collapsed)
			s.Wait = w
			compare(t, s, tier.Fewer(t, "ticks", 5, 2), nil)
		})
	}
}

// TestEqualLibrary: the card keeps and recalls the same patterns, in both steps.
// With a period of 40 ms a pattern needs some 40 ticks.
func TestEqualLibrary(t *testing.T) {
	ticks, patterns, recalls := 120, 3, 10
	if tier.Emulated() {
		ticks, patterns, recalls = tier.Fewer(t, "ticks", ticks, 72), 2, 3
	}
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		if step == field.Dense && tier.Count(t, "steps", 1, 1, 2) == 1 {
			continue
		}
		s := setup(step)
		s.Params.Recall = field.DefaultLibrary()
		s.Params.Period = 40 * time.Millisecond
		got, want := open(t, s), newJudge(t, &s)
		d, led := exercise.NewLoop(2, 4), 0
		for range ticks {
			in := d.Next()
			if together(t, got, want, in); got.out.Recall.Gate > 0 {
				led++
			}
		}
		if a, b := field.Hash(got), field.Hash(want); a != b {
			t.Errorf("%v: after %d ticks the hash is %#x, the processor has %#x", step, ticks, a, b)
		}
		n := fieldtest.SamePatterns(t, got, want)
		t.Logf("%v: %d patterns, something recalled in %d of %d ticks", step, n, led, ticks)
		if n < patterns || led < recalls {
			t.Errorf("%v: too little to compare", step)
		}
	}
}
