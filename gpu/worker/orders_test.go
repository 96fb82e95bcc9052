//go:build cuda

package worker

import (
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// TestWriteRead writes channels of every shape and reads them back, then goes on
// with them.
func TestWriteRead(t *testing.T) {
	steps := []field.StepKind{field.Collapsed, field.Dense}
	for _, step := range steps[:tier.Fewer(t, "steps", 2, 1)] {
		s := setup(step)
		got, want, d := open(t, s), newJudge(t, &s), exercise.New(3)
		together(t, got, want, d.Next())
		src, dst := make([]float32, field.Cells), make([]float32, field.Cells)
		for c := range field.Channels {
			if step == field.Dense && c%9 != 0 {
				continue
			}
			for i := range src {
				src[i] = float32(c) - float32(i%4096)/100
			}
			if s.Params.Table[c].Regime.Kind == field.Mapping {
				for i := range src {
					src[i] = float32(i>>5%field.Side) / field.Side
				}
			}
			got.Write(field.Section(c), src)
			want.Write(field.Section(c), src)
			got.Read(field.Section(c), dst)
			want.Read(field.Section(c), src)
			sameRow(t, uint64(c), "channel", dst, src)
		}
		writeLearned(t, got, want)
		ticks := tier.Fewer(t, "ticks", 10, 2)
		if step == field.Dense {
			ticks = 1
		}
		for range ticks {
			together(t, got, want, d.Next())
		}
		sameField(t, got, want)
	}
}

// writeLearned writes what can have been learned and what cannot.
func writeLearned(t *testing.T, got, want field.Engine) {
	t.Helper()
	s := setup(field.Collapsed)
	other, d := newJudge(t, &s), exercise.New(9)
	for range 30 {
		if _, err := other.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
	src, dst := make([]float32, field.Cells), make([]float32, field.Cells)
	other.Read(field.PredictorSection, src)
	for _, odd := range []float32{0, float32(math.NaN()), float32(math.Inf(1)), -1} {
		src[0] += 1e-3
		src[field.PredictorCells-1] = odd // a confidence; those after the first are none
		got.Write(field.PredictorSection, src)
		want.Write(field.PredictorSection, src)
	}
	src[0] -= 3e-3
	got.Read(field.PredictorSection, dst)
	if dst[100] != src[100] || math.Abs(float64(dst[0]-src[0])) > 1e-6 || dst[field.PredictorCells-1] != 0 {
		t.Errorf("learned %v and %v, want %v and 0", dst[0], dst[field.PredictorCells-1], src[0])
	}
	sameField(t, got, want)
}

// TestRest wants a field at rest to be as a new one.
func TestRest(t *testing.T) {
	s := setup(field.Collapsed)
	got, d := open(t, s), exercise.New(1)
	ticks := tier.Fewer(t, "ticks", 20, 4)
	for range ticks {
		if _, err := got.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
	if field.Hash(got) == field.Hash(newJudge(t, &s)) {
		t.Fatal("some ticks left the field at rest: the exercise drives nothing")
	}
	got.must(gpu.OrderRest, 0)
	want := newJudge(t, &s)
	sameField(t, got, want)
	for d := exercise.New(2); int(d.Next().Tick) < ticks; {
		together(t, got, want, d.Next())
	}
	sameField(t, got, want)
}

// TestRefusals: what cannot be carried out is refused with a reason, and the
// worker goes on.
func TestRefusals(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	s := setup(field.Collapsed)
	d, sound := open(t, s), exercise.New(1).Next()
	for _, c := range []struct {
		words string
		spoil func(in *field.Input)
	}{
		{"97 stimuli", func(in *field.Input) { in.NumTerms = field.MaxTerms + 1 }},
		{"-1 stimuli", func(in *field.Input) { in.NumTerms = -1 }},
		{"9 beams", func(in *field.Input) { in.NumBeams = field.MaxBeams + 1 }},
		{"channel 64", func(in *field.Input) { in.Terms[3].Channel = field.Channels }},
		{"channel -1", func(in *field.Input) { in.Terms[0].Channel = -1 }},
		{"slot 64", func(in *field.Input) { in.Terms[5].Of = field.NumSenses + 1 }},
		{"slot -2", func(in *field.Input) { in.Terms[5].Of = -1 }},
		{"periods must be", func(in *field.Input) { in.Quality.Traces = 0 }},
		{"periods must be", func(in *field.Input) { in.Quality.Perception = 3 }},
	} {
		in := *sound
		c.spoil(&in)
		d.page.In = in
		d.refuses(gpu.OrderStep, 0, c.words)
	}
	d.refuses(gpu.OrderRead, int(field.Sections), "channel 1666")
	d.refuses(gpu.OrderWrite, 1<<31, "channel 2147483648")
	d.refuses(gpu.Order(77), 0, "order 77 is not known")
	if _, err := d.Step(sound); err != nil {
		t.Errorf("after refusals: %v", err)
	}
}

func (d *direct) refuses(o gpu.Order, channel int, words string) {
	d.t.Helper()
	err := d.order(o, channel)
	if err == nil || !strings.Contains(err.Error(), words) {
		d.t.Errorf("%v: %v, want %q", o, err, words)
	}
	if fault := (*Fault)(nil); errors.As(err, &fault) {
		d.t.Errorf("%v: a refusal became a fault: %v", o, err)
	}
	if d.page.Call.Failed != 1 {
		d.t.Errorf("%v: the client is not told", o)
	}
}

// TestServe gives orders through the page, and stops.
func TestServe(t *testing.T) {
	d := open(t, setup(field.Collapsed))
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		client := d.page
		client.In = *exercise.New(1).Next()
		client.Call.Order = gpu.OrderStep
		await(t, func() bool { return atomic.LoadUint32(&client.Head.State) == gpu.ChildReady })
		atomic.StoreUint32(&client.Call.Request, 1)
		await(t, func() bool { return atomic.LoadUint32(&client.Call.Done) == 1 })
	}()
	if err := d.worker.Serve(d.server, stop); err != nil {
		t.Fatal(err)
	}
	if d.page.Call.Answered != 1 || d.page.Call.Failed != 0 || d.page.Head.Registered != 1 || d.page.Head.Device[0] == 0 {
		t.Errorf("call %+v, registered %d, device %q", d.page.Call, d.page.Head.Registered, d.page.Head.Device)
	}
}

// await looks until something holds; only a broken program makes it give up.
func await(t *testing.T, holds func() bool) {
	for range 60_000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("nothing happened for a minute")
}
