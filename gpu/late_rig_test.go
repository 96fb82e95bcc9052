package gpu_test

import (
	"errors"
	"os"
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

// A lateRig drives an engine whose child waits at a gate, beside a judge that gets
// every input at once. No length of time decides anything: a held order is late after a
// millisecond, because it cannot end, and every other has all the time there is.
type lateRig struct {
	*testing.T
	s     *gpu.Supervisor
	e     *gpu.Engine
	judge field.Engine
	drive *exercise.Sequence
	gate  *os.File
}

func newLateRig(t *testing.T, rule gpu.Tolerance, orders string) *lateRig {
	t.Helper()
	tier.Native(t, "a child that is late is the same everywhere")
	path := filepath.Join(t.TempDir(), "gate")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	gate, err := os.OpenFile(path, os.O_RDWR, 0) // for both: opening waits for nobody
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gate.Close() })
	o := options(t, orders)
	o.Env, o.Late = append(o.Env, fake.Gate+"="+path), rule
	r := &lateRig{T: t, s: supervise(t, o), drive: exercise.New(3), gate: gate}
	r.e, r.judge = await(t, r.s), processor(t)
	return r
}

// open lets the child through its gate once and waits until it is done.
func (r *lateRig) open() {
	r.Helper()
	if _, err := r.gate.Write([]byte{1}); err != nil {
		r.Fatal(err)
	}
	r.idle()
}

// idle waits until the child is done with its order.
func (r *lateRig) idle() {
	r.Helper()
	for end := time.Now().Add(long); !r.e.Idle(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			r.Fatal("the child is never done")
		}
	}
}

// held does something whose order the child holds.
func (r *lateRig) held(do func()) {
	r.idle() // the end of the order before must not be what is late
	r.e.SetLimits(time.Millisecond)
	do()
	r.e.SetLimits(long)
}

// step steps the judge and the engine, and holds their outputs against each other.
func (r *lateRig) step() error {
	r.Helper()
	in := r.drive.Next()
	want, err := r.judge.Step(in)
	if err != nil {
		r.Fatal(err)
	}
	got, err := r.e.Step(in)
	if err == nil {
		if what := gpu.Differs(got, want); what != "" {
			r.Errorf("tick %d: %s", in.Tick, what)
		}
	}
	return err
}

// steps demands n steps in time.
func (r *lateRig) steps(n int) {
	r.Helper()
	for range n {
		if err := r.step(); err != nil {
			r.Fatal(err)
		}
		if behind := r.e.CatchUp(); behind != 0 {
			r.Fatalf("%d ticks behind after a step in time", behind)
		}
	}
}

// late demands that a step is late and tolerated.
func (r *lateRig) late() {
	r.Helper()
	r.held(func() {
		if err := r.step(); !errors.Is(err, gpu.ErrBehind) {
			r.Fatalf("got %v, want ErrBehind", err)
		}
	})
}

// level lets the card catch up, a tick at a time, and returns how many that took.
func (r *lateRig) level() (ticks int) {
	r.Helper()
	for r.e.CatchUp() > 0 {
		r.idle()
		if err := r.step(); err != nil && !errors.Is(err, gpu.ErrBehind) {
			r.Fatal(err)
		}
		r.idle()
		ticks++
	}
	return ticks
}

// same demands that the card has the judge's field.
func (r *lateRig) same() {
	r.Helper()
	if got, want := field.Hash(r.e), field.Hash(r.judge); got != want {
		r.Errorf("field %#x, want %#x as if it had never been late", got, want)
	}
}

// dies demands that an engine has ended, and why, and that the supervisor notes it.
func (r *lateRig) dies(err, kind error, words string) {
	r.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), words) {
		r.Fatalf("got %v, want %v with %q", err, kind, words)
	}
	checkDead(r.T, r.e, err)
	if behind := max(r.e.CatchUp(), r.e.Behind(), int(r.e.Lateness().Behind)); behind != 0 {
		r.Errorf("a dead card is %d ticks behind", behind)
	}
	name := map[error]string{gpu.ErrLate: "late", gpu.ErrDied: "died", gpu.ErrGarbage: "garbage", gpu.ErrFailed: "failed"}[kind]
	eventually(r, r.s, "ended", func(st gpu.State) bool { return st.Ends[name] == 1 && len(st.Ends) == 1 })
}
