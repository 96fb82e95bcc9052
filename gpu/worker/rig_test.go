//go:build cuda

package worker

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// A direct engine gives a worker its orders from the same goroutine, through a
// page as the client does.
type direct struct {
	t      testing.TB
	worker *Worker
	page   *gpu.Page
	server *gpu.Server
	layout *field.Layout
	out    field.Output
}

// setup returns the default field on the software driver: nothing spins.
func setup(step field.StepKind) gpu.Setup {
	return gpu.Setup{Params: field.Default(), Step: step, Wait: gpu.WaitBlock}
}

// newPage maps memory for a page, as the client does.
func newPage(t testing.TB) *gpu.Page {
	t.Helper()
	memory, err := unix.Mmap(-1, 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	return (*gpu.Page)(unsafe.Pointer(&memory[0]))
}

// open opens a worker on this test's thread until the test ends.
func open(t testing.TB, s gpu.Setup) *direct {
	t.Helper()
	return openWith(t, s, Options{})
}

// openWith does so with what o says of blocks and of the kernels' order.
func openWith(t testing.TB, s gpu.Setup, o Options) *direct {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	page := newPage(t)
	o.Setup, o.Page, o.Image = &s, page, kernels.Fatbin()
	w, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil && !t.Failed() {
			t.Error(err)
		}
	})
	return &direct{t: t, worker: w, page: page, server: gpu.NewServer(page, 0), layout: &w.program.Layout}
}

// order gives one order and waits for its end.
func (d *direct) order(o gpu.Order, channel int) error {
	d.page.Call.Order, d.page.Call.Channel = o, uint32(channel)
	d.page.Call.Request++
	err := d.worker.obey(d.server, d.page.Call.Request, o)
	d.server.Finish(d.page.Call.Request, err)
	return err
}

func (d *direct) must(o gpu.Order, channel int) {
	d.t.Helper()
	if err := d.order(o, channel); err != nil {
		d.t.Fatal(err)
	}
}

// Step runs one tick.
func (d *direct) Step(in *field.Input) (*field.Output, error) {
	d.page.In = *in
	if err := d.order(gpu.OrderStep, 0); err != nil {
		return nil, err
	}
	if got, want := d.page.Call.Answered, uint64(d.page.Call.Request); got != want {
		return nil, fmt.Errorf("answered %d, want %d", got, want)
	}
	a := &d.page.Out
	if a.Tick != in.Tick || a.Stats.NotFinite != 0 {
		return nil, fmt.Errorf("the answer is to tick %d, want %d, with %d cells that are not a number", a.Tick, in.Tick, a.Stats.NotFinite)
	}
	d.out = field.Output{Marginals: a.Marginals, Obstacle: &a.Obstacle, Blocked: a.Blocked, Heading: a.Heading, Prediction: a.Prediction, Recall: a.Recall}
	return &d.out, nil
}

// Read and Write move one channel in its expanded form.
func (d *direct) Read(c field.Section, dst []float32) {
	d.must(gpu.OrderRead, int(c))
	if c >= field.Channels {
		clear(dst[copy(dst, d.page.Cells[:c.Cells(&d.worker.program.Constants.Recall.First)]):])
		return
	}
	s := &d.layout.Storage[c]
	s.Expand(dst, d.page.Cells[:s.Size()])
}

func (d *direct) Write(c field.Section, src []float32) {
	if c >= field.Channels {
		copy(d.page.Cells[:c.Cells(&d.worker.program.Constants.Recall.First)], src)
		d.must(gpu.OrderWrite, int(c))
		return
	}
	s := &d.layout.Storage[c]
	s.Collapse(d.page.Cells[:s.Size()], src)
	d.must(gpu.OrderWrite, int(c))
}

func (d *direct) Name() string { return "direct" }
func (d *direct) Close() error { return nil }

// newJudge returns the processor's engine for a setup: always the collapsed step,
// whose bits are those of the dense one (field/cpu, TestOneHash).
func newJudge(t testing.TB, s *gpu.Setup) *cpu.Engine {
	t.Helper()
	e, err := cpu.New(s.Params, cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// together steps two engines with one input and compares what they hand back,
// bit for bit.
func together(t testing.TB, got, want field.Engine, in *field.Input) {
	t.Helper()
	a, err := got.Step(in)
	if err != nil {
		t.Fatalf("tick %d: %v", in.Tick, err)
	}
	b, err := want.Step(in)
	if err != nil {
		t.Fatal(err)
	}
	for c := range a.Marginals {
		if a.Marginals[c] != b.Marginals[c] {
			t.Errorf("tick %d: channel %d: marginals %s", in.Tick, c, marginalDiffers(&a.Marginals[c], &b.Marginals[c]))
		}
	}
	sameRow(t, in.Tick, "obstacle", a.Obstacle[:], b.Obstacle[:])
	sameRow(t, in.Tick, "blocked", a.Blocked[:], b.Blocked[:])
	sameRow(t, in.Tick, "heading", a.Heading[:], b.Heading[:])
	p, q := &a.Prediction, &b.Prediction
	sameRow(t, in.Tick, "checked", p.Checked[:], q.Checked[:])
	sameRow(t, in.Tick, "error", p.Error[:], q.Error[:])
	sameRow(t, in.Tick, "surprise", p.Novelty[:], q.Novelty[:])
	sameRow(t, in.Tick, "confidence", p.Confidence[:], q.Confidence[:])
	sameRow(t, in.Tick, "recalled", a.Recall.Index[:], b.Recall.Index[:])
	sameRow(t, in.Tick, "weights", a.Recall.Weight[:], b.Recall.Weight[:])
	sameRow(t, in.Tick, "gate", []float32{a.Recall.Gate}, []float32{b.Recall.Gate})
	sameRow(t, in.Tick, "means", []float32{p.MeanError, p.Trust}, []float32{q.MeanError, q.Trust})
	if t.Failed() {
		sameField(t, got, want)
		t.FailNow()
	}
}

func marginalDiffers(a, b *field.Marginal) string {
	for i := range field.Side {
		if a.X[i] != b.X[i] || a.Y[i] != b.Y[i] || a.Z[i] != b.Z[i] {
			return fmt.Sprintf("at %d: %d %d %d, want %d %d %d", i, a.X[i], a.Y[i], a.Z[i], b.X[i], b.Y[i], b.Z[i])
		}
	}
	return fmt.Sprintf("total %d, want %d", a.Total, b.Total)
}

func sameRow(t testing.TB, tick uint64, name string, a, b []float32) {
	t.Helper()
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			t.Errorf("tick %d: %s[%d] is %v (%#x), want %v (%#x)", tick, name, i, a[i], math.Float32bits(a[i]), b[i], math.Float32bits(b[i]))
			return
		}
	}
}

// sameField compares every cell and names the first that differs per channel.
func sameField(t testing.TB, got, want field.Engine) {
	t.Helper()
	a, b := make([]float32, field.Cells), make([]float32, field.Cells)
	for c := range field.FirstPattern {
		got.Read(c, a)
		want.Read(c, b)
		n, at := 0, 0
		for i := range a {
			if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
				if n == 0 {
					at = i
				}
				n++
			}
		}
		if n > 0 {
			t.Errorf("channel %d: %d cells differ, the first is (%d, %d, %d): %v, want %v", c, n, at>>10, at>>5&31, at&31, a[at], b[at])
		}
	}
}
