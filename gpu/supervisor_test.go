package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/testbench/tier"
)

func TestMain(m *testing.M) {
	if code, is := fake.Main(); is {
		os.Exit(code)
	}
	if code, is := parent(); is {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// long is more than any machine needs for one step, or an emulator for two starts
// with their proofs, and less than a test has. No test waits for it.
const long = 2 * time.Minute

func judge() (field.Engine, error) { return cpu.New(field.Default(), cpu.DefaultOptions()) }

// program returns the path with which this test program runs once more: its own,
// or that of a script which has the emulator run it.
func program(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	by := os.Getenv(tier.Emulator)
	if by == "" {
		return self
	}
	script := filepath.Join(t.TempDir(), "emulated")
	text := fmt.Sprintf("#!/bin/sh\nexec %s '%s' \"$@\"\n", by, self)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return script
}

// options returns those of a supervisor over fake children that follow orders.
func options(t testing.TB, orders string) gpu.Options {
	t.Helper()
	o := gpu.DefaultOptions(gpu.Setup{Params: field.Default(), Wait: gpu.WaitBlock}, judge)
	o.Path, o.Env = program(t), []string{fake.Env + "=" + orders}
	o.Deadline, o.Patience, o.ProofLimit, o.StartLimit = long, long, long, long
	o.Probes, o.Pace, o.Backoff, o.MaxBackoff, o.Starts, o.Tries = 1, 3, time.Millisecond, time.Millisecond, 1e6, 2
	return o
}

// A log collects the states a supervisor reports.
type log struct {
	mu     sync.Mutex
	states []gpu.State
}

func (l *log) note(s gpu.State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.states = append(l.states, s)
}

// phases returns the phases in order, as one line.
func (l *log) phases() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var names []string
	for _, s := range l.states {
		names = append(names, string(s.Phase))
	}
	return strings.Join(names, ", ")
}

// supervise runs a supervisor until the test ends.
func supervise(t testing.TB, o gpu.Options) *gpu.Supervisor {
	t.Helper()
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the supervisor ends with %v", err)
		}
	})
	return s
}

// await returns the next engine.
func await(t testing.TB, s *gpu.Supervisor) *gpu.Engine {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*long)
	defer cancel()
	e, err := s.Await(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// eventually waits until a supervisor's state is as wanted.
func eventually(t testing.TB, s *gpu.Supervisor, what string, is func(gpu.State) bool) gpu.State {
	t.Helper()
	for end := time.Now().Add(2 * long); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if state := s.State(); is(state) {
			return state
		}
	}
	t.Fatalf("never %s: %+v", what, s.State())
	return gpu.State{}
}

func TestSameFieldAsTheProcessor(t *testing.T) {
	steps := []field.StepKind{field.Collapsed, field.Dense}
	for _, step := range steps[:tier.Fewer(t, "steps", 2, 1)] {
		o := options(t, "")
		o.Setup.Step = step
		e := await(t, supervise(t, o))
		if want := "cuda/" + fake.Device + "/" + step.String(); e.Name() != want {
			t.Errorf("name %q, want %q", e.Name(), want)
		}
		j, err := judge()
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		d := exercise.New(7)
		for range tier.Fewer(t, "ticks", 60, 10) {
			in := d.Next()
			got, err := e.Step(in)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := j.Step(in)
			if got.Marginals != want.Marginals || *got.Obstacle != *want.Obstacle || got.Heading != want.Heading || got.Blocked != want.Blocked {
				t.Fatalf("%s: another output at tick %d", step, in.Tick)
			}
		}
		if got, want := field.Hash(e), field.Hash(j); got != want {
			t.Errorf("%s: field %#x, want %#x", step, got, want)
		}
		checkWriteAndRest(t, e, j)
	}
}

// checkWriteAndRest moves a field into the child and puts it to rest.
func checkWriteAndRest(t *testing.T, e *gpu.Engine, j field.Engine) {
	t.Helper()
	e.Rest()
	buf := make([]float32, field.Cells)
	for c := range field.FirstPattern {
		j.Read(c, buf)
		e.Write(c, buf)
	}
	if got, want := field.Hash(e), field.Hash(j); got != want {
		t.Errorf("field %#x after writing, want %#x", got, want)
	}
	e.Rest()
	rested, err := judge()
	if err != nil {
		t.Fatal(err)
	}
	defer rested.Close()
	if got, want := field.Hash(e), field.Hash(rested); got != want {
		t.Errorf("field %#x at rest, want %#x", got, want)
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	e := await(t, supervise(t, options(t, "")))
	d, buf := exercise.New(1), make([]float32, field.Cells)
	if n := testing.AllocsPerRun(50, func() {
		if _, err := e.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
		e.Read(field.Heading, buf)
		e.Write(field.Speed, buf)
	}); n != 0 {
		t.Errorf("%v allocations per step, read and write, want 0", n)
	}
	s := supervise(t, options(t, "deaf"))
	least := math.Inf(1)
	for range 20 { // meanwhile the supervisor starts the child, and what that allocates counts, too
		least = min(least, testing.AllocsPerRun(50, func() {
			if s.Ready() != nil {
				t.Error("an engine of a child that is not ready")
			}
		}))
	}
	if least != 0 {
		t.Errorf("%v allocations per look for an engine, want 0", least)
	}
}

// TestNanos: the times of the newest step can be read beside it, while profiling.
func TestNanos(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	for _, profile := range []bool{false, true} {
		o := options(t, "")
		o.Setup.Profile = profile
		e := await(t, supervise(t, o))
		for n := uint32(1); n <= 3; n++ {
			if _, err := e.Step(&field.Input{Tick: uint64(n), Quality: field.Full()}); err != nil {
				t.Fatal(err)
			}
			want := gpu.Nanos{}
			if profile {
				want = gpu.Nanos{Prep: n, Evolve: 2 * n, Motor: 3 * n, Total: 6 * n}
			}
			got := make(chan gpu.Nanos)
			go func() { got <- e.Nanos() }()
			if now := <-got; now != want {
				t.Errorf("profiling %v, step %d: %+v, want %+v", profile, n, now, want)
			}
		}
	}
}

// A quality that no engine has is the caller's mistake and kills nobody.
func TestQualityIsRefused(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	e := await(t, supervise(t, options(t, "")))
	in := field.Input{Quality: field.Quality{Perception: 3, Traces: 1, Associative: 1}}
	if _, err := e.Step(&in); err == nil || !strings.Contains(err.Error(), "1, 2, 4 or 8") {
		t.Errorf("error %v", err)
	}
	in.Quality = field.Full()
	if _, err := e.Step(&in); err != nil {
		t.Error(err)
	}
}

// TestLives: a child's phases are reported once each, in order.
func TestLives(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	var l log
	o := options(t, "crash served 3, copies")
	o.Changed = l.note
	s := supervise(t, o)
	e := await(t, s)
	eventually(t, s, "serving", func(st gpu.State) bool { return st.Phase == gpu.Serving })
	d := exercise.New(1)
	var err error
	for n := 1; err == nil; n++ {
		if _, err = e.Step(d.Next()); (err != nil) != (n == 3) {
			t.Fatalf("step %d: %v", n, err)
		}
	}
	state := eventually(t, s, "proven again", func(st gpu.State) bool { return st.Proofs == 2 })
	const want = "starting, proving, proven, serving, waiting, starting, proving, proven"
	// a phase is in State before it is told
	eventually(t, s, "told: "+want, func(gpu.State) bool { return strings.Count(l.phases(), ",") >= strings.Count(want, ",") })
	if l.phases() != want {
		t.Errorf("phases %s\nwant   %s", l.phases(), want)
	}
	if !errors.Is(state.Err, gpu.ErrDied) || !strings.Contains(state.Err.Error(), "crashed on command") {
		t.Errorf("error %v, want the child's last words", state.Err)
	}
	if state.Starts != 2 || state.Ends["died"] != 1 || len(state.Ends) != 1 || state.Device != fake.Device || !state.Copies || state.Memory != (gpu.Memory{Used: fake.Memory, Room: fake.Room}) {
		t.Errorf("state %+v", state)
	}
}

// TestGaugesOfAChild: the state has what the child's card tells while it lives, and no
// more once it is dead.
func TestGaugesOfAChild(t *testing.T) {
	o := options(t, "crash served 1")
	o.Backoff, o.MaxBackoff = long, long
	s := supervise(t, o)
	e := await(t, s)
	eventually(t, s, "told", func(st gpu.State) bool {
		want := fake.Gauges()
		want.Looks = st.Gauges.Looks
		return st.Gauges.Looks > 0 && st.Gauges == want
	})
	if _, err := e.Step(exercise.New(1).Next()); err == nil {
		t.Fatal("the child lives on")
	}
	eventually(t, s, "unknown", func(st gpu.State) bool { return st.Phase == gpu.Waiting && st.Gauges == gpu.Gauges{} })
}

// TestPauses: every failed start waits twice as long as the one before, and says
// so.
func TestPauses(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	var l log
	o := options(t, "refuse")
	o.Changed, o.Tries, o.MaxBackoff = l.note, 5, long
	s := supervise(t, o)
	eventually(t, s, "given up", func(st gpu.State) bool { return st.Phase == gpu.GivenUp })
	l.mu.Lock()
	defer l.mu.Unlock()
	want := time.Millisecond
	for _, st := range l.states {
		if st.Phase == gpu.Waiting {
			if st.Retry != want {
				t.Errorf("waits for %v, want %v", st.Retry, want)
			}
			want *= 2
		}
	}
	if want != 16*time.Millisecond {
		t.Errorf("the next pause would be %v, want 16ms after four", want)
	}
}

func ExampleSupervisor() {
	setup := gpu.Setup{Params: field.Default(), Wait: gpu.WaitYield}
	o := gpu.DefaultOptions(setup, func() (field.Engine, error) {
		return cpu.New(setup.Params, cpu.DefaultOptions())
	})
	o.Path = "/nowhere/fieldbrain-gpu"
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go s.Run(ctx)
	_, err = s.Await(ctx)
	fmt.Println(errors.Is(err, os.ErrNotExist), s.State().Phase)
	// Output: true given up
}
