package gpu_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/testbench/tier"
)

// fails steps until the engine fails and returns the step and the error.
func fails(t *testing.T, e *gpu.Engine, steps int) (int, error) {
	t.Helper()
	d := exercise.New(3)
	for n := 1; n <= steps; n++ {
		if _, err := e.Step(d.Next()); err != nil {
			return n, err
		}
	}
	return 0, nil
}

// TestFaultsWhileServing: every misbehaviour is noticed in the very step in
// which it happens, under its own name, and once only.
func TestFaultsWhileServing(t *testing.T) {
	type row struct {
		orders, reason, want string
		kind                 error
		deadline             time.Duration
	}
	rows := []row{
		{orders: "crash served 4", kind: gpu.ErrDied, reason: "died"},
		{orders: "hang served 4", kind: gpu.ErrLate, reason: "late", deadline: time.Second, want: "of 1s"},
		{orders: "fail served 4", kind: gpu.ErrFailed, reason: "failed", want: "illegal address"},
		{orders: "tick served 4", kind: gpu.ErrGarbage, reason: "garbage"},
		{orders: "late served 4", kind: gpu.ErrLate, reason: "late", deadline: time.Second},
		{orders: "silent served 4", kind: gpu.ErrFailed, reason: "failed", want: "without an answer"},
	}
	for _, lie := range fake.Lies() {
		if lie != "tick" {
			rows = append(rows, row{orders: lie + " served 4", kind: gpu.ErrGarbage, reason: "garbage"})
		}
	}
	for _, c := range rows[:tier.Fewer(t, "faults", len(rows), 4)] {
		t.Run(c.orders, func(t *testing.T) {
			o := options(t, c.orders)
			o.Deadline = max(c.deadline, 0)
			if c.deadline == 0 {
				o.Deadline = long
			}
			s := supervise(t, o)
			e := await(t, s)
			n, err := fails(t, e, 10)
			var f *gpu.Failure
			if n != 4 || !errors.Is(err, c.kind) || !errors.As(err, &f) || f.Tick != 4 || f.Order != gpu.OrderStep {
				t.Fatalf("step %d: %v (%+v), want %v at step 4", n, err, f, c.kind)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q lacks %q", err, c.want)
			}
			checkDead(t, e, err)
			if st := eventually(t, s, "started again", func(st gpu.State) bool { return st.Proofs == 2 }); st.Ends[c.reason] != 1 || len(st.Ends) != 1 {
				t.Errorf("ends %v, want one %s", st.Ends, c.reason)
			}
		})
	}
}

// checkDead: a failed engine says the same again and does nothing.
func checkDead(t *testing.T, e *gpu.Engine, first error) {
	t.Helper()
	buf := []float32{42}
	e.Read(field.Heading, buf)
	e.Write(field.Heading, buf)
	e.Rest()
	if buf[0] != 42 {
		t.Error("a dead engine read something")
	}
	if _, err := e.Step(&field.Input{Quality: field.Full()}); !errors.Is(err, first) {
		t.Errorf("then %v, want %v again", err, first)
	}
	for range 2 {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := e.Step(&field.Input{Quality: field.Full()}); !errors.Is(err, gpu.ErrClosed) {
		t.Errorf("after closing %v, want ErrClosed", err)
	}
}

// A read or write that fails is told by the next step, and a read that brings
// what no field can hold leaves the destination alone.
func TestFaultsOfReadAndWrite(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	for _, c := range []struct {
		orders string
		kind   error
		order  gpu.Order
	}{
		{"hangread served 2", gpu.ErrLate, gpu.OrderRead},
		{"hangwrite served 2", gpu.ErrLate, gpu.OrderWrite},
		{"badread served 2", gpu.ErrGarbage, gpu.OrderRead},
	} {
		o := options(t, c.orders)
		o.Patience = time.Second
		e := await(t, supervise(t, o))
		if n, err := fails(t, e, 2); err != nil {
			t.Fatalf("%s: step %d: %v", c.orders, n, err)
		}
		buf := make([]float32, field.Cells)
		buf[7] = 42
		if c.order == gpu.OrderRead {
			e.Read(field.ObstMap, buf)
		} else {
			e.Write(field.ObstMap, buf)
		}
		if buf[7] != 42 {
			t.Errorf("%s: the destination was written", c.orders)
		}
		_, err := e.Step(&field.Input{Quality: field.Full()})
		var f *gpu.Failure
		if !errors.Is(err, c.kind) || !errors.As(err, &f) || f.Order != c.order || f.Channel != field.ObstMap {
			t.Errorf("%s: %v", c.orders, err)
		}
	}
}

// TestWaitsForTheEnd: a step's answer comes before its end, and until that the
// page is the child's: no order is given any earlier.
func TestWaitsForTheEnd(t *testing.T) {
	buf := make([]float32, field.Cells)
	orders := []struct {
		name string
		give func(e *gpu.Engine)
	}{
		{"step", func(*gpu.Engine) {}}, // what follows anyway
		{"read", func(e *gpu.Engine) { e.Read(field.Speed, buf) }},
		{"write", func(e *gpu.Engine) { e.Write(field.Speed, buf) }},
		{"rest", func(e *gpu.Engine) { e.Rest() }},
	}
	for _, order := range orders[:tier.Fewer(t, "orders", len(orders), 2)] {
		e := await(t, supervise(t, options(t, "linger served 2")))
		if n, err := fails(t, e, 2); err != nil {
			t.Fatalf("%s: step %d: %v", order.name, n, err)
		}
		order.give(e)
		if n, err := fails(t, e, 3); err != nil {
			t.Errorf("%s while the child lingers, then step %d: %v", order.name, n, err)
		}
	}
}

// TestFaultsBeforeServing: a child that does not start, or computes something
// else, is never offered.
func TestFaultsBeforeServing(t *testing.T) {
	rows := []struct {
		orders, reason, want string
		kind                 error
		edit                 func(o *gpu.Options)
	}{
		{orders: "magic", kind: gpu.ErrStart, reason: "start", want: "magic"},
		{orders: "refuse", kind: gpu.ErrStart, reason: "start", want: "no card answers"},
		{orders: "nonsense 1", kind: gpu.ErrStart, reason: "start", want: "write FAULT"},
		{orders: "wrong proof 9", kind: gpu.ErrProof, reason: "proof", want: "heading input at bearing 3"},
		{orders: "deaf", kind: gpu.ErrStart, reason: "start", want: "not ready within", edit: func(o *gpu.Options) { o.StartLimit = 200 * time.Millisecond }},
		{orders: "", kind: gpu.ErrStart, reason: "start", want: "exit status 1", edit: func(o *gpu.Options) { o.Path = absolute(t, "false") }},
		{orders: "", kind: gpu.ErrStart, reason: "start", want: "exit status 0", edit: func(o *gpu.Options) { o.Path = absolute(t, "true") }},
		{orders: "wrong proof 9, turned proof 12", kind: gpu.ErrProof, reason: "proof", want: "more than fp16 explains", edit: func(o *gpu.Options) { o.Setup.Half = true }},
		{orders: "crash proof 2", kind: gpu.ErrDied, reason: "died"},
		{orders: "hang proof 5", kind: gpu.ErrLate, reason: "late", edit: func(o *gpu.Options) { o.ProofLimit = time.Second }},
		{orders: "late proof 17", kind: gpu.ErrLate, reason: "late", want: "too slow or too busy for it: end what else uses it, on a Jetson pin its clocks (jetson_clocks), or set engine.gpu_deadline above 1s", edit: func(o *gpu.Options) { o.Deadline = time.Second }},
		{orders: "fail proof 17", kind: gpu.ErrFailed, reason: "failed", edit: func(o *gpu.Options) { o.Deadline = long / 2 }},
		{orders: "tick proof 15", kind: gpu.ErrGarbage, reason: "garbage", edit: func(o *gpu.Options) { o.Deadline = long / 2 }},
		{orders: "badread proof 14", kind: gpu.ErrGarbage, reason: "garbage"},
		{orders: "fail proof 14", kind: gpu.ErrFailed, reason: "failed"},
	}
	for _, c := range rows[:tier.Fewer(t, "faults", len(rows), 4)] {
		t.Run(c.orders+c.want, func(t *testing.T) {
			o := options(t, c.orders)
			if c.edit != nil {
				c.edit(&o)
			}
			s := supervise(t, o)
			st := eventually(t, s, "given up", func(st gpu.State) bool { return st.Phase == gpu.GivenUp })
			if s.Ready() != nil {
				t.Error("its engine was offered")
			}
			if st.Starts != 2 || st.Proofs != 0 || st.Ends[c.reason] != 2 || len(st.Ends) != 1 {
				t.Errorf("state %+v, want two ends by %s", st, c.reason)
			}
			if !errors.Is(st.Err, c.kind) || !strings.Contains(st.Err.Error(), c.want) || !strings.Contains(st.Err.Error(), "restart the daemon") {
				t.Errorf("error %v, want %v with %q", st.Err, c.kind, c.want)
			}
		})
	}
}

// TestPace: the deadline holds for the ticks after the probes, neither for these
// nor for the rest after it, and the engine is offered at rest.
func TestPace(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	o := options(t, "late proof 5, late proof 18") // 14 ticks of a probe, 3 at the deadline
	o.Deadline = 2 * time.Second
	s := supervise(t, o)
	e, rested := await(t, s), processor(t)
	if got, want := field.Hash(e), field.Hash(rested); got != want {
		t.Errorf("offered with the field %#x, want %#x: at rest", got, want)
	}
	if st := s.State(); st.Proofs != 1 || st.Starts != 1 {
		t.Errorf("%+v", st)
	}
	if n, err := fails(t, e, 3); err != nil {
		t.Errorf("step %d: %v", n, err)
	}
}

// processor returns a new engine of the processor.
func processor(t *testing.T) field.Engine {
	t.Helper()
	j, err := judge()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

// A program that is not there is not looked for again and again.
func TestMissingProgram(t *testing.T) {
	o := options(t, "")
	o.Path = "/nowhere/fieldbrain-gpu"
	s := supervise(t, o)
	st := eventually(t, s, "given up", func(st gpu.State) bool { return st.Phase == gpu.GivenUp })
	if st.Starts != 1 || !errors.Is(st.Err, fs.ErrNotExist) || !strings.Contains(st.Err.Error(), "gpu_path") {
		t.Errorf("%+v", st)
	}
}

// A program that is away for a moment, as while it is replaced, is waited for where the
// card has proven itself.
func TestProgramComesBack(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	o := options(t, "crash served 1")
	whole := program(t)
	o.Path = filepath.Join(t.TempDir(), "child")
	if err := os.Symlink(whole, o.Path); err != nil {
		t.Fatal(err)
	}
	s := supervise(t, o)
	e := await(t, s)
	if err := os.Remove(o.Path); err != nil {
		t.Fatal(err)
	}
	if n, _ := fails(t, e, 1); n != 1 {
		t.Fatal("the fake child did not crash")
	}
	e.Close()
	st := eventually(t, s, "started in vain", func(st gpu.State) bool { return st.Starts > 3 })
	if st.Phase == gpu.GivenUp || st.Ends["start"] == 0 || !errors.Is(st.Err, fs.ErrNotExist) {
		t.Errorf("without its program: %+v", st)
	}
	if err := os.Symlink(whole, o.Path); err != nil {
		t.Fatal(err)
	}
	eventually(t, s, "proven again", func(st gpu.State) bool { return st.Proofs == 2 })
}

// A card that was given up stays so when the supervisor has ended: a dead run's page
// tells what its status told.
func TestGivenUpIsTheLastWord(t *testing.T) {
	o := options(t, "")
	o.Path = "/nowhere/fieldbrain-gpu"
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	eventually(t, s, "given up", func(st gpu.State) bool { return st.Phase == gpu.GivenUp })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if st := s.State(); st.Phase != gpu.GivenUp {
		t.Errorf("ended as %+v", st)
	}
}

// Too many starts in a window end in peace, with the cause.
func TestTooManyStarts(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	o := options(t, "crash served 1")
	o.Starts = 4
	s := supervise(t, o)
	for range 4 {
		e := await(t, s)
		if n, _ := fails(t, e, 1); n != 1 {
			t.Fatal("the fake child did not crash")
		}
		e.Close()
	}
	st := eventually(t, s, "given up", func(st gpu.State) bool { return st.Phase == gpu.GivenUp })
	if st.Starts != 4 || st.Ends["died"] != 4 || !strings.Contains(st.Err.Error(), "4 starts within") {
		t.Errorf("%+v", st)
	}
}

// A child that is killed while nobody steps is noticed as well, and its engine
// is not offered any more.
func TestKilledWhileIdle(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	s := supervise(t, options(t, ""))
	first := eventually(t, s, "proven", func(st gpu.State) bool { return st.Phase == gpu.Proven })
	if err := unix.Kill(first.PID, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, s, "proven again", func(st gpu.State) bool { return st.Proofs == 2 && st.Phase == gpu.Proven })
	e := await(t, s)
	if n, err := fails(t, e, 3); err != nil {
		t.Errorf("step %d of the second child: %v", n, err)
	}
	st := s.State()
	if err := unix.Kill(st.PID, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if n, err := fails(t, e, 1e6); n == 0 || !errors.Is(err, gpu.ErrDied) {
		t.Errorf("step %d: %v, want ErrDied", n, err)
	}
	st = eventually(t, s, "proven again", func(st gpu.State) bool { return st.Proofs == 3 })
	if st.Ends["died"] != 2 || !strings.Contains(st.Err.Error(), "killed") {
		t.Errorf("%+v, want the signal named", st)
	}
}

func TestFind(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := gpu.Find(self); got != self || err != nil {
		t.Errorf("found %q, %v", got, err)
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Chdir(dir)
	if err := os.WriteFile(gpu.Program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", gpu.Program, "./" + gpu.Program} {
		if got, err := gpu.Find(path); err == nil || !strings.Contains(err.Error(), "gpu_path") {
			t.Errorf("%q: found %q, %v on the PATH or in the folder of the start", path, got, err)
		}
	}
	program := filepath.Join(filepath.Dir(self), gpu.Program)
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Skipf("no file can be put beside this program: %v", err)
	}
	defer os.Remove(program)
	if got, err := gpu.Find(""); got != program || err != nil {
		t.Errorf("found %q, %v, want %q", got, err, program)
	}
}

func TestProbe(t *testing.T) {
	t.Setenv(fake.Env, "")
	if got, err := gpu.Probe(t.Context(), program(t)); got != fake.Device || err != nil {
		t.Errorf("probe says %q, %v", got, err)
	}
	for program, want := range map[string]string{
		absolute(t, "false"): "exit status 1", absolute(t, "true"): "names no card", "/nowhere/x": "gpu_path", "true": "no absolute path",
	} {
		if got, err := gpu.Probe(t.Context(), program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %q", program, got, err, want)
		}
	}
}

// absolute returns where a program of the system lies.
func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
